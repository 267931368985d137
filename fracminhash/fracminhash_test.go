// SPDX-License-Identifier: Apache-2.0

package fracminhash

import (
	"fmt"
	"testing"

	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

func params(scaled uint64, weighted bool) sketch.Params {
	return sketch.Params{Family: sketch.FracMinHash, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Scaled: scaled, Weighted: weighted}
}

func below(scaled uint64) func(uint64) bool {
	return func(h uint64) bool { return h <= sketch.MaxHash(scaled) }
}

func TestBuilder(t *testing.T) {
	for _, scaled := range []uint64{1, 2, 10, 1000} {
		t.Run(fmt.Sprint(scaled), func(t *testing.T) {
			sketchtest.Run(t,
				func() sketch.Builder { return NewBuilder(params(scaled, false)) },
				func(h []uint64) sketchtest.Values { return sketchtest.Select(h, 1, 0, false, below(scaled)) })
		})
	}
}

func TestCounter(t *testing.T) {
	for _, copies := range []uint64{0, 1, 2, 3} {
		for _, memory := range []int64{0, 4096} {
			t.Run(fmt.Sprintf("copies=%d/memory=%d", copies, memory), func(t *testing.T) {
				how := sketch.Counting{MinCopies: copies, Memory: memory, Dir: t.TempDir()}
				sketchtest.Run(t,
					func() sketch.Builder { return NewCounter(params(2, true), how) },
					func(h []uint64) sketchtest.Values { return sketchtest.Select(h, copies, 0, true, below(2)) })
			})
		}
	}
}

func TestZeroIsDroppedAndThresholdIsIncluded(t *testing.T) {
	p := params(1000, false)
	top := sketch.MaxHash(1000)
	for _, b := range []sketch.Builder{NewBuilder(p), NewCounter(p, sketch.Counting{})} {
		if err := b.AddHashes([]uint64{0, 1, top, top + 1}); err != nil {
			t.Fatal(err)
		}
		s, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if got := sketchtest.Of(s).Hashes; len(got) != 2 || got[0] != 1 || got[1] != top {
			t.Errorf("%T: %v", b, got)
		}
	}
}

func TestDownsample(t *testing.T) {
	top := sketch.MaxHash(1000)
	set, err := New(params(10, true), []uint64{5, top, top + 1}, []uint64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	small, err := Downsample(set, 1000)
	if err != nil || small.Len() != 2 || small.Params().Scaled != 1000 || small.Abundances()[1] != 2 {
		t.Fatalf("%+v, %v", small, err)
	}
	if _, err := Downsample(small, 10); err == nil {
		t.Fatal("hashes appeared from nowhere")
	}
}
