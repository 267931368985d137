// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/gsketch/gsketch/internal/radix"
)

// newIndex groups the sets, sorts all hashes by value and keeps those that a row
// has in common with a column of another group or none. It works through one
// range of values after the other, each small enough for the cache; threads
// share the ranges.
func newIndex(ctx context.Context, p *problem, threads int) (*index, error) {
	x := newBareIndex(p)
	if err := x.findGroups(ctx, threads); err != nil {
		return nil, err
	}
	return x, x.build(ctx, threads)
}

// newBareIndex is an index without groups and not yet built.
func newBareIndex(p *problem) *index {
	x := &index{p: p, sets: p.cols}
	if !p.triangle {
		x.sets = slices.Concat(p.cols, p.rows)
	}
	x.groupOf = make([]uint32, len(x.sets))
	x.groups = []*group{nil}
	return x
}

func (x *index) build(ctx context.Context, threads int) error {
	total := 0
	for i := range x.sets {
		total += len(x.sets[i].hashes)
	}
	if total > math.MaxUint32/2 {
		return fmt.Errorf("all pairs of sets of %d hashes in all: an index holds at most %d", total, math.MaxUint32/2)
	}
	rows := x.p.rows
	x.offsets = make([]int, len(rows)+1)
	for i := range rows {
		x.offsets[i+1] = x.offsets[i] + len(rows[i].hashes)
	}
	x.starts = make([]uint32, x.offsets[len(rows)])
	// Each range owns as much of it as its hashes can need with a header each,
	// and writes much less: pages never written to take no memory.
	x.postings = make([]posting, 2*total)
	ranges := splitRanges(x.sets)
	var wg sync.WaitGroup
	for t := range threads {
		from, to := t*len(ranges)/threads, (t+1)*len(ranges)/threads
		if from == to {
			continue
		}
		wg.Go(func() {
			b := &indexer{x: x, places: make([]int, len(x.sets))}
			if from > 0 {
				b.skip(ranges[from-1])
			}
			for _, last := range ranges[from:to] {
				if ctx.Err() != nil {
					return
				}
				b.add(last)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// splitRanges cuts the hashes of sets into ranges of values.
func splitRanges(sets []set) []uint64 {
	return radix.Ranges(len(sets), func(i int) []uint64 { return sets[i].hashes })
}

// indexer adds ranges of hashes to an index.
type indexer struct {
	x      *index
	places []int // by set: the first hash not yet added

	records, scratch []radix.Record
}

// skip passes over the hashes up to last.
func (b *indexer) skip(last uint64) {
	for i := range b.x.sets {
		h := b.x.sets[i].hashes
		b.places[i] = sort.Search(len(h), func(j int) bool { return h[j] > last })
	}
}

// add indexes the hashes up to last that were not yet added.
func (b *indexer) add(last uint64) {
	b.records = b.records[:0]
	at := 0 // the hashes before this range: where its postings begin
	for i := range b.x.sets {
		h, j := b.x.sets[i].hashes, b.places[i]
		at += 2 * j
		for ; j < len(h) && h[j] <= last; j++ {
			b.records = append(b.records, radix.Record{Hash: h[j], Set: uint32(i), Place: uint32(j)})
		}
		b.places[i] = j
	}
	b.records, b.scratch = radix.SortRecords(b.records, b.scratch)
	for i := 0; i < len(b.records); {
		j := i + 1
		for j < len(b.records) && b.records[j].Hash == b.records[i].Hash {
			j++
		}
		at = b.addHash(b.records[i:j], at)
		i = j
	}
}

// addHash writes the list of one hash, of which all has every occurrence by
// ascending set, from at on, and returns where it ends.
func (b *indexer) addHash(all []radix.Record, at int) int {
	x := b.x
	first := x.groupOf[all[0].Set]
	mixed := slices.ContainsFunc(all[1:], func(r radix.Record) bool { return x.groupOf[r.Set] != first })
	cols, rows := all, all
	if !x.p.triangle {
		n := sort.Search(len(all), func(i int) bool { return int(all[i].Set) >= x.firstRow() })
		cols, rows = all[:n], all[n:]
		if len(cols) == 0 || len(rows) == 0 {
			return at
		}
	}
	if len(all) == 1 || !mixed && first != noGroup && len(cols) >= x.groups[first].common {
		return at // nothing shared, or all of it by bitmap
	}
	for _, r := range rows {
		x.starts[x.offsets[int(r.Set)-x.firstRow()]+int(r.Place)] = uint32(at) + 1
	}
	if mixed {
		slices.SortStableFunc(cols, func(r, s radix.Record) int { return cmp.Compare(x.groupOf[r.Set], x.groupOf[s.Set]) })
	}
	for len(cols) > 0 {
		group := x.groupOf[cols[0].Set]
		n := 1
		for n < len(cols) && x.groupOf[cols[n].Set] == group {
			n++
		}
		x.postings[at] = header(group, n, n == len(cols))
		at++
		for _, r := range cols[:n] {
			x.postings[at] = posting{col: r.Set, rank: x.p.rank(int(r.Place))}
			at++
		}
		cols = cols[n:]
	}
	return at
}
