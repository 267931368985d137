// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

func jsonl(paths ...string) Corpus {
	return Corpus{Paths: paths, Options: corpus.Options{Kind: corpus.JSONL, ID: "id", Text: "text"}, Threads: 2, Seed: 1}
}

func recipe(t *testing.T, s string) sketch.Elements {
	t.Helper()
	r, err := shingle.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return r.Elements()
}

func xxh3Hash() sketch.Hash { return sketch.Hash{Algorithm: shingle.XXH3, Bits: 64} }

func oph(size int) sketch.Params {
	return sketch.Params{Family: sketch.OPH, Hash: xxh3Hash(), Size: size, Densify: sketch.Optimal}
}

func grid(t *testing.T) Grid {
	return Grid{Units: []string{shingle.Documents}, Elements: []sketch.Elements{recipe(t, "words=5/norm=1")}, Sketches: []sketch.Params{oph(128)},
		Thresholds: []float64{0.5, 0.7, 0.8}, Recall: 0.95, Seeds: 1, Confidence: 0.95}
}

// gunzipLines are the lines of a compressed file.
func gunzipLines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(z)
	in.Buffer(nil, 1<<26)
	var all []string
	for in.Scan() {
		all = append(all, in.Text())
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSweepAgainstTruth: what is to be found are the pairs that another program
// found by comparing all (exactjoin), and what is found of them is what slots
// say that are compared here, band by band.
func TestSweepAgainstTruth(t *testing.T) {
	path := shared.Path(t, "data", "text", "spdx.jsonl.gz")
	g := grid(t)
	g.Bandings = []Banding{{25, 5}, {9, 13}}
	r, err := Sweep(context.Background(), jsonl(path), 1000, g, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var slots [][]uint64
	for _, line := range gunzipLines(t, path) {
		var d struct{ Text string }
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		p := oph(128)
		p.Elements = g.Elements[0]
		s, err := shingle.New(p.Elements, p.Hash, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Reset([]byte(d.Text))
		hashes, err := shingle.AppendAll(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		b, err := minhash.NewBuilder(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.AddHashes(hashes); err != nil {
			t.Fatal(err)
		}
		x, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		slots = append(slots, x.(sketch.Signature).AppendSlots(nil))
	}
	if r.Documents != len(slots) || r.Drawn != len(slots) {
		t.Fatalf("%d of %d documents, want %d", r.Drawn, r.Documents, len(slots))
	}
	meet := func(i, j int, b Banding) bool {
		for band := range b.Bands {
			if slices.Equal(slots[i][band*b.Rows:(band+1)*b.Rows], slots[j][band*b.Rows:(band+1)*b.Rows]) {
				return true
			}
		}
		return false
	}
	truth := gunzipLines(t, strings.TrimSuffix(path, ".jsonl.gz")+".word5.truth.tsv.gz")
	for _, o := range r.Outcomes {
		pairs, found, candidates := 0, 0, 0
		for _, line := range truth {
			var i, j, shared, of int
			if _, err := fmt.Sscan(line, &i, &j, &shared, &of); err != nil {
				t.Fatal(err)
			}
			if float64(shared)/float64(of) < o.Threshold {
				continue
			}
			pairs++
			if meet(i, j, o.Banding) {
				found++
			}
		}
		for j := range slots {
			for i := range j {
				if meet(i, j, o.Banding) {
					candidates++
				}
			}
		}
		if o.Pairs != pairs || int(o.Found) != found || int(o.Candidates) != candidates {
			t.Errorf("T=%v %v: %d pairs, %v found, %v candidates; want %d, %d, %d", o.Threshold, o.Banding, o.Pairs, o.Found, o.Candidates, pairs, found, candidates)
		}
		if !(o.Recall.Low <= o.Recall.Value && o.Recall.Value <= o.Recall.High) || o.Recall.Method != Bootstrap {
			t.Errorf("recall %+v", o.Recall)
		}
		if math.Abs(o.CorpusCandidates-o.Candidates) > 1e-6 {
			t.Errorf("all documents were drawn: %v candidates in the corpus, not %v", o.CorpusCandidates, o.Candidates)
		}
	}
}

// TestCurve: over ten hash functions, the S-curve is as predicted.
func TestCurve(t *testing.T) {
	g := grid(t)
	g.Bandings, g.Seeds = []Banding{{20, 5}}, 10
	g.Sketches = append(g.Sketches, sketch.Params{Family: sketch.BBit, Bits: 2, Size: 128,
		Hash: sketch.Hash{Algorithm: shingle.XXH3, Bits: 64, Seed: 1, Permutation: sketch.Affine32}})
	r, err := Sweep(context.Background(), jsonl(shared.Path(t, "data", "text", "spdx.jsonl.gz")), 1000, g, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Curves) != 2 {
		t.Fatalf("%d curves", len(r.Curves))
	}
	for _, c := range r.Curves {
		all := 0
		for _, x := range c.Points {
			all += x.Pairs
			if x.Pairs >= 100 && math.Abs(x.Measured.Value-x.Predicted) > 0.06 {
				t.Errorf("%s: of %d pairs at %.3f %.3f were found, %.3f predicted", c.Params.Family, x.Pairs, x.Similarity, x.Measured.Value, x.Predicted)
			}
			if x.Similarity < x.Low || x.Similarity > x.High {
				t.Errorf("mean %v of [%v, %v]", x.Similarity, x.Low, x.High)
			}
		}
		if n := r.Drawn; all != n*(n-1)/2 {
			t.Errorf("%d pairs of %d documents", all, n)
		}
	}
}

// writeCorpus writes documents as JSON lines.
func writeCorpus(t *testing.T, docs [][2]string) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, d := range docs {
		if err := e.Encode(map[string]string{"id": d[0], "text": d[1]}); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "corpus.jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// sentence is n words that stand nowhere else.
func sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		word := make([]byte, 9)
		for j := range word {
			word[j] = byte('a' + r.IntN(26))
		}
		words[i] = string(word)
	}
	return strings.Join(words, " ")
}

// family is documents of which each shares most words with the first.
func familyOf(r *rand.Rand, name string, n int) [][2]string {
	base := strings.Fields(sentence(r, 200))
	docs := [][2]string{{name + "0", strings.Join(base, " ")}}
	for i := 1; i < n; i++ {
		copied := append([]string(nil), base...)
		copied[r.IntN(len(copied))] = fmt.Sprintf("x%x", r.Uint32())
		docs = append(docs, [2]string{fmt.Sprint(name, i), strings.Join(copied, " ")})
	}
	return docs
}

// TestSweepOrder: the order of documents and the number of threads change nothing.
func TestSweepOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var docs [][2]string
	for i := range 30 {
		docs = append(docs, familyOf(r, fmt.Sprint("f", i, "-"), 1+i%4)...)
	}
	var results []*Result
	for threads := 1; threads <= 3; threads++ {
		c := jsonl(writeCorpus(t, docs))
		c.Threads = threads
		x, err := Sweep(context.Background(), c, 40, grid(t), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x.Outcomes { // NaN is not itself
			x.Outcomes[i].FalseShare = Share{}
		}
		results = append(results, x)
		r.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	}
	for i, x := range results[1:] {
		if !reflect.DeepEqual(x, results[0]) {
			t.Errorf("run %d: %+v\nrun 0: %+v", i+1, x, results[0])
		}
	}
	if results[0].Drawn != 40 || results[0].Documents != len(docs) {
		t.Errorf("%d of %d drawn", results[0].Drawn, results[0].Documents)
	}
}

// TestSweepLabels: what is found is what labels say, in all and by kind, and
// units of a document count as the document.
func TestSweepLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	var docs [][2]string
	for i := range 10 {
		docs = append(docs, familyOf(r, fmt.Sprint("near", i, "-"), 2)...)
	}
	for i := range 10 { // a paragraph of one in another, of which documents say nothing
		p := sentence(r, 60)
		docs = append(docs, [2]string{fmt.Sprint("part", i), sentence(r, 300) + "\n\n" + p + "\n\n" + sentence(r, 300)}, [2]string{fmt.Sprint("short", i), p})
	}
	var labels []Label
	for i := range 10 {
		labels = append(labels,
			Label{fmt.Sprint("near", i, "-0"), fmt.Sprint("near", i, "-1"), "edited", Same},
			Label{fmt.Sprint("part", i), fmt.Sprint("short", i), "partial", Same},
			Label{fmt.Sprint("part", i), fmt.Sprint("near", i, "-0"), "different", Different},
			Label{fmt.Sprint("part", i), fmt.Sprint("part", (i+1)%10), "different", Unsure})
	}
	// One that should not be joined, and is.
	labels = append(labels, Label{"near0-1", "near0-0", "edited", Different})
	g := grid(t)
	g.Units = []string{shingle.Documents, shingle.Paragraphs}
	g.Thresholds = []float64{0.8}
	g.Bandings = []Banding{{32, 4}}
	x, err := Sweep(context.Background(), jsonl(writeCorpus(t, docs)), 5, g, labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	if x.Labels != (Labelled{Same: 20, Different: 11, Left: 10}) {
		t.Errorf("labels %+v", x.Labels)
	}
	type numbers struct{ pairs, found, removed, wrong float64 }
	want := map[string]numbers{
		"document all": {20, 10, 11, 1}, "document edited": {10, 10, 11, 1}, "document partial": {10, 0, 0, 0}, "document different": {0, 0, 0, 0},
		"paragraph all": {20, 20, 21, 1}, "paragraph edited": {10, 10, 11, 1}, "paragraph partial": {10, 10, 10, 0}, "paragraph different": {0, 0, 0, 0},
	}
	for _, o := range x.Outcomes {
		got := numbers{float64(o.Pairs), o.Found, o.Removed, o.FalseRemovals}
		if key := o.Unit + " " + o.Kind; got != want[key] {
			t.Errorf("%s: %+v, want %+v", key, got, want[key])
		}
		if o.Recommended != (o.Kind == All && o.Unit == shingle.Paragraphs) {
			t.Errorf("%s %s: recommended %v", o.Unit, o.Kind, o.Recommended)
		}
	}
	if len(x.Outcomes) != len(want) {
		t.Errorf("%d outcomes", len(x.Outcomes))
	}
	labels[0].A = "nobody"
	if _, err := Sweep(context.Background(), jsonl(writeCorpus(t, docs)), 5, g, labels, nil); err == nil || !strings.Contains(err.Error(), `no document is called "nobody"`) {
		t.Error(err)
	}
}

func TestBootstrap(t *testing.T) {
	var families []tested
	for i := range 200 {
		families = append(families, tested{float64(min(i%10, 1)), 1}) // 180 of 200
	}
	got, want := bootstrap(families, 0.95), binomial(180, 200, 0.95)
	if got.Value != 0.9 || math.Abs(got.Low-want.Low) > 0.015 || math.Abs(got.High-want.High) > 0.015 {
		t.Errorf("single pairs: %+v, of independent pairs %+v", got, want)
	}
	one := tested{90, 100} // the same numbers in families: little is known
	few := bootstrap([]tested{{100, 100}, one, {0, 50}, {100, 100}, {70, 100}}, 0.95)
	if few.Low > 0.6 || few.Method != Bootstrap {
		t.Errorf("families: %+v", few)
	}
	if all := bootstrap([]tested{{9, 9}, {5, 5}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, 0.95); math.Abs(all.Low-math.Pow(0.025, 0.1)) > 1e-9 || all.High != 1 {
		t.Errorf("all found: %+v, want a low end of %v", all, math.Pow(0.025, 0.1))
	}
	if x := bootstrap([]tested{one}, 0.95); x.Value != 0.9 || !math.IsNaN(x.Low) || x.Method != "" {
		t.Errorf("one family: %+v", x)
	}
}

// TestRemovals: a chain A-B-C of which the ends are unlike is one cluster, and
// one document is removed in favour of another that is unlike it.
func TestRemovals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	w := strings.Fields(sentence(r, 140))
	chain := func(from int) string { return strings.Join(w[from:from+100], " ") }
	docs := [][2]string{{"a", chain(0)}, {"b", chain(20)}, {"c", chain(40)}, {"d", sentence(r, 100)}}
	g := grid(t)
	g.Thresholds, g.Bandings = []float64{0.6}, []Banding{{64, 2}}
	x, err := Sweep(context.Background(), jsonl(writeCorpus(t, docs)), 10, g, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := x.Outcomes[0]
	if o.Pairs != 2 || o.Found != 2 || o.Removed != 2 || o.FalseRemovals != 1 {
		t.Errorf("%+v", o)
	}
}
