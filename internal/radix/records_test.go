// SPDX-License-Identifier: Apache-2.0

package radix

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"
)

func TestSortRecordsIsStable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var scratch []Record
	for _, n := range []int{0, 1, 2, 300, 5000} {
		for _, shift := range []int{0, 40, 60} {
			a := make([]Record, n)
			for i := range a {
				a[i] = Record{r.Uint64() >> shift, uint32(i), uint32(i)}
			}
			want := slices.Clone(a)
			sort.SliceStable(want, func(i, j int) bool { return want[i].Hash < want[j].Hash })
			var got []Record
			if got, scratch = SortRecords(a, scratch); !slices.Equal(got, want) {
				t.Fatalf("n = %d, shift = %d: not sorted", n, shift)
			}
		}
	}
}

// Ranges ascend, reach the largest number, and none is much larger than others
// unless one value fills it, whatever the distribution.
func TestRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, draw := range []func() uint64{r.Uint64, func() uint64 { return r.Uint64() >> r.IntN(60) }} {
		sets := make([][]uint64, 100)
		var all []uint64
		for i := range sets {
			for range 20_000 {
				sets[i] = append(sets[i], draw())
			}
			slices.Sort(sets[i])
			all = append(all, sets[i]...)
		}
		slices.Sort(all)
		last := Ranges(len(sets), func(i int) []uint64 { return sets[i] })
		if !slices.IsSorted(last) || last[len(last)-1] != math.MaxUint64 || len(last) < 10 {
			t.Fatalf("%d ranges: %v", len(last), last)
		}
		from := 0
		for _, h := range last {
			to := sort.Search(len(all), func(i int) bool { return all[i] > h })
			if to-from > 1<<18 {
				t.Errorf("a range of %d hashes", to-from)
			}
			from = to
		}
	}
	// 30,720 sets of 100: a step is 4000 hashes, always the same place of a set.
	all := make([]uint64, 0, 30_720*100)
	sets := make([][]uint64, 30_720)
	for i := range sets {
		for range 100 {
			all = append(all, r.Uint64())
		}
		sets[i] = all[i*100 : i*100+100]
		slices.Sort(sets[i])
	}
	last := Ranges(len(sets), func(i int) []uint64 { return sets[i] })
	sizes := make([]int, len(last))
	for _, h := range all {
		at, _ := slices.BinarySearch(last, h)
		sizes[at]++
	}
	if most := slices.Max(sizes); len(last) < 10 || most > 2*len(all)/12 {
		t.Errorf("%d ranges, the largest of %d hashes", len(last), most)
	}
	if last := Ranges(0, nil); len(last) != 1 {
		t.Errorf("without sets: %v", last)
	}
}
