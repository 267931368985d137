// SPDX-License-Identifier: Apache-2.0

// Package storetest holds the tests that every lsh.Store must pass: what passes
// them can keep the buckets of an index, in this program or elsewhere.
package storetest

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/lsh"
)

// A model is the plain way to keep buckets.
type model map[lsh.Key]map[uint32]bool

func (m model) put(k lsh.Key, id uint32) {
	if m[k] == nil {
		m[k] = map[uint32]bool{}
	}
	m[k][id] = true
}

func (m model) get(keys []lsh.Key) []uint32 {
	var all []uint32
	for _, k := range keys {
		all = append(all, slices.Collect(maps.Keys(m[k]))...)
	}
	return all
}

func sorted(ids []uint32) []uint32 {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return ids
}

func distinct(ids []uint32) []uint32 { return slices.Compact(sorted(ids)) }

// Run checks the contract of Store: whatever is put, deleted and put if absent,
// Get returns the ids that are in the buckets, each once per bucket. open
// returns an empty store, and how to close and open it again with what is in
// it; nil for one that does not outlive the process.
func Run(t *testing.T, open func(rt *rapid.T) (s lsh.Store, reopen func() (lsh.Store, error))) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		s, reopen := open(rt)
		want := model{}
		key := rapid.Custom(func(rt *rapid.T) lsh.Key {
			return lsh.Key{
				Band: rapid.SampledFrom([]uint32{0, 1, 2, 255, 256, 1023, 1 << 20}).Draw(rt, "band"),
				Hash: rapid.SampledFrom([]uint64{0, 1, 2, 1 << 31, 1 << 63, 1<<64 - 1}).Draw(rt, "hash"),
			}
		})
		id := rapid.OneOf(rapid.Uint32Range(0, 8), rapid.SampledFrom([]uint32{255, 256, 65535, 1 << 16, 1<<31 - 1}))
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			keys := rapid.SliceOfN(key, 1, 6).Draw(rt, "keys")
			ids := rapid.SliceOfN(id, len(keys), len(keys)).Draw(rt, "ids")
			step := rapid.SampledFrom([]string{"put", "put", "delete", "put if absent", "get", "reopen"}).Draw(rt, "step")
			var err error
			switch step {
			case "put":
				err = s.Put(keys, ids)
				for i, k := range keys {
					want.put(k, ids[i])
				}
			case "delete":
				err = s.Delete(keys, ids)
				for i, k := range keys {
					delete(want[k], ids[i])
				}
			case "put if absent":
				var present []uint32
				present, err = s.PutIfAbsent(keys, ids[0])
				there := distinct(want.get(keys))
				if !slices.Equal(sorted(present), there) {
					rt.Fatalf("PutIfAbsent %v: present %v, want %v", keys, present, there)
				}
				if len(there) == 0 {
					for _, k := range keys {
						want.put(k, ids[0])
					}
				}
			case "get":
				before := []uint32{77, 76}
				var got []uint32
				got, err = s.Get(before, keys)
				if err == nil && (len(got) < 2 || got[0] != 77 || got[1] != 76 || !slices.Equal(sorted(got[2:]), sorted(want.get(keys)))) {
					rt.Fatalf("Get %v: %v behind 77, 76, want %v", keys, got, want.get(keys))
				}
			case "reopen":
				if reopen != nil {
					s, err = reopen()
				}
			}
			if err != nil {
				rt.Fatalf("%s: %v", step, err)
			}
		}
		for k := range want {
			if got, err := s.Get(nil, []lsh.Key{k}); err != nil || !slices.Equal(sorted(got), sorted(want.get([]lsh.Key{k}))) {
				rt.Fatalf("at the end, bucket %v: %v, want %v; %v", k, got, want[k], err)
			}
		}
	})
}

// RunConcurrent checks, on an empty store that is safe for concurrent use, that
// nothing divides PutIfAbsent: of many that share a bucket one puts its id, and
// the others are told of it.
func RunConcurrent(t *testing.T, s lsh.Store) {
	t.Helper()
	const clients, rounds = 16, 20
	for round := range uint64(rounds) {
		present := make([][]uint32, clients)
		errs := make([]error, clients)
		var wg sync.WaitGroup
		for i := range clients {
			wg.Go(func() {
				keys := []lsh.Key{{Band: 0, Hash: round}, {Band: 1, Hash: uint64(i) + round*clients}}
				present[i], errs[i] = s.PutIfAbsent(keys, uint32(i))
			})
		}
		wg.Wait()
		bucket, err := s.Get(nil, []lsh.Key{{Band: 0, Hash: round}})
		if err != nil || len(bucket) != 1 {
			t.Fatalf("the bucket that all share holds %v; %v", bucket, err)
		}
		for i := range clients {
			want := bucket
			if uint32(i) == bucket[0] {
				want = nil
			}
			if errs[i] != nil || !slices.Equal(present[i], want) {
				t.Fatalf("client %d was told %v, want %v; %v", i, present[i], want, errs[i])
			}
		}
	}
}
