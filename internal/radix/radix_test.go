// SPDX-License-Identifier: Apache-2.0

package radix

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortEqualsStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var scratch []uint64
	for _, n := range []int{0, 1, 2, short - 1, short, short + 1, 5000, long, long + 1} {
		for _, shift := range []int{0, 8, 40, 63} {
			a := make([]uint64, n)
			for i := range a {
				a[i] = r.Uint64() >> shift
			}
			want := slices.Clone(a)
			slices.Sort(want)
			scratch = Sort(a, scratch)
			if !slices.Equal(a, want) {
				t.Fatalf("n = %d, shift = %d: not sorted", n, shift)
			}
		}
	}
}

func TestSortUniqueDropsRepeats(t *testing.T) {
	a := make([]uint64, 1000)
	for i := range a {
		a[i] = uint64(i % 7)
	}
	got, _ := SortUnique(a, nil)
	if want := []uint64{0, 1, 2, 3, 4, 5, 6}; !slices.Equal(got, want) {
		t.Fatalf("got %v", got)
	}
}

func BenchmarkSort(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	a := make([]uint64, 4000)
	scratch := make([]uint64, len(a))
	b.SetBytes(int64(8 * len(a)))
	for b.Loop() {
		for i := range a {
			a[i] = r.Uint64() >> 12
		}
		Sort(a, scratch)
	}
}
