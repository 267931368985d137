// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/minhash"
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

func bbitOf(t testing.TB) sketch.Sketch {
	t.Helper()
	s, err := minhash.New(slotParams, []uint64{1, 0, 255, 17})
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
		{Meta: sketch.Meta{ID: "slots"}, Sketch: bbitOf(t)},
		{Meta: sketch.Meta{ID: "big", Count: 1}, Sketch: fracOf(t, big, ascending(r, 2*maxPart+3, max10), r)},
		{Meta: sketch.Meta{ID: "last"}, Sketch: bottomkOf(t, bottom, ascending(r, 500, math.MaxUint32))},
	}
}

var slotParams = sketch.Params{Family: sketch.BBit, Elements: sketch.DNAElements(21), Size: 4, Bits: 8,
	Hash: sketch.Hash{Algorithm: "murmur3x64", Bits: 64, Seed: 42, Permutation: sketch.Affine32}}

func encode(t testing.TB, o Options, items []sketch.Item) []byte {
	t.Helper()
	return encodeGroups(t, o, items, groupBytes)
}

// encodeGroups is encode with row groups of about limit bytes.
func encodeGroups(t testing.TB, o Options, items []sketch.Item, limit int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, o)
	w.groupLimit = limit
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

// manyGroups are sketches for several small row groups: unweighted and weighted
// ones, empty ones among them, and some whose parts lie in two groups.
func manyGroups(t testing.TB) []sketch.Item {
	r := rand.New(rand.NewPCG(11, 12))
	big := bottom
	big.Size = 3 * maxPart
	max10 := sketch.MaxHash(10)
	var items []sketch.Item
	for i := range 10 {
		items = append(items, sketch.Item{Meta: sketch.Meta{ID: string(rune('A' + i))}, Sketch: bottomkOf(t, bottom, ascending(r, 1000-i, math.MaxUint64))})
		switch i % 5 {
		case 1:
			items = append(items, sketch.Item{Sketch: bottomkOf(t, bottom, nil)}, sketch.Item{Sketch: fracOf(t, frac, nil, r)})
		case 3:
			items = append(items, sketch.Item{Sketch: fracOf(t, frac, ascending(r, 5000, max10), r)},
				sketch.Item{Meta: sketch.Meta{ID: "parts"}, Sketch: bottomkOf(t, big, ascending(r, 2*maxPart+i, math.MaxUint64))})
		}
	}
	return items
}

// digestsOf returns the digest column.
func digestsOf(t testing.TB, b []byte) [][digestSize]byte {
	t.Helper()
	in := bytes.NewReader(b)
	f, err := readFooter(in, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]row, f.rows)
	for i := range f.groups {
		if err := readSmall(&pageReader{r: in}, &f.groups[i], rows); err != nil {
			t.Fatal(err)
		}
	}
	sums := make([][digestSize]byte, len(rows))
	for i := range rows {
		sums[i] = rows[i].digest
	}
	return sums
}

// TestGroups: tables of several row groups, read by any number of threads.
func TestGroups(t *testing.T) {
	items := manyGroups(t)
	b := encodeGroups(t, Options{}, items, 1<<20)
	f, err := readFooter(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.groups) < 3 {
		t.Fatalf("%d row groups", len(f.groups))
	}
	for _, threads := range []int{1, 2, 5} {
		f, err := decode(b, ReadOptions{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		sameItems(t, f, items, 0)
	}
	sameEach(t, b, items, 0)
	small, err := decode(b, ReadOptions{SmallColumns: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(small.Entries()) != len(items) || small.Collections() != nil {
		t.Errorf("%d entries and %d collections of the small columns", len(small.Entries()), len(small.Collections()))
	}
}

// TestSameBytes: two tables of the same sketches are the same, whatever the
// slices the hashes lie in.
func TestSameBytes(t *testing.T) {
	o := Options{CreatedBy: "x", RowBase: 3}
	first := encode(t, o, mixed(t))
	for range 3 {
		if !bytes.Equal(first, encode(t, o, mixed(t))) {
			t.Fatal("bytes differ")
		}
	}
	f, err := decode(first, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var again []sketch.Item // Meta.Row is set, and ignored
	for i, e := range f.Entries() {
		again = append(again, sketch.Item{Meta: e.Meta, Sketch: sketchOf(t, f, int64(i)+3)})
	}
	if !bytes.Equal(first, encode(t, o, again)) {
		t.Error("bytes differ when written from what was read")
	}
}

func sketchOf(t *testing.T, f *File, row int64) sketch.Sketch {
	t.Helper()
	for _, c := range f.Collections() {
		for i := range c.Len() {
			if c.Meta(i).Row == row {
				return c.At(i)
			}
		}
	}
	t.Fatalf("no row %d", row)
	return nil
}

// opaque is a sketch that is neither a set nor a signature.
type opaque struct{ family string }

func (o opaque) Params() sketch.Params {
	return sketch.Params{Family: o.family, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: 1}
}
func (opaque) Len() int { return 1 }

// slots is a signature of whatever its fields say.
type slots struct {
	params sketch.Params
	values []uint64
}

func (s *slots) Params() sketch.Params             { return s.params }
func (s *slots) Len() int                          { return s.params.Size }
func (s *slots) Stride() int                       { return s.params.Stride() }
func (s *slots) AppendSlots(dst []uint64) []uint64 { return append(dst, s.values...) }

// TestUnwritable: sketches that a table cannot hold.
func TestUnwritable(t *testing.T) {
	ok := bottomkOf(t, bottom, []uint64{1})
	foreign := sketch.Params{Family: "roaring", Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: 1}
	set, err := sketch.NewSet(foreign, []uint64{1}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	misspelt := foreign
	misspelt.Family = "a;b"
	for name, s := range map[string]sketch.Sketch{
		`family "wavelet"`: opaque{"wavelet"},
		`family "roaring"`: set,
		`family "bottomk"`: &slots{params: bottom, values: []uint64{1}},
		`1 values for 4`:   &slots{params: slotParams, values: []uint64{1}},
		`wider than 8`:     &slots{params: slotParams, values: []uint64{1, 2, 256, 3}},
		`a;b`:              &slots{params: misspelt, values: []uint64{1}},
	} {
		var b bytes.Buffer
		w := NewWriter(&b, Options{})
		err := w.Write(sketch.Item{Meta: sketch.Meta{ID: "x"}, Sketch: s})
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "x: ") {
			t.Errorf("%s: %v", name, err)
		}
		// the sketch is not in the table, and the table is none the worse
		if err := w.Write(sketch.Item{Sketch: ok}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := decode(b.Bytes(), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		sameItems(t, f, []sketch.Item{{Sketch: ok}}, 0)
	}
}

func TestClosed(t *testing.T) {
	w := NewWriter(&bytes.Buffer{}, Options{})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(sketch.Item{Sketch: bottomkOf(t, bottom, nil)}); err == nil {
		t.Error("wrote to a closed table")
	}
	if err := w.Close(); err == nil {
		t.Error("closed twice")
	}
	w = NewWriter(&bytes.Buffer{}, Options{RowBase: -1})
	if err := w.Write(sketch.Item{Sketch: bottomkOf(t, bottom, nil)}); err == nil {
		t.Error("negative key")
	}
}

// TestWriterMemory: a Writer holds about a row group, whatever the size of the
// table.
func TestWriterMemory(t *testing.T) {
	item := sketch.Item{Sketch: bottomkOf(t, bottom, ascending(rand.New(rand.NewPCG(1, 1)), 1000, math.MaxUint64))}
	live := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	base, most := live(), uint64(0)
	w := NewWriter(io.Discard, Options{})
	for i := range 4 * groupBytes / 8000 {
		if err := w.Write(item); err != nil {
			t.Fatal(err)
		}
		if i%1000 == 999 {
			most = max(most, live())
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if most > base+groupBytes*3/2 {
		t.Errorf("%d MB held for row groups of %d MB", (most-base)>>20, groupBytes>>20)
	}
	t.Logf("%d MB held at most", (most-base)>>20)
}
