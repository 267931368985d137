// SPDX-License-Identifier: Apache-2.0

package bottomk

import (
	"fmt"
	"math"
	"testing"

	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

func params(s int, weighted bool) sketch.Params {
	return sketch.Params{Family: sketch.BottomK, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: s, Weighted: weighted}
}

func any64(uint64) bool { return true }

func TestBuilder(t *testing.T) {
	for _, s := range []int{1, 10, 400, 100000} {
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			sketchtest.Run(t,
				func() sketch.Builder { return NewBuilder(params(s, false)) },
				func(h []uint64) sketchtest.Values { return sketchtest.Select(h, 1, s, false, any64) })
		})
	}
}

func TestCounter(t *testing.T) {
	for _, s := range []int{1, 10, 400} {
		for _, copies := range []uint64{0, 1, 2, 3} {
			for _, memory := range []int64{0, 4096} {
				t.Run(fmt.Sprintf("s=%d/copies=%d/memory=%d", s, copies, memory), func(t *testing.T) {
					how := sketch.Counting{MinCopies: copies, Memory: memory, Dir: t.TempDir()}
					sketchtest.Run(t,
						func() sketch.Builder { return NewCounter(params(s, true), how) },
						func(h []uint64) sketchtest.Values { return sketchtest.Select(h, copies, s, true, any64) })
				})
			}
		}
	}
}

// The bound that a Builder starts from by guess must be seen to be too low.
func TestStartTooLowIsNoticed(t *testing.T) {
	b := NewBuilder(params(3, false))
	b.Start(100, 10)
	if err := b.AddHashes([]uint64{5, 50, 500, 5000}); err != nil {
		t.Fatal(err)
	}
	if b.Full() {
		t.Fatal("two hashes are not three")
	}
}

func TestMergeRefusesOtherParameters(t *testing.T) {
	b := NewBuilder(params(3, false))
	for _, o := range []sketch.Builder{NewBuilder(params(4, false)), NewCounter(params(3, true), sketch.Counting{})} {
		if err := b.Merge(o); err != sketch.ErrIncompatible {
			t.Errorf("%v", err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	p32 := params(3, false)
	p32.Hash.Bits = 32
	for name, c := range map[string]struct {
		p              sketch.Params
		hashes, counts []uint64
	}{
		"a size of 0":        {params(0, false), nil, nil},
		"more than s":        {params(2, false), []uint64{1, 2, 3}, nil},
		"descending":         {params(3, false), []uint64{2, 1}, nil},
		"repeated":           {params(3, false), []uint64{2, 2}, nil},
		"wider than 32 bits": {p32, []uint64{1 << 32}, nil},
		"no counts":          {params(3, true), []uint64{1}, nil},
		"too few counts":     {params(3, true), []uint64{1, 2}, []uint64{1}},
		"a count of zero":    {params(3, true), []uint64{1, 2}, []uint64{1, 0}},
		"unwanted counts":    {params(3, false), []uint64{1}, []uint64{1}},
		"another family":     {sketch.Params{Family: sketch.FracMinHash, Scaled: 1}, nil, nil},
	} {
		if _, err := New(c.p, c.hashes, c.counts); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestBound(t *testing.T) {
	for _, c := range []struct {
		hashes []uint64
		bound  uint64
	}{{nil, math.MaxUint64}, {[]uint64{1, 2}, math.MaxUint64}, {[]uint64{1, 2, 9}, 9}} {
		s, err := New(params(3, false), c.hashes, nil)
		if err != nil || s.Bound() != c.bound {
			t.Errorf("%v: bound %d, %v; want %d", c.hashes, s.Bound(), err, c.bound)
		}
	}
}

func TestReduceEqualsSmallerSketch(t *testing.T) {
	big, err := New(params(5, true), []uint64{1, 3, 5, 7, 9}, []uint64{1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	small, err := Reduce(big, 2)
	if err != nil || small.Len() != 2 || small.Params().Size != 2 || small.Abundances()[1] != 2 || small.Bound() != 3 {
		t.Fatalf("%+v, %v", small, err)
	}
}

// A sketch size far above the number of hashes must not reserve memory.
func TestHugeSizeCostsNothing(t *testing.T) {
	got := testing.AllocsPerRun(10, func() {
		b := NewBuilder(params(10_000_000, false))
		b.AddHashes([]uint64{1, 2, 3})
		if cap(b.buf) > 100 {
			t.Fatalf("reserved %d hashes", cap(b.buf))
		}
	})
	if got > 10 {
		t.Fatalf("%v allocations", got)
	}
}
