// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// truth is what an exact join of another program found: all pairs of a corpus
// with a Jaccard index of at least 1/2, by rows.
func truth(t *testing.T, name string) map[[2]uint32]float64 {
	f, err := os.Open(shared.Path(t, "data", "text", name+".truth.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all := map[[2]uint32]float64{}
	for s := bufio.NewScanner(z); s.Scan(); {
		var a, b uint32
		var both, either int
		if _, err := fmt.Sscan(s.Text(), &a, &b, &both, &either); err != nil {
			t.Fatal(err)
		}
		all[[2]uint32{a, b}] = float64(both) / float64(either)
	}
	return all
}

// unpack writes a corpus to a file of its own.
func unpack(t *testing.T, name string) string {
	f, err := os.Open(shared.Path(t, "data", "text", name+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name+".jsonl")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, z); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// Candidates that the truth has at or above the threshold are edges with the
// true similarity, no others are, clusters are the components of those edges,
// and the share of true pairs that were candidates is what the S-curve says.
func TestClustersAreThoseOfTheTruth(t *testing.T) {
	for _, c := range []struct {
		corpus, recipe, truth string
		threshold             float64
	}{
		{"spdx", "words=5/norm=1", "word5", 0.7},
		{"spdx", "words=5/norm=1", "word5", 0.8},
		{"spdx", "words=5/norm=1", "word5", 0.9},
		{"spdx", "chars=5/norm=0/space=one", "char5", 0.8},
		{"scancode5k", "words=5/norm=1", "word5", 0.7},
		{"scancode5k", "words=5/norm=1", "word5", 0.8},
		{"scancode5k", "chars=5/norm=0/space=one", "char5", 0.9},
	} {
		t.Run(fmt.Sprintf("%s %s %v", c.corpus, c.truth, c.threshold), func(t *testing.T) {
			againstTruth(t, unpack(t, c.corpus), c.recipe, c.threshold, truth(t, c.corpus+"."+c.truth))
		})
	}
}

func againstTruth(t *testing.T, path, recipe string, threshold float64, all map[[2]uint32]float64) {
	o := every(threshold)
	o.Texts = ingest.Texts{Corpus: corpus.Options{Kind: corpus.JSONL, ID: "id", Text: "text"}}
	o.Params = sketch.Params{Family: sketch.OPH, Elements: sketch.Elements{Molecule: sketch.Text, Recipe: recipe},
		Hash: sketch.Hash{Algorithm: "xxh3-64", Bits: 64}, Size: 128, Densify: sketch.Optimal}
	o.Bands, o.Rows, o.Recall, o.BucketCap, o.Memory = 0, 0, 0.95, 0, 1<<18
	p := newPipeline(o)
	ctx := context.Background()
	if err := p.prepare(); err != nil {
		t.Fatal(err)
	}
	defer p.close()
	var err error
	if p.sets, err = newSpool(); err != nil {
		t.Fatal(err)
	}
	p.newComparer = func() Comparer { return &exactComparer{sets: p.sets} }
	if _, err := p.read(ctx, []string{path}); err != nil {
		t.Fatal(err)
	}
	if err := p.sets.seal(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.candidates(ctx); err != nil {
		t.Fatal(err)
	}
	candidate := map[[2]uint32]bool{}
	var kept [][2]uint32
	err = Verify(ctx, unpacked(p.pairs), 2, p.newComparer, func(e Edge) error {
		pair := [2]uint32{e.A, e.B}
		candidate[pair] = true
		want, known := all[pair]
		if known && e.Similarity != want || !known && e.Similarity >= 0.5 {
			t.Fatalf("rows %v: %v, the truth says %v (%t)", pair, e.Similarity, want, known)
		}
		if e.Similarity >= threshold {
			kept, p.edges = append(kept, pair), append(p.edges, e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.cluster(ctx); err != nil {
		t.Fatal(err)
	}
	// The truth's pairs of a copy count through its original.
	first := p.docs.first
	found, expected, variance, total := 0, 0.0, 0.0, 0
	var want [][2]uint32
	for pair, j := range all {
		if j < threshold || first[pair[0]] != pair[0] || first[pair[1]] != pair[1] {
			continue
		}
		q := lsh.Probability(j, p.opts.Bands, p.opts.Rows)
		total++
		expected += q
		variance += q * (1 - q)
		if candidate[pair] {
			found++
			want = append(want, pair)
		}
	}
	if len(want) != len(kept) {
		t.Errorf("%d edges, the truth has %d among the candidates", len(kept), len(want))
	}
	for row, of := range first {
		if int(of) != row {
			want = append(want, [2]uint32{of, uint32(row)})
		}
	}
	samePartition(t, p.clusters, partition(len(first), want))
	t.Logf("%d documents, %d candidates: %d of %d true pairs, %.4f; expected %.4f", len(first), len(candidate), found, total, float64(found)/float64(total), expected/float64(total))
	// Pairs of one document are not independent of each other: errors of
	// families of near copies move together. So the bound is wide, but on the low side
	// it is what a user relies on.
	sd := math.Sqrt(variance)
	if missing := expected - float64(found); missing > 6*sd+0.01*float64(total) {
		t.Errorf("%d of %d true pairs were candidates, %.1f expected (sd %.1f)", found, total, expected, sd)
	}
}

// partition is the connected components by another algorithm: labels flow
// along pairs until nothing changes.
func partition(n int, pairs [][2]uint32) []uint32 {
	label := make([]uint32, n)
	for i := range label {
		label[i] = uint32(i)
	}
	for changed := true; changed; {
		changed = false
		for _, p := range pairs {
			if l := min(label[p[0]], label[p[1]]); label[p[0]] != l || label[p[1]] != l {
				label[p[0]], label[p[1]], changed = l, l, true
			}
		}
	}
	return label
}

func samePartition(t *testing.T, clusters Clusters, label []uint32) {
	t.Helper()
	seen := map[uint32]bool{}
	rows := 0
	for _, members := range clusters {
		l := label[members[0]]
		if seen[l] {
			t.Fatalf("the component of row %d is in two clusters", l)
		}
		seen[l] = true
		rows += len(members)
		for _, row := range members {
			if label[row] != l {
				t.Fatalf("rows %d and %d are in one cluster, not in one component", members[0], row)
			}
		}
	}
	if rows != len(label) {
		t.Fatalf("%d of %d rows are in clusters", rows, len(label))
	}
}
