// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/sketch"
)

// every is a banding by which each pair that is alike at all is almost surely a
// candidate: 128 bands of one row miss J = 0.5 once in 2^128.
func every(threshold float64) Options {
	return Options{
		Texts:   ingest.Texts{Corpus: corpus.Options{Kind: corpus.JSONL, ID: "id", Text: "text"}},
		Params:  sketch.Params{Family: sketch.KPerm, Elements: sketch.Elements{Molecule: sketch.Text, Recipe: "words=2/norm=1"}, Hash: sketch.Hash{Algorithm: "xxh3-64", Bits: 64, Seed: 1, Permutation: sketch.Affine32}, Size: 128},
		Threads: 2, Memory: 1 << 20, Threshold: threshold, Bands: 128, Rows: 1, Method: Components, Rule: First, MostPairs: 1e6,
	}
}

type doc struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

func writeDocs(t interface{ Fatal(...any) }, path string, docs []doc) {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	e := json.NewEncoder(f)
	for _, d := range docs {
		if err := e.Encode(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// byID runs a pipeline and returns what it decides by name, without rows.
func byID(t interface{ Fatal(...any) }, o Options, path string) map[string]Decision {
	r, err := Run(context.Background(), o, []string{path})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]Decision{}
	for d := range r.Manifest() {
		d.Row, d.KeptRow = 0, 0
		all[d.ID] = d
	}
	return all
}

// bigrams is an independent account of what is compared: texts here are words
// of lower-case letters.
func bigrams(text string) map[string]bool {
	words := strings.Fields(text)
	set := map[string]bool{}
	if len(words) == 1 {
		set[words[0]] = true
	}
	for i := 1; i < len(words); i++ {
		set[words[i-1]+" "+words[i]] = true
	}
	return set
}

func jaccard(a, b map[string]bool) float64 {
	n := 0
	for x := range a {
		if b[x] {
			n++
		}
	}
	return float64(n) / float64(len(a)+len(b)-n)
}

// drawDocs draws families of texts that differ in a few words.
func drawDocs(t *rapid.T) []doc {
	word := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"})
	bases := rapid.SliceOfN(rapid.SliceOfN(word, 0, 12), 1, 4).Draw(t, "bases")
	n := rapid.IntRange(1, 14).Draw(t, "n")
	docs := make([]doc, n)
	for i := range docs {
		words := slices.Clone(rapid.SampledFrom(bases).Draw(t, "base"))
		for range rapid.IntRange(0, 2).Draw(t, "edits") {
			if len(words) > 0 {
				words[rapid.IntRange(0, len(words)-1).Draw(t, "at")] = word.Draw(t, "word")
			}
		}
		docs[i] = doc{fmt.Sprintf("d%02d", i), strings.Join(words, " ")}
	}
	return docs
}

// The components, what is kept and the smallest similarities are those of all
// pairs compared one by one, in every order of the documents and by any number
// of goroutines.
func TestPipelineIsTheTruth(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		docs := drawDocs(t)
		threshold := rapid.SampledFrom([]float64{0.3, 0.5, 0.8, 1}).Draw(t, "threshold")
		want := bruteForce(docs, threshold)
		o := every(threshold)
		for range 2 {
			path := filepath.Join(dir, "docs.jsonl")
			writeDocs(t, path, docs)
			got := byID(t, o, path)
			for id, w := range want {
				g := got[id]
				if g.Keep != w.Keep || g.KeptID != w.KeptID || g.Cluster != w.Cluster || g.Reason != w.Reason ||
					!same(g.Similarity, w.Similarity) || !same(g.ClusterMin, w.ClusterMin) {
					t.Fatalf("%s at %v:\n got %+v\nwant %+v\n%v", id, threshold, g, w, docs)
				}
			}
			docs = rapid.Permutation(docs).Draw(t, "order")
			o.Threads = rapid.IntRange(1, 4).Draw(t, "threads")
		}
	})
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// bruteForce decides by comparing all pairs.
func bruteForce(docs []doc, threshold float64) map[string]Decision {
	docs = slices.Clone(docs)
	slices.SortFunc(docs, func(a, b doc) int { return strings.Compare(a.ID, b.ID) })
	label := make([]int, len(docs))
	sets := make([]map[string]bool, len(docs))
	for i, d := range docs {
		label[i], sets[i] = i, bigrams(d.Text)
	}
	near := func(i, j int) float64 {
		if len(sets[i]) == 0 && docs[i].Text == docs[j].Text {
			return 1
		}
		return jaccard(sets[i], sets[j])
	}
	for changed := true; changed; {
		changed = false
		for i := range docs {
			for j := range i {
				if l := min(label[i], label[j]); near(i, j) >= threshold && label[i] != label[j] {
					label[i], label[j], changed = l, l, true
				}
			}
		}
	}
	out := map[string]Decision{}
	number := map[int]int{}
	for i, d := range docs {
		if _, ok := number[label[i]]; !ok {
			number[label[i]] = len(number)
		}
		kept := label[i]
		w := Decision{ID: d.ID, Keep: kept == i, KeptID: docs[kept].ID, Cluster: number[label[i]], Similarity: near(i, kept), ClusterMin: math.NaN()}
		members := 0
		for j := range docs {
			if label[j] != label[i] {
				continue
			}
			members++
			for k := range j {
				if label[k] == label[i] && !(w.ClusterMin <= near(j, k)) {
					w.ClusterMin = near(j, k)
				}
			}
		}
		switch {
		case w.Keep:
			w.Similarity = math.NaN()
			if w.Reason = Representative; members == 1 {
				w.Reason = Unique
			}
			if len(sets[i]) == 0 {
				w.Reason = NoElements
			}
		case strings.Join(strings.Fields(d.Text), " ") == strings.Join(strings.Fields(docs[kept].Text), " "):
			w.Reason = Copy
		case w.Similarity >= threshold:
			w.Reason = NearCopy
		default:
			w.Reason = Chained
		}
		out[d.ID] = w
	}
	return out
}

// Star clusters have no member below the threshold to what is kept; complete
// ones no two members. Neither depends on the order of the documents.
func TestStarAndComplete(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		docs := drawDocs(t)
		o := every(0.5)
		o.Method = rapid.SampledFrom([]string{Star, Complete}).Draw(t, "method")
		o.Rule = rapid.SampledFrom([]string{First, Longest}).Draw(t, "rule")
		path := filepath.Join(dir, "docs.jsonl")
		writeDocs(t, path, docs)
		got := byID(t, o, path)
		for id, d := range got {
			if !d.Keep && d.Similarity < 0.5 || o.Method == Complete && d.ClusterMin < 0.5 {
				t.Fatalf("%s %s: %+v", o.Method, id, d)
			}
		}
		writeDocs(t, path, rapid.Permutation(docs).Draw(t, "order"))
		o.Threads = 1
		for id, d := range byID(t, o, path) {
			if g := got[id]; fmt.Sprint(g) != fmt.Sprint(d) {
				t.Fatalf("%s in another order:\n%+v\n%+v", id, g, d)
			}
		}
	})
}
