// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"

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
