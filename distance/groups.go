// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"context"
	"math/bits"
	"sync"
)

const (
	// Groups smaller than this are left to the index: their bitmaps would hold
	// little but what each set has alone.
	smallestGroup = 16

	// Hashes per set that the search for groups looks at, at least.
	sampleHashes = 32
)

// joinShares are the shares of its hashes that a set must have in common with
// the first one of a group to join it. The loosest that pays is taken: a loose
// group spares more pairs the index, a tight one has shorter bitmaps.
var joinShares = [...]float64{1. / 10, 1. / 5, 2. / 5}

// findGroups looks for dense groups in a sample of the hashes. Each set not yet
// in a group gathers those that share enough with it. What is found decides
// only how pairs are counted.
func (x *index) findGroups(ctx context.Context, threads int) error {
	sample, step := sampled(x.sets)
	s := newBareIndex(sample)
	if err := s.build(ctx, threads); err != nil {
		return err
	}
	var found []dense
	done := make([]bool, len(x.sets))
	near := newNeighbours(s, step)
	for leader := range x.sets {
		if done[leader] || ctx.Err() != nil {
			continue
		}
		near.look(leader, done)
		members := []uint32{uint32(leader)}
		for _, share := range joinShares {
			members = near.sharing(share)
			if len(members) < smallestGroup {
				break
			}
			if !x.pairs(members) {
				continue
			}
			if common := near.plan(members, x.p.ranked); common > 0 {
				found = append(found, dense{members, common})
				break
			}
		}
		done[leader] = true
		if len(members) >= smallestGroup { // a group, or hopeless in any
			for _, m := range members {
				done[m] = true
			}
		}
	}
	x.makeGroups(found, threads)
	return ctx.Err()
}

// pairs says whether there are rows and columns among the members.
func (x *index) pairs(members []uint32) bool {
	return x.p.triangle || int(members[0]) < x.firstRow() && int(members[len(members)-1]) >= x.firstRow()
}

// dense is a group to be made: places in sets, ascending, and the number of its
// columns that make a hash common.
type dense struct {
	members []uint32
	common  int
}

// makeGroups makes the groups found.
func (x *index) makeGroups(found []dense, threads int) {
	x.groups = append(x.groups, make([]*group, len(found))...)
	work := make(chan int, len(found))
	for i, d := range found {
		for _, m := range d.members {
			x.groupOf[m] = uint32(i + 1)
		}
		work <- i
	}
	close(work)
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			for i := range work {
				x.groups[i+1] = x.newGroup(found[i])
			}
		})
	}
	wg.Wait()
}

// sampled is the triangle of all sets with 1 hash in step of each.
func sampled(sets []set) (p *problem, step int) {
	shift := max(0, bits.Len(uint(hashesOf(sets))/uint(max(1, len(sets))*sampleHashes))-1)
	p = &problem{triangle: true, rows: make([]set, len(sets))}
	for i := range sets {
		h := make([]uint64, 0, len(sets[i].hashes)>>shift)
		for _, v := range sets[i].hashes {
			// The product's upper bits depend on all of v: FracMinHash and
			// bottom-k hashes have no upper bits of their own.
			if v*0x9e3779b97f4a7c15>>(64-shift) == 0 {
				h = append(h, v)
			}
		}
		p.rows[i].hashes = h
	}
	p.cols = p.rows
	return p, 1 << shift
}
