// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/simhash"
	"github.com/gsketch/gsketch/sketch"
)

// The n cheapest of all ways there are, none twice.
func TestCheapestProbes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := make([]Alternative, rapid.IntRange(0, 7).Draw(rt, "alternatives"))
		for i := range list {
			list[i] = Alternative{rapid.IntRange(0, 3).Draw(rt, "slot"), []uint64{uint64(i)}, float64(rapid.IntRange(0, 9).Draw(rt, "cost"))}
		}
		var all []float64
		for chosen := 1; chosen < 1<<len(list); chosen++ {
			cost, slots := 0.0, map[int]bool{}
			once := true
			for i, a := range list {
				if chosen>>i&1 == 1 {
					once = once && !slots[a.Slot]
					slots[a.Slot] = true
					cost += a.Cost
				}
			}
			if once {
				all = append(all, cost)
			}
		}
		slices.Sort(all)
		n := rapid.IntRange(0, 200).Draw(rt, "n")
		var got []float64
		seen := map[string]bool{}
		for _, set := range cheapest(slices.Clone(list), n) {
			cost, values := 0.0, []uint64{}
			for _, a := range set {
				cost += a.Cost
				values = append(values, a.Value[0])
			}
			slices.Sort(values)
			got = append(got, cost)
			seen[fmt.Sprint(values)] = true
		}
		if want := all[:min(n, len(all))]; !slices.Equal(got, want) || len(seen) != len(got) {
			rt.Fatalf("costs %v of %d different ways, want %v", got, len(seen), want)
		}
	})
}

func TestProbe(t *testing.T) {
	x, err := NewBanding(params(5), 2, 2, NewMemStore())
	if err != nil {
		t.Fatal(err)
	}
	for row, s := range []slots{signature(1, 9, 0, 0, 0), signature(1, 2, 0, 0, 0), signature(8, 9, 0, 0, 0), signature(0, 0, 3, 7, 0), signature(1, 0, 0, 4, 0)} {
		if err := x.Insert(uint32(row), s); err != nil {
			t.Fatal(err)
		}
	}
	query := signature(1, 2, 3, 4, 5)
	others := SecondMinima([]uint64{8, 9, math.MaxUint64, 7, 6}) // that of slot 4 is in no band
	// Of equal costs the first slot goes first: (8, 2) and (3, 7), then (1, 9), then (8, 9).
	for n, want := range [][]uint32{{1}, {1, 3}, {0, 1, 3}, {0, 1, 2, 3}} {
		if got, err := x.Probe(nil, query, others, n); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d probes: %v, %v; want %v", n, got, err, want)
		}
	}
	for _, bad := range []Alternative{{-1, []uint64{1}, 1}, {5, []uint64{1}, 1}, {0, nil, 1}, {0, []uint64{1}, -1}, {0, []uint64{1}, math.NaN()}} {
		if _, err := x.Probe(nil, query, []Alternative{bad}, 1); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	if _, err := x.Probe(nil, query, nil, -1); err == nil {
		t.Error("-1 probes")
	}
	empty := signature(math.MaxUint32, 0, 0, 0, 0)
	if got, err := x.Probe(nil, empty, others, 3); err != nil || len(got) > 0 {
		t.Errorf("probes of an empty set: %v, %v", got, err)
	}
}

// pair returns random sets of n hashes each, of which shared are in both.
func pair(r *rand.Rand, n, shared int) (a, b []uint64) {
	for range shared {
		a = append(a, r.Uint64())
	}
	b = slices.Clone(a)
	for len(a) < n {
		a, b = append(a, r.Uint64()), append(b, r.Uint64())
	}
	return a, b
}

// Pairs of one Jaccard index become candidates as often as ProbedProbability
// says, and without probes as often as Probability says.
func TestProbedRecall(t *testing.T) {
	const pairs, n, shared, bands, rows = 4000, 60, 36, 4, 4
	j := float64(shared) / (2*n - shared)
	p := params(bands * rows)
	p.Hash.Permutation = sketch.Affine64
	build, err := minhash.NewBuilder(p)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 1))
	found := map[int]int{}
	for range pairs {
		a, b := pair(r, n, shared)
		query, other := finish(t, build, a), finish(t, build, b)
		second, err := minhash.SecondMinima(p, a)
		if err != nil {
			t.Fatal(err)
		}
		x, err := NewBanding(p, bands, rows, NewMemStore())
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Insert(0, other); err != nil {
			t.Fatal(err)
		}
		for _, probes := range []int{0, rows} {
			got, err := x.Probe(nil, query, SecondMinima(second), probes)
			if err != nil {
				t.Fatal(err)
			}
			found[probes] += len(got)
		}
	}
	for probes, want := range map[int]float64{0: Probability(j, bands, rows), rows: ProbedProbability(j, (1-j)/2, bands, rows)} {
		got := float64(found[probes]) / pairs
		// 4.9 standard errors, a false alarm in a million, and 1 % since elements
		// are drawn without replacement.
		if math.Abs(got-want) > 4.9*math.Sqrt(want*(1-want)/pairs)+0.01 {
			t.Errorf("%d probes: recall %v, want %v", probes, got, want)
		}
		t.Logf("%d probes a band: recall %.3f, in theory %.3f", probes, got, want)
	}
}

// Bits of small margin are those that differ: probes of them find more than as
// many of other bits.
func TestProbedFingerprints(t *testing.T) {
	p := params(64)
	p.Family, p.Hash.Permutation = sketch.SimHash, ""
	build, err := simhash.NewBuilder(p)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 2))
	const pairs, bands, rows, probes = 600, 4, 16, 8
	var plain, nearest, farthest int
	for range pairs {
		a, b := pair(r, 100, 85)
		if err := build.AddHashes(a); err != nil {
			t.Fatal(err)
		}
		query, margins := build.FinishMargins()
		x, err := NewBanding(p, bands, rows, NewMemStore())
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Insert(0, finish(t, build, b)); err != nil {
			t.Fatal(err)
		}
		bits := FlippedBits(query, margins)
		count := func(n int) int {
			got, err := x.Probe(nil, query, bits, n)
			if err != nil {
				t.Fatal(err)
			}
			return len(got)
		}
		plain += count(0)
		nearest += count(probes)
		for i := range bits {
			bits[i].Cost = 1 / (1 + bits[i].Cost)
		}
		farthest += count(probes)
	}
	t.Logf("of %d pairs %d without probes, %d with those of small margin, %d with those of large margin", pairs, plain, nearest, farthest)
	if !(plain <= farthest && float64(nearest) > 1.5*float64(farthest)) {
		t.Errorf("%d without probes, %d with those of small margin, %d with those of large margin", plain, nearest, farthest)
	}
}

func finish(t *testing.T, b sketch.Builder, hashes []uint64) sketch.Estimable {
	t.Helper()
	if err := b.AddHashes(hashes); err != nil {
		t.Fatal(err)
	}
	s, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return s.(sketch.Estimable)
}
