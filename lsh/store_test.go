// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"slices"
	"testing"
)

// TestStore is the contract of Store, for every implementation.
func TestStore(t *testing.T) {
	for name, s := range map[string]Store{"memory": NewMemStore()} {
		t.Run(name, func(t *testing.T) {
			k := []Key{{0, 5}, {1, 5}, {0, 6}}
			check := func(keys []Key, want ...uint32) {
				t.Helper()
				got, err := s.Get(nil, keys)
				slices.Sort(got)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%v, want %v; %v", got, want, err)
				}
			}
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			check(k)
			must(s.Put(k, []uint32{1, 2, 3}))
			must(s.Put(k[:1], []uint32{4}))
			must(s.Put(k[:1], []uint32{4}))
			check(k[:1], 1, 4)
			check(k, 1, 2, 3, 4)
			present, err := s.PutIfAbsent(k[1:], 9)
			must(err)
			if !slices.Equal(present, []uint32{2, 3}) {
				t.Errorf("present: %v", present)
			}
			check(k[1:], 2, 3)
			fresh := []Key{{7, 1}, {8, 1}}
			present, err = s.PutIfAbsent(fresh, 9)
			must(err)
			if len(present) > 0 {
				t.Errorf("present: %v", present)
			}
			check(fresh, 9, 9)
			must(s.Delete(k, []uint32{1, 2, 77}))
			check(k, 3, 4)
			must(s.Delete(k[:1], []uint32{4}))
			check(k[:1])
			must(s.Put(k[:1], []uint32{4}))
			check(k[:1], 4)
		})
	}
}
