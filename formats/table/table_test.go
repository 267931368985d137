// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

var (
	bottom = sketch.Params{Family: sketch.BottomK, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: 1000}
	frac   = sketch.Params{Family: sketch.FracMinHash, Elements: sketch.DNAElements(31), Hash: sketch.Murmur3(64, 42), Scaled: 10, Weighted: true}
)

// ascending returns n distinct values up to bound, ascending.
func ascending(r *rand.Rand, n int, bound uint64) []uint64 {
	v := make([]uint64, n)
	step := bound/uint64(max(n, 1)) - 1
	last := uint64(0)
	for i := range v {
		last += 1 + r.Uint64N(step)
		v[i] = last
	}
	return v
}

func bottomkOf(t testing.TB, p sketch.Params, hashes []uint64) sketch.Sketch {
	t.Helper()
	s, err := bottomk.New(p, hashes, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fracOf(t testing.TB, p sketch.Params, hashes []uint64, r *rand.Rand) sketch.Sketch {
	t.Helper()
	counts := make([]uint64, len(hashes))
	for i := range counts {
		counts[i] = 1 + r.Uint64()>>r.UintN(63)
	}
	s, err := fracminhash.New(p, hashes, counts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mixed holds what a table can hold: both families, abundances, empty sketches
// and names, hashes above 2^63, a signature, a sketch of several parts.
func mixed(t testing.TB) []sketch.Item {
	r := rand.New(rand.NewPCG(1, 2))
	oneHash := bottom
	oneHash.Size = 1
	big := frac
	big.Elements.K = 51
	max10 := sketch.MaxHash(10)
	return []sketch.Item{
		{Meta: sketch.Meta{ID: "a", Source: "a.fa", Comment: "first", Length: 5000, Records: 2, Count: 4980},
			Sketch: bottomkOf(t, bottom, ascending(r, 1000, math.MaxUint64))},
		{Meta: sketch.Meta{Source: "-", Length: math.MaxUint64, LengthEstimated: true},
			Sketch: bottomkOf(t, bottom, nil)},
		{Meta: sketch.Meta{ID: "a", PerRecord: true, Comment: "ünïcode \x00 and a tab\t"},
			Sketch: fracOf(t, frac, ascending(r, 77, max10), r)},
		{Sketch: fracOf(t, frac, nil, r)},
		{Meta: sketch.Meta{ID: "one"}, Sketch: bottomkOf(t, oneHash, []uint64{math.MaxUint64})},
		{Meta: sketch.Meta{ID: "slots"}, Sketch: &slots{params: slotParams, values: []uint64{1, 0, 255, 17}, stride: 1}},
		{Meta: sketch.Meta{ID: "big", Count: 1}, Sketch: fracOf(t, big, ascending(r, 2*maxPart+3, max10), r)},
		{Meta: sketch.Meta{ID: "last"}, Sketch: bottomkOf(t, bottom, ascending(r, 500, math.MaxUint32))},
	}
}

var slotParams = sketch.Params{Family: "bbit", Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: 4, Bits: 8}

func encode(t testing.TB, o Options, items []sketch.Item) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, o)
	for _, it := range items {
		if err := w.Write(it); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decode(b []byte, o ReadOptions) (*File, error) {
	return Open(bytes.NewReader(b), int64(len(b)), "x.parquet", o)
}

// sameItems compares what was read with what was written, keys from base on.
func sameItems(t *testing.T, f *File, items []sketch.Item, base int64) {
	t.Helper()
	if len(f.Entries()) != len(items) {
		t.Fatalf("%d entries, want %d", len(f.Entries()), len(items))
	}
	var want []sketch.Item
	for i, it := range items {
		it.Meta.Row = base + int64(i)
		if e := f.Entries()[i]; e.Meta != it.Meta || e.Params != it.Sketch.Params() {
			t.Errorf("entry %d is %+v, want %+v", i, e, it.Meta)
		}
		want = append(want, it)
	}
	groups := sketch.Group(want)
	if len(f.Collections()) != len(groups) {
		t.Fatalf("%d collections, want %d", len(f.Collections()), len(groups))
	}
	for i, g := range groups {
		c := f.Collections()[i]
		if c.Params() != g.Params() || c.Len() != g.Len() {
			t.Fatalf("collection %d: %d of %s, want %d of %s", i, c.Len(), c.Params(), g.Len(), g.Params())
		}
		for j := range g.Len() {
			if c.Meta(j) != g.Meta(j) {
				t.Errorf("collection %d, %d: %+v, want %+v", i, j, c.Meta(j), g.Meta(j))
			}
			sameSketch(t, c.At(j), g.At(j))
		}
	}
}

func sameSketch(t *testing.T, got, want sketch.Sketch) {
	t.Helper()
	switch want := want.(type) {
	case sketch.Abundant:
		g, ok := got.(sketch.Abundant)
		if !ok || !slices.Equal(g.Hashes(), want.Hashes()) || !slices.Equal(g.Abundances(), want.Abundances()) || g.Bound() != want.Bound() {
			t.Errorf("%T of %d differs from %T of %d", got, got.Len(), want, want.Len())
		}
	case sketch.Signature:
		g, ok := got.(sketch.Signature)
		if !ok || g.Len() != want.Len() || g.Stride() != want.Stride() || !slices.Equal(g.AppendSlots(nil), want.AppendSlots(nil)) {
			t.Errorf("signatures differ: %v, %v", got, want)
		}
	default:
		t.Fatalf("%T", want)
	}
}

func TestRoundTrip(t *testing.T) {
	items := mixed(t)
	b := encode(t, Options{RowBase: 1 << 40, CreatedBy: "test 1"}, items)
	for _, threads := range []int{0, 1, 3} {
		f, err := decode(b, ReadOptions{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		sameItems(t, f, items, 1<<40)
		if f.RowBase() != 1<<40 || f.CreatedBy() != "test 1" {
			t.Errorf("row base %d, created by %q", f.RowBase(), f.CreatedBy())
		}
	}
}

func TestNoSketches(t *testing.T) {
	f, err := decode(encode(t, Options{}, nil), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sameItems(t, f, nil, 0)
}
