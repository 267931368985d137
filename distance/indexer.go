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
	ranges := splitRanges(x.sets, total)
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

// splitRanges returns the last hash of each of the ranges of values, ascending.
// A range has about rangeHashes hashes, more if there are very many sets, since
// every set is looked at for every range.
func splitRanges(sets []set, total int) []uint64 {
	const rangeHashes = 1 << 17
	n := total / max(rangeHashes, 8*len(sets))
	const perRange = 64 // samples, for ranges of nearly equal size
	step := max(1, total/(perRange*max(1, n)))
	var samples []uint64
	seen := 0
	for i := range sets {
		h := sets[i].hashes
		for j := (step - seen%step) % step; j < len(h); j += step {
			samples = append(samples, h[j])
		}
		seen += len(h)
	}
	slices.Sort(samples)
	var last []uint64
	for i := perRange; i < len(samples)-perRange/2; i += perRange {
		if len(last) == 0 || samples[i] > last[len(last)-1] {
			last = append(last, samples[i])
		}
	}
	if len(last) == 0 || last[len(last)-1] != math.MaxUint64 {
		last = append(last, math.MaxUint64)
	}
	return last
}

// indexer adds ranges of hashes to an index.
type indexer struct {
	x      *index
	places []int // by set: the first hash not yet added

	records, scratch []record
}

// record is a hash on its way into the index.
type record struct {
	hash       uint64
	set, place uint32
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
			b.records = append(b.records, record{hash: h[j], set: uint32(i), place: uint32(j)})
		}
		b.places[i] = j
	}
	b.records, b.scratch = sortRecords(b.records, b.scratch)
	for i := 0; i < len(b.records); {
		j := i + 1
		for j < len(b.records) && b.records[j].hash == b.records[i].hash {
			j++
		}
		at = b.addHash(b.records[i:j], at)
		i = j
	}
}

// addHash writes the list of one hash, of which all has every occurrence by
// ascending set, from at on, and returns where it ends.
func (b *indexer) addHash(all []record, at int) int {
	x := b.x
	first := x.groupOf[all[0].set]
	mixed := slices.ContainsFunc(all[1:], func(r record) bool { return x.groupOf[r.set] != first })
	cols, rows := all, all
	if !x.p.triangle {
		n := sort.Search(len(all), func(i int) bool { return int(all[i].set) >= x.firstRow() })
		cols, rows = all[:n], all[n:]
		if len(cols) == 0 || len(rows) == 0 {
			return at
		}
	}
	if len(all) == 1 || !mixed && first != noGroup && len(cols) >= x.groups[first].common {
		return at // nothing shared, or all of it by bitmap
	}
	for _, r := range rows {
		x.starts[x.offsets[int(r.set)-x.firstRow()]+int(r.place)] = uint32(at) + 1
	}
	if mixed {
		slices.SortStableFunc(cols, func(r, s record) int { return cmp.Compare(x.groupOf[r.set], x.groupOf[s.set]) })
	}
	for len(cols) > 0 {
		group := x.groupOf[cols[0].set]
		n := 1
		for n < len(cols) && x.groupOf[cols[n].set] == group {
			n++
		}
		x.postings[at] = header(group, n, n == len(cols))
		at++
		for _, r := range cols[:n] {
			x.postings[at] = posting{col: r.set, rank: x.p.rank(int(r.place))}
			at++
		}
		cols = cols[n:]
	}
	return at
}

// sortRecords sorts by hash; records of equal hash keep their order. It returns
// the sorted records and the other buffer. Bytes in which all hashes agree,
// the upper ones within a range, cost no move.
func sortRecords(a, scratch []record) (sorted, other []record) {
	if len(a) == 0 {
		return a, scratch
	}
	if cap(scratch) < len(a) {
		scratch = make([]record, cap(a))
	}
	scratch = scratch[:len(a)]
	var count [8][256]int
	for i := range a {
		for b := range count {
			count[b][byte(a[i].hash>>(8*b))]++
		}
	}
	for b := range count {
		if count[b][byte(a[0].hash>>(8*b))] == len(a) {
			continue
		}
		at := 0
		for i, c := range count[b] {
			count[b][i] = at
			at += c
		}
		for i := range a {
			digit := byte(a[i].hash >> (8 * b))
			scratch[count[b][digit]] = a[i]
			count[b][digit]++
		}
		a, scratch = scratch, a
	}
	return a, scratch
}
