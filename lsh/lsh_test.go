// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
)

// A signature of slots that a test chooses.
type slots struct {
	p      sketch.Params
	values []uint64
}

func (s slots) Params() sketch.Params             { return s.p }
func (s slots) Len() int                          { return len(s.values) }
func (s slots) Stride() int                       { return 1 }
func (s slots) AppendSlots(dst []uint64) []uint64 { return append(dst, s.values...) }
func (s slots) Empty() bool                       { return len(s.values) > 0 && s.values[0] == math.MaxUint32 }
func (s slots) Similarity(o sketch.Signature, _ float64) (sketch.Similarity, error) {
	equal := 0
	for i, v := range o.AppendSlots(nil) {
		if v == s.values[i] {
			equal++
		}
	}
	v := float64(equal) / float64(len(s.values))
	return sketch.Similarity{Value: v, Low: v, High: v}, nil
}

func params(n int) sketch.Params {
	return sketch.Params{
		Family: sketch.KPerm, Elements: sketch.Elements{Molecule: "text", Recipe: "words=5/norm=1"},
		Hash: sketch.Hash{Algorithm: "xxh3-64", Bits: 64, Seed: 1, Permutation: sketch.Affine32}, Size: n,
	}
}

func signature(values ...uint64) slots { return slots{params(len(values)), values} }

// random are signatures with slots from a small alphabet, so that bands meet.
func random(r *rand.Rand, n, size, letters int) []slots {
	out := make([]slots, n)
	for i := range out {
		v := make([]uint64, size)
		for j := range v {
			v[j] = r.Uint64N(uint64(letters))
		}
		out[i] = signature(v...)
	}
	return out
}

// The figures of the literature.
func TestWorkedNumbers(t *testing.T) {
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.Abs(got-want) > within {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("P(0.8) of 20x5", Probability(0.8, 20, 5), 0.9996, 0.00005)
	near("P(0.3) of 20x5", Probability(0.3, 20, 5), 0.047, 0.0006)
	near("P(0.2) of 20x5", Probability(0.2, 20, 5), 0.0064, 0.00005)
	near("P(0.696133) of 20x5", Probability(0.696133, 20, 5), 0.971846, 0.000001)
	near("threshold of 20x5", Threshold(20, 5), 0.549280, 0.000001)
	for _, c := range []struct {
		b, r int
		want float64
	}{{6, 1, 0.17}, {3, 2, 0.58}, {2, 3, 0.79}, {1, 6, 1}} {
		near("threshold of 6 slots", Threshold(c.b, c.r), c.want, 0.005)
	}
	for _, c := range []struct {
		wFP, wFN float64
		b, r     int
	}{{0.1, 0.9, 32, 4}, {0.9, 0.1, 16, 8}} {
		// 128 slots: 32x4 where misses weigh more, 16x8 where false positives do.
		// Optimal may use slots that do not divide 128, so the two are compared.
		cost := func(b, r int) float64 {
			return c.wFP*integrate(func(s float64) float64 { return Probability(s, b, r) }, 0, 0.5) +
				c.wFN*integrate(func(s float64) float64 { return 1 - Probability(s, b, r) }, 0.5, 1)
		}
		other := [2]int{48 - c.b, 12 - c.r}
		if cost(c.b, c.r) >= cost(other[0], other[1]) {
			t.Errorf("weights %v, %v: %dx%d does not beat %dx%d", c.wFP, c.wFN, c.b, c.r, other[0], other[1])
		}
	}
}

// The composite rule against one of many more nodes.
func TestIntegration(t *testing.T) {
	for _, c := range [][2]int{{1, 128}, {128, 1}, {25, 5}, {2, 512}, {512, 2}, {64, 16}} {
		p := func(s float64) float64 { return Probability(s, c[0], c[1]) }
		want := quad.Fixed(p, 0, 1, 4000, quad.Legendre{}, 0)
		if got := integrate(p, 0, 1); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: %v, want %v", c, got, want)
		}
	}
}

func TestOptimalIsDatasketchs(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "golden", "datasketch", "lsh_params.json"))
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Columns []string     `json:"columns"`
		Grid    [][6]float64 `json:"grid"`
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Grid) != 660 {
		t.Fatalf("%d rows", len(golden.Grid))
	}
	var wg sync.WaitGroup
	for part := range slices.Chunk(golden.Grid, 330) {
		wg.Go(func() {
			for _, g := range part {
				b, r, err := Optimal(g[1], int(g[0]), g[2], g[3])
				if err != nil || b != int(g[4]) || r != int(g[5]) {
					t.Errorf("%v: %d x %d, %v", g, b, r, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestForRecallIsTheCheapest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := rapid.Float64Range(0.3, 1).Draw(rt, "similarity")
		recall := rapid.Float64Range(0.5, 0.999).Draw(rt, "recall")
		n := rapid.IntRange(1, 256).Draw(rt, "slots")
		b, r, err := ForRecall(s, recall, n)
		reaches := func(b, r int) bool { return b*r <= n && Probability(s, b, r) >= recall }
		if err == nil && !reaches(b, r) {
			rt.Fatalf("%d x %d gives %v", b, r, Probability(s, b, r))
		}
		if err == nil && b > 1 && reaches(b-1, r) {
			rt.Fatalf("%d bands of %d are enough", b-1, r)
		}
		for rows := n; rows > 0 && (err != nil || rows > r); rows-- {
			if reaches(n/rows, rows) {
				rt.Fatalf("%d x %d: %v; but %d x %d reaches it", b, r, err, n/rows, rows)
			}
		}
	})
}

// Candidates are exactly the rows that agree in a whole band, after any inserts
// and removals, on every store.
func TestBandingIsTheDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		b, rows := rapid.IntRange(1, 6).Draw(rt, "b"), rapid.IntRange(1, 4).Draw(rt, "r")
		size := b*rows + rapid.IntRange(0, 3).Draw(rt, "rest")
		all := random(r, rapid.IntRange(1, 40).Draw(rt, "n"), size, 3)
		x, err := NewBanding(params(size), b, rows, NewMemStore())
		if err != nil {
			rt.Fatal(err)
		}
		there := map[uint32]bool{}
		for i, s := range all {
			if err := x.Insert(uint32(i), s); err != nil {
				rt.Fatal(err)
			}
			there[uint32(i)] = true
			if r.IntN(3) == 0 {
				gone := uint32(r.IntN(i + 1))
				if err := x.Remove(gone, all[gone]); err != nil {
					rt.Fatal(err)
				}
				delete(there, gone)
			}
		}
		q := random(r, 1, size, 3)[0]
		var want []uint32
		for i := range all {
			meets := false
			for band := range b {
				meets = meets || slices.Equal(q.values[band*rows:(band+1)*rows], all[i].values[band*rows:(band+1)*rows])
			}
			if meets && there[uint32(i)] {
				want = append(want, uint32(i))
			}
		}
		got, err := x.Candidates(nil, q)
		if err != nil || !slices.Equal(got, want) {
			rt.Fatalf("%v, want %v; %v", got, want, err)
		}
	})
}

func TestBandingRefuses(t *testing.T) {
	if _, err := NewBanding(params(10), 4, 3, NewMemStore()); err == nil {
		t.Error("12 rows of 10 slots")
	}
	if _, err := NewBanding(sketch.Params{Family: sketch.BottomK, Size: 10}, 2, 2, NewMemStore()); err == nil {
		t.Error("bands of a hash set")
	}
	bins := params(10)
	bins.Family, bins.Hash.Permutation = sketch.OPH, ""
	if _, err := NewBanding(bins, 2, 2, NewMemStore()); err == nil {
		t.Error("bands of bins that may be empty")
	}
	bins.Densify = sketch.Optimal
	if _, err := NewBanding(bins, 2, 2, NewMemStore()); err != nil {
		t.Error(err)
	}
	x, err := NewBanding(params(4), 2, 2, NewMemStore())
	if err != nil {
		t.Fatal(err)
	}
	other := signature(1, 2, 3, 4)
	other.p.Hash.Seed = 2
	if err := x.Insert(0, other); !errors.Is(err, sketch.ErrIncompatible) {
		t.Errorf("another seed: %v", err)
	}
	if err := x.Insert(1<<31, signature(1, 2, 3, 4)); err == nil {
		t.Error("a row above 2^31-1")
	}
	empty := signature(math.MaxUint32, math.MaxUint32, math.MaxUint32, math.MaxUint32)
	if err := x.Insert(0, empty); !errors.Is(err, ErrEmpty) {
		t.Errorf("an empty set: %v", err)
	}
	if got, err := x.Candidates(nil, empty); err != nil || len(got) > 0 {
		t.Errorf("candidates of an empty set: %v, %v", got, err)
	}
}

func TestHotBucketsBecomeStars(t *testing.T) {
	x, err := NewBanding(params(2), 2, 1, NewMemStore())
	if err != nil {
		t.Fatal(err)
	}
	x.Cap(3)
	for i := range uint32(10) {
		if err := x.Insert(i+5, signature(7, uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	got, err := x.Candidates(nil, signature(7, 4))
	if err != nil || !slices.Equal(got, []uint32{5, 9}) {
		t.Errorf("%v, %v", got, err)
	}
	if hot := x.Hot(); len(hot) != 1 || hot[0].Members != 10 || hot[0].Key.Band != 0 {
		t.Errorf("%v", hot)
	}
}

func TestMergeOfIndexes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	all := random(r, 60, 6, 3)
	whole, _ := NewBanding(params(6), 3, 2, NewMemStore())
	a, _ := NewBanding(params(6), 3, 2, NewMemStore())
	b, _ := NewBanding(params(6), 3, 2, NewMemStore())
	for i, s := range all {
		part := a
		if i%2 == 1 {
			part = b
		}
		for _, x := range []*Banding{whole, part} {
			if err := x.Insert(uint32(i), s); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := a.Merge(b); err != nil {
		t.Fatal(err)
	}
	for _, q := range random(r, 30, 6, 3) {
		want, _ := whole.Candidates(nil, q)
		if got, err := a.Candidates(nil, q); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v, want %v; %v", got, want, err)
		}
	}
	c, _ := NewBanding(params(6), 2, 3, NewMemStore())
	if err := a.Merge(c); !errors.Is(err, sketch.ErrIncompatible) {
		t.Error(err)
	}
}

// TestStore is the contract of Store, for every implementation.
func TestStore(t *testing.T) {
	for name, s := range map[string]Store{"memory": NewMemStore()} {
		t.Run(name, func(t *testing.T) {
			k := []Key{{0, 5}, {1, 5}, {0, 6}}
			check := func(keys []Key, want ...uint32) {
				t.Helper()
				got, err := s.Get(nil, keys)
				slices.Sort(got)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%v, want %v; %v", got, want, err)
				}
			}
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			check(k)
			must(s.Put(k, []uint32{1, 2, 3}))
			must(s.Put(k[:1], []uint32{4}))
			must(s.Put(k[:1], []uint32{4}))
			check(k[:1], 1, 4)
			check(k, 1, 2, 3, 4)
			present, err := s.PutIfAbsent(k[1:], 9)
			must(err)
			if !slices.Equal(present, []uint32{2, 3}) {
				t.Errorf("present: %v", present)
			}
			check(k[1:], 2, 3)
			fresh := []Key{{7, 1}, {8, 1}}
			present, err = s.PutIfAbsent(fresh, 9)
			must(err)
			if len(present) > 0 {
				t.Errorf("present: %v", present)
			}
			check(fresh, 9, 9)
			must(s.Delete(k, []uint32{1, 2, 77}))
			check(k, 3, 4)
			must(s.Delete(k[:1], []uint32{4}))
			check(k[:1])
			must(s.Put(k[:1], []uint32{4}))
			check(k[:1], 4)
		})
	}
}

func TestForest(t *testing.T) {
	f, err := NewForest(params(6), 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range []slots{signature(1, 2, 3, 4, 5, 6), signature(1, 2, 9, 9, 9, 9), signature(9, 9, 9, 4, 5, 6), signature(8, 8, 8, 8, 8, 8)} {
		if err := f.Insert(uint32(i), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Insert(0, signature(1, 1, 1, 1, 1, 1)); err == nil {
		t.Error("a row twice")
	}
	f.Index()
	q := signature(1, 2, 3, 4, 5, 6)
	hits, err := f.TopK(q, 2, 4, 0.95)
	if err != nil || len(hits) != 2 || hits[0].Row != 0 || hits[0].Similarity != 1 || hits[1].Row != 2 || hits[1].Similarity != 0.5 {
		t.Errorf("%v, %v", hits, err)
	}
	rows, err := f.Nearest(q, 10)
	if err != nil || !slices.Equal(rows, []uint32{0, 2, 1}) {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestEnsembleIsDatasketchs(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "golden", "datasketch", "lshensemble.json"))
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Params []struct {
			Threshold float64      `json:"threshold"`
			Slots     int          `json:"num_perm"`
			MaxRows   int          `json:"m"`
			Rows      [][3]float64 `json:"rows"`
		} `json:"optimal_param"`
		Partitions []struct {
			Sizes, Counts []int
			Parts         int      `json:"num_part"`
			Want          [][2]int `json:"partitions"`
		} `json:"optimal_partitions"`
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden.Params) == 0 || len(golden.Partitions) == 0 {
		t.Fatal("nothing in it")
	}
	for _, g := range golden.Params {
		for i, c := range choices(g.Threshold, g.Slots, g.MaxRows, 0.5, 0.5) {
			if w := g.Rows[i]; math.Abs(c.ratio-w[0]) > 1e-9*w[0] || c.b != int(w[1]) || c.r != int(w[2]) {
				t.Errorf("threshold %v, %d slots, ratio %v: %d x %d, want %v", g.Threshold, g.Slots, c.ratio, c.b, c.r, w)
			}
		}
	}
	for _, g := range golden.Partitions {
		counts := map[int]int{}
		for i, s := range g.Sizes {
			counts[s] = g.Counts[i]
		}
		got := partitions(counts, g.Parts)
		if len(g.Want) > 3 && g.Parts < len(g.Sizes) {
			// datasketch 2.0 follows the wrong row of its table back from the
			// fourth partition on; its partitions are not the cheapest.
			if a, b := partitionCost(counts, got), partitionCost(counts, g.Want); len(got) != len(g.Want) || a >= b {
				t.Errorf("%v in %d: cost %v, datasketch's is %v", g.Sizes, g.Parts, a, b)
			}
		} else if !slices.Equal(got, g.Want) {
			t.Errorf("%v in %d: %v, want %v", g.Sizes, g.Parts, got, g.Want)
		}
	}
}

// partitionCost is the expected number of false positives, from the definition.
func partitionCost(counts map[int]int, parts [][2]int) (sum float64) {
	for _, p := range parts {
		for size, n := range counts {
			if size >= p[0] && size <= p[1] {
				sum += float64(n) * float64(p[1]-size) / float64(p[1])
			}
		}
	}
	return sum
}

func TestEnsembleFindsItself(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var sets []SizedSet
	for i, s := range random(r, 50, 64, 1000) {
		sets = append(sets, SizedSet{uint32(i), 1 + r.IntN(500), s})
	}
	e, err := NewEnsemble(params(64), sets, 0.5, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sets {
		got, err := e.Query(s.Signature, s.Size)
		if err != nil || !slices.Contains(got, s.Row) {
			t.Fatalf("row %d of size %d: %v, %v", s.Row, s.Size, got, err)
		}
	}
	if _, err := e.Query(sets[0].Signature, 0); err == nil {
		t.Error("a query of size 0")
	}
}

func BenchmarkBanding(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	all := random(r, 10000, 100, 1<<30)
	b.Run("insert", func(b *testing.B) {
		b.ReportAllocs()
		x, _ := NewBanding(params(100), 20, 5, NewMemStore())
		i := 0
		for b.Loop() {
			if err := x.Insert(uint32(i), all[i%len(all)]); err != nil {
				b.Fatal(err)
			}
			i++
		}
	})
	b.Run("query", func(b *testing.B) {
		x, _ := NewBanding(params(100), 20, 5, NewMemStore())
		for i, s := range all {
			if err := x.Insert(uint32(i), s); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportAllocs()
		var dst []uint32
		i := 0
		for b.Loop() {
			dst, _ = x.Candidates(dst[:0], all[i%len(all)])
			i++
		}
	})
}
