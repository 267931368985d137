// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/sketch"
)

// fracOf is a FracMinHash sketch of hashes at scaled = 1.
func fracOf(t testing.TB, hashes []uint64, counts []uint64) *sketch.Set {
	t.Helper()
	p := sketch.Params{Family: sketch.FracMinHash, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Scaled: 1, Weighted: counts != nil}
	s, err := sketch.NewSet(p, hashes, counts, sketch.MaxHash(1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// subset draws each of 1..n with probability 1/2.
func subset(r *rand.Rand, n int) []uint64 {
	var s []uint64
	for i := range n {
		if r.IntN(2) == 0 {
			s = append(s, uint64(i+1)<<40)
		}
	}
	return s
}

// What a panel finds in a stream is what counting the stream finds, however it
// is split; and the same as in the sketch of the stream.
func TestPanelCounts(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		var refs []sketch.HashSet
		for range rapid.IntRange(1, 6).Draw(rt, "references") {
			refs = append(refs, fracOf(t, subset(r, rapid.IntRange(0, 200).Draw(rt, "range")), nil))
		}
		panel, err := NewPanel(refs)
		if err != nil {
			rt.Fatal(err)
		}
		stream := make([]uint64, rapid.IntRange(0, 1000).Draw(rt, "stream"))
		count := map[uint64]uint64{}
		for i := range stream {
			stream[i] = uint64(1+r.IntN(250)) << 40
			count[stream[i]]++
		}
		a, b := panel.NewBuilder(), panel.NewBuilder()
		cut := 0
		if len(stream) > 0 {
			cut = r.IntN(len(stream))
		}
		for _, err := range []error{a.AddHashes(stream[:cut]), b.AddHashes(stream[cut:]), a.Merge(b)} {
			if err != nil {
				rt.Fatal(err)
			}
		}
		made, err := a.Finish()
		if err != nil {
			rt.Fatal(err)
		}
		seen := made.(*Sightings)
		var hashes, counts []uint64
		for h := range count {
			hashes = append(hashes, h)
		}
		slices.Sort(hashes)
		for _, h := range hashes {
			counts = append(counts, count[h])
		}
		looked := panel.Look(fracOf(t, hashes, counts))
		for i, ref := range refs {
			var copies []uint64
			for _, h := range ref.Hashes() {
				if n := count[h]; n > 0 {
					copies = append(copies, n)
				}
			}
			want := Found{Shared: uint64(len(copies)), Of: uint64(ref.Len())}
			if len(copies) > 0 {
				slices.Sort(copies)
				want.Median = copies[len(copies)/2]
			}
			if got := seen.Found(i); got != want {
				rt.Fatalf("streamed: reference %d: %+v, want %+v", i, got, want)
			}
			if got := looked.Found(i); got != want {
				rt.Fatalf("sketched: reference %d: %+v, want %+v", i, got, want)
			}
		}
	})
}

func TestWinnerTakeAll(t *testing.T) {
	h := func(of ...uint64) []uint64 { return of }
	refs := []sketch.HashSet{
		fracOf(t, h(1, 2, 3, 4), nil),     // 0: all seen
		fracOf(t, h(1, 2, 3, 4), nil),     // 1: the same, but longer: wins
		fracOf(t, h(3, 4, 5, 99), nil),    // 2: 3 of 4; keeps 5
		fracOf(t, h(4, 98), nil),          // 3: 1 of 2; loses 4 to one that has more
		fracOf(t, h(1, 2, 3, 4), nil),     // 4: equal to 1
		fracOf(t, h(50, 60, 70), nil),     // 5: nothing seen
		fracOf(t, h(5, 3, 99)[:1:1], nil), // 6: 5 alone, all of it seen: wins 5 from 2
	}
	panel, err := NewPanel(refs)
	if err != nil {
		t.Fatal(err)
	}
	seen := panel.Look(fracOf(t, h(1, 2, 3, 4, 5, 6), nil))
	won, equal := seen.WinnerTakeAll([]uint64{10, 20, 10, 10, 20, 10, 10})
	wantShared := []uint64{0, 4, 0, 0, 0, 0, 1}
	wantEqual := []int{1, -1, -1, -1, 1, -1, -1}
	for i := range refs {
		if got := won.Found(i).Shared; got != wantShared[i] {
			t.Errorf("reference %d keeps %d hashes, want %d", i, got, wantShared[i])
		}
	}
	if !slices.Equal(equal, wantEqual) {
		t.Errorf("equals %v, want %v", equal, wantEqual)
	}
	if seen.Found(0).Shared != 4 {
		t.Error("the sightings have changed")
	}
}

// Mash 2.3 on mixture.fa.gz gives 14 of 1000 a p-value of 1.97461e-64; here a
// value that the binomial distribution gives by hand: n = 2, r = 1/4.
func TestScreenPValue(t *testing.T) {
	for _, c := range []struct {
		f    Found
		want float64
	}{{Found{Shared: 1, Of: 2}, 7.0 / 16}, {Found{Shared: 2, Of: 2}, 1.0 / 16}, {Found{Of: 2}, 1}} {
		if got, _ := ScreenPValue(c.f, 4, 16); got < c.want*(1-1e-12) || got > c.want*(1+1e-12) {
			t.Errorf("%+v: %v, want %v", c.f, got, c.want)
		}
	}
}

func BenchmarkPanel(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var refs []sketch.HashSet
	for range 100 {
		hs := make([]uint64, 5000)
		for i := range hs {
			hs[i] = r.Uint64() >> 10
		}
		slices.Sort(hs)
		refs = append(refs, fracOf(b, slices.Compact(hs), nil))
	}
	panel, err := NewPanel(refs)
	if err != nil {
		b.Fatal(err)
	}
	batch := make([]uint64, sketch.BatchSize)
	for i := range batch {
		batch[i] = r.Uint64() >> 10
	}
	s := panel.NewBuilder()
	b.SetBytes(int64(8 * len(batch)))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.AddHashes(batch); err != nil {
			b.Fatal(err)
		}
	}
}
