// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What is sorted on disk is what sorting in memory gives, each triple once.
func TestSorter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) triple {
			return triple{rapid.Uint64Range(0, 50).Draw(t, "key"), rapid.Uint32Range(0, 3).Draw(t, "band"), rapid.Uint32Range(0, 9).Draw(t, "row")}
		}), 0, 400).Draw(t, "triples")
		s := newSorter(0, 2)
		s.most = rapid.IntRange(1, 500).Draw(t, "most")
		defer s.close()
		for _, x := range all {
			if err := s.add(x); err != nil {
				t.Fatal(err)
			}
		}
		var got []triple
		for x, err := range s.sorted() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, x)
		}
		slices.SortFunc(all, compareTriples)
		if want := slices.Compact(all); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

// Goroutines that sort parts leave nothing out.
func TestParallelSort(t *testing.T) {
	all := make([]triple, 300_000)
	x := uint64(1)
	for i := range all {
		x = x*6364136223846793005 + 1442695040888963407
		all[i] = triple{x >> 44, uint32(x>>20) % 3, uint32(i % 7)}
	}
	want := slices.Clone(all)
	slices.SortFunc(want, compareTriples)
	if parallelSort(all, 3); !slices.Equal(all, want) {
		t.Fatal("not sorted")
	}
}
