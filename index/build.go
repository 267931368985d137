// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"io"
	"math/bits"
	"slices"
	"sync"

	"github.com/gsketch/gsketch/sketch"
)

// A record is a posting with its hash.
type record struct {
	hash uint64
	posting
}

// recordBytes is what a hash costs while a segment is built: a record, and as
// much again where buckets are filled.
const recordBytes = 32

// writePostings writes the postings of sketches; row i is sets[i].
func writePostings(w io.Writer, sets []sketch.HashSet, ranked bool, threads int) error {
	sizes := make([]uint32, len(sets))
	for i, s := range sets {
		sizes[i] = uint32(s.Len())
	}
	p := newPostingsWriter(w, ranked)
	var rows []posting
	for _, bucket := range buckets(sets, threads) {
		for i := 0; i < len(bucket); {
			h := bucket[i].hash
			rows = rows[:0]
			for ; i < len(bucket) && bucket[i].hash == h; i++ {
				rows = append(rows, bucket[i].posting)
			}
			if err := p.add(h, rows); err != nil {
				return err
			}
		}
	}
	return p.close(sizes)
}

// buckets sorts all postings by hash and row. Hashes are uniform up to the
// largest one, so equal parts of that range are equal parts of the work and fit
// the cache.
func buckets(sets []sketch.HashSet, threads int) [][]record {
	const n = 1024
	var top uint64
	for _, s := range sets {
		if h := s.Hashes(); len(h) > 0 {
			top = max(top, h[len(h)-1])
		}
	}
	part := func(h uint64) int {
		if top == ^uint64(0) {
			return int(h >> (64 - 10))
		}
		q, _ := bits.Div64(h>>(64-10), h<<10, top+1)
		return int(q)
	}
	var counts [n]int
	for _, s := range sets {
		for _, h := range s.Hashes() {
			counts[part(h)]++
		}
	}
	out := make([][]record, n)
	for i, c := range counts {
		out[i] = make([]record, 0, c)
	}
	for row, s := range sets {
		for rank, h := range s.Hashes() {
			b := part(h)
			out[b] = append(out[b], record{h, posting{uint32(row), uint32(rank)}})
		}
	}
	next := make(chan []record)
	var wg sync.WaitGroup
	for range max(1, threads) {
		wg.Go(func() {
			for b := range next {
				slices.SortFunc(b, func(x, y record) int {
					if x.hash != y.hash {
						return cmp.Compare(x.hash, y.hash)
					}
					return cmp.Compare(x.row, y.row)
				})
			}
		})
	}
	for _, b := range out {
		next <- b
	}
	close(next)
	wg.Wait()
	return out
}
