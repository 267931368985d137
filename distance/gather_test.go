// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/sketch"
)

// plainGather is the greedy rule as a sentence: maps, nothing kept between
// steps.
func plainGather(query []uint64, refs [][]uint64, least int) (chosen []int, unique []int) {
	left, whole := map[uint64]bool{}, map[uint64]bool{}
	for _, h := range query {
		left[h], whole[h] = true, true
	}
	count := func(ref []uint64, in map[uint64]bool) (n int) {
		for _, h := range ref {
			if in[h] {
				n++
			}
		}
		return n
	}
	for {
		best, most := -1, 0
		for i, r := range refs {
			if count(r, whole) < max(1, least) {
				continue
			}
			if n := count(r, left); n > most {
				best, most = i, n
			}
		}
		if best < 0 || most < least {
			return chosen, unique
		}
		for _, h := range refs[best] {
			delete(left, h)
		}
		chosen, unique = append(chosen, best), append(unique, most)
	}
}

func TestGatherIsTheGreedyRule(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		query := subset(r, 150)
		counts := make([]uint64, len(query))
		var total uint64
		for i := range counts {
			counts[i] = uint64(1 + r.IntN(9))
			total += counts[i]
		}
		var refs []sketch.Abundant
		var plain [][]uint64
		for range rapid.IntRange(0, 8).Draw(rt, "references") {
			hs := subset(r, rapid.IntRange(0, 200).Draw(rt, "range"))
			refs, plain = append(refs, fracOf(t, hs, nil)), append(plain, hs)
		}
		least := rapid.IntRange(0, 30).Draw(rt, "least")
		chosen, unique := plainGather(query, plain, least)
		got, err := Gather(fracOf(t, query, counts), refs, float64(least))
		if err != nil {
			rt.Fatal(err)
		}
		if len(got) != len(chosen) {
			rt.Fatalf("%d references, want %d", len(got), len(chosen))
		}
		left, weight := len(query), uint64(0)
		for i, c := range got {
			left -= unique[i]
			weight += c.Weight
			if c.Reference != chosen[i] || c.Unique != uint64(unique[i]) || c.Remaining != uint64(left) || c.WeightSoFar != weight || c.TotalWeight != total {
				rt.Fatalf("step %d: %+v; want reference %d with %d hashes, %d left", i, c, chosen[i], unique[i], left)
			}
		}
	})
}

func TestGatherMoments(t *testing.T) {
	ref := fracOf(t, []uint64{1, 2, 3, 4}, nil)
	got, err := Gather(fracOf(t, []uint64{1, 2, 3, 4, 5}, []uint64{1, 3, 3, 5, 100}), []sketch.Abundant{ref}, 0)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	c := got[0] // of 1, 3, 3, 5: mean 3, median 3, variance (4+0+0+4)/4 = 2
	if c.Mean != 3 || c.Median != 3 || math.Abs(c.Deviation-math.Sqrt2) > 1e-15 || c.Weight != 12 || c.TotalWeight != 112 {
		t.Errorf("%+v", c)
	}
}

// A reference with a larger scaled brings the query to it.
func TestGatherRaisesScaled(t *testing.T) {
	top := sketch.MaxHash(4)
	query := fracOf(t, []uint64{1, 2, top, top + 1, top + 2}, nil)
	p := query.Params()
	p.Scaled = 4
	coarse, err := sketch.NewSet(p, []uint64{1, 2, top}, nil, top)
	if err != nil {
		t.Fatal(err)
	}
	fine := fracOf(t, []uint64{top + 1, top + 2}, nil)
	got, err := Gather(query, []sketch.Abundant{fine, coarse}, 0)
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	if c := got[0]; c.Reference != 1 || c.Scaled != 4 || c.Query != 3 || c.Unique != 3 || c.Remaining != 0 {
		t.Errorf("%+v", c)
	}
	bottom := query.Params()
	bottom.Family, bottom.Scaled, bottom.Size = sketch.BottomK, 0, 5
	s, err := sketch.NewSet(bottom, slices.Clone(query.Hashes()), nil, math.MaxUint64)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Gather(s, []sketch.Abundant{s}, 0); err == nil {
		t.Error("bottom-k sketches were taken")
	}
}
