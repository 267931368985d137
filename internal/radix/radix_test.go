// SPDX-License-Identifier: Apache-2.0

package radix

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortEqualsStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, short - 1, short, short + 1, 5000, long, long + 1} {
		for _, shift := range []int{0, 8, 40, 63} {
			a := make([]uint64, n)
			for i := range a {
				a[i] = r.Uint64() >> shift
			}
			if n > 0 {
				a[n/2] = 1 << 63 // all others may then agree in both digits
			}
			want := slices.Clone(a)
			slices.Sort(want)
			Sort(a)
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
	got := SortUnique(a)
	if want := []uint64{0, 1, 2, 3, 4, 5, 6}; !slices.Equal(got, want) {
		t.Fatalf("got %v", got)
	}
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{1000, 4000, 150_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmarkSort(b, n) })
	}
}

func benchmarkSort(b *testing.B, n int) {
	r := rand.New(rand.NewPCG(1, 2))
	a := make([]uint64, n)
	b.SetBytes(int64(8 * len(a)))
	for b.Loop() {
		for i := range a {
			a[i] = r.Uint64() >> 12
		}
		Sort(a)
	}
}
