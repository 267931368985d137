// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/simhash"
	"github.com/gsketch/gsketch/sketch"
	"pgregory.net/rapid"
)

// TestAnyItems: whatever is written is read again, from row groups of any size
// and by any number of threads.
func TestAnyItems(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		items := rapid.SliceOfN(rapid.Custom(anyItem), 0, 20).Draw(rt, "items")
		base := rapid.Int64Range(0, math.MaxInt64-100).Draw(rt, "base")
		limit := rapid.SampledFrom([]int{1, 2000, 1 << 20}).Draw(rt, "limit")
		b := encodeGroups(t, Options{RowBase: base, CreatedBy: rapid.String().Draw(rt, "by")}, items, limit)
		f, err := decode(b, ReadOptions{Threads: rapid.IntRange(0, 4).Draw(rt, "threads")})
		if err != nil {
			rt.Fatal(err)
		}
		sameItems(t, f, items, base)
		sameEach(t, b, items, base)
	})
}

// sameEach checks that Each yields the items.
func sameEach(t *testing.T, b []byte, items []sketch.Item, base int64) {
	t.Helper()
	n := 0
	if err := Each(bytes.NewReader(b), int64(len(b)), "x", ReadOptions{Threads: 2}, func(got sketch.Item) error {
		want := items[n].Meta
		want.Row = base + int64(n)
		if got.Meta != want {
			t.Errorf("sketch %d: %+v, want %+v", n, got.Meta, want)
		}
		sameSketch(t, got.Sketch, items[n].Sketch)
		n++
		return nil
	}); err != nil || n != len(items) {
		t.Fatalf("%d of %d sketches: %v", n, len(items), err)
	}
}

func anyItem(t *rapid.T) sketch.Item {
	m := sketch.Meta{
		ID:              rapid.String().Draw(t, "id"),
		Source:          string(rapid.SliceOf(rapid.Byte()).Draw(t, "source")), // need not be UTF-8
		Comment:         rapid.String().Draw(t, "comment"),
		Length:          rapid.Uint64().Draw(t, "length"),
		Records:         rapid.Uint64().Draw(t, "records"),
		Count:           rapid.Uint64().Draw(t, "count"),
		PerRecord:       rapid.Bool().Draw(t, "per record"),
		LengthEstimated: rapid.Bool().Draw(t, "estimated"),
	}
	p := sketch.Params{
		Elements: sketch.DNAElements(rapid.IntRange(1, 3).Draw(t, "k")),
		Hash:     sketch.Murmur3(64, 42),
		Weighted: rapid.Bool().Draw(t, "weighted"),
	}
	hashes := rapid.SliceOfNDistinct(rapid.Uint64(), 0, 60, rapid.ID[uint64]).Draw(t, "hashes")
	slices.Sort(hashes)
	var counts []uint64
	if p.Weighted {
		counts = rapid.SliceOfN(rapid.Uint64Min(1), len(hashes), len(hashes)).Draw(t, "counts")
	}
	var s sketch.Sketch
	var err error
	switch rapid.IntRange(0, 2).Draw(t, "family") {
	case 0:
		p.Family, p.Size = sketch.BottomK, 60
		s, err = bottomk.New(p, hashes, counts)
	case 1:
		p.Family, p.Scaled = sketch.FracMinHash, 1
		s, err = fracminhash.New(p, hashes, counts)
	default:
		s, err = anySignature(t, p, hashes)
	}
	if err != nil {
		t.Fatal(err)
	}
	return sketch.Item{Meta: m, Sketch: s}
}

// anySignature is a signature of a slot family, of any width of slots.
func anySignature(t *rapid.T, p sketch.Params, hashes []uint64) (sketch.Sketch, error) {
	p.Weighted = false
	p.Size = rapid.IntRange(1, 20).Draw(t, "slots")
	switch p.Family = rapid.SampledFrom([]string{sketch.KPerm, sketch.OPH, sketch.BBit, sketch.ICWS, sketch.SimHash}).Draw(t, "slots of"); p.Family {
	case sketch.KPerm:
		p.Hash.Permutation = rapid.SampledFrom([]string{sketch.Affine32, sketch.Affine64}).Draw(t, "permutation")
	case sketch.OPH:
		k := p.Size
		p.Family, p.Size = sketch.BottomK, 60
		set, err := bottomk.New(p, hashes, nil)
		if err != nil {
			return nil, err
		}
		return minhash.OPHOf(set, k, rapid.SampledFrom([]string{"", sketch.Optimal, sketch.Rotation}).Draw(t, "filled"))
	case sketch.BBit:
		p.Hash.Permutation = sketch.Affine32
		p.Bits = rapid.IntRange(1, 32).Draw(t, "bits")
	case sketch.ICWS:
		p.Weighted = true
	case sketch.SimHash:
		p.Size = 64
	}
	n := p.Size * p.Stride()
	most := uint64(math.MaxUint64-1) >> (64 - p.SlotBits()) // all bits set is an empty slot
	values := rapid.SliceOfN(rapid.Uint64Max(most), n, n).Draw(t, "values")
	if p.Family == sketch.SimHash {
		return simhash.New(p, values)
	}
	return minhash.New(p, values)
}
