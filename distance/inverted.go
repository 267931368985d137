// SPDX-License-Identifier: Apache-2.0

package distance

import "math/bits"

// index is an inverted index: for each hash of a row, the columns that have it
// too. Pairs that share nothing cost nothing.
//
// A hash at place ra of one bottom-k sketch and rb of the other has ra+rb-c
// distinct hashes below it in the union, where c is the number of shared ones
// below. It counts if that is less than s: exactly the merge's rule. Going
// through the hashes of a row in ascending order, c is the count so far, so a
// column needs one number, s+c, and the test is ra+rb < s+c.
//
// Sets that share much with many others are in a dense group and are compared
// within it by bitmap (group); the index has what they share with the rest, and
// of rare hashes.
type index struct {
	p       *problem
	sets    []set // the columns, then the rows unless it is a triangle
	groupOf []uint32
	groups  []*group

	// A list of postings is one or more runs of ascending columns of the same
	// group, each behind a header. Rows skip the run of their own group if it
	// is long enough for the hash to be common there.
	postings []posting

	// starts holds, for each hash of each row, where its list starts, plus one;
	// 0 if there is nothing on it. Row r's begin at offsets[r].
	starts  []uint32
	offsets []int
}

// posting is a column with the rank of the hash in it, or the header of a run.
type posting struct{ col, rank uint32 }

// header makes the header of a run of n columns of a group.
func header(group uint32, n int, last bool) posting {
	h := posting{col: group, rank: uint32(n) << 1}
	if last {
		h.rank |= 1
	}
	return h
}

func (h posting) run() (n int, last bool) { return int(h.rank >> 1), h.rank&1 != 0 }

// noGroup is the group of the sets that are in none; noRow is that of rows
// which skip nothing.
const (
	noGroup = 0
	noRow   = 1<<32 - 1
)

// firstRow is the place of row 0 in sets.
func (x *index) firstRow() int {
	if x.p.triangle {
		return 0
	}
	return len(x.p.cols)
}

func (x *index) worker() worker {
	return &indexWorker{x: x, reach: make([]uint32, len(x.p.cols))}
}

type indexWorker struct {
	x     *index
	reach []uint32 // by column: s+c
}

func (w *indexWorker) shared(row int) []uint32 {
	p := w.x.p
	reach := w.reach[:p.width(row)]
	limit := p.rows[row].limit
	for i := range reach {
		reach[i] = min(limit, p.limits[i])
	}
	w.x.addRow(row, reach)
	for i := range reach {
		reach[i] -= min(limit, p.limits[i])
	}
	if g := w.x.groupOf[w.x.firstRow()+row]; g != noGroup {
		w.x.groups[g].count(w.x.firstRow()+row, reach)
	}
	return reach
}

// addRow raises reach by the shared hashes of each column that count. For the
// columns of the row's own group it is the rare shared hashes, counting or not.
func (x *index) addRow(row int, reach []uint32) {
	own, common := uint32(noRow), 0
	if g := x.groupOf[x.firstRow()+row]; g != noGroup {
		own, common = g, x.groups[g].common
	}
	for place, start := range x.starts[x.offsets[row]:x.offsets[row+1]] {
		if start == 0 {
			continue
		}
		rank := x.p.rank(place)
		for list := x.postings[start-1:]; ; {
			n, last := list[0].run()
			switch run := list[1 : n+1]; {
			case list[0].col != own:
				addRun(run, rank, reach)
			case n < common:
				addRare(run, reach)
			}
			if last {
				break
			}
			list = list[n+1:]
		}
	}
}

func addRun(run []posting, rank uint32, reach []uint32) {
	for _, e := range run {
		if int(e.col) >= len(reach) {
			return
		}
		r := reach[e.col]
		_, counts := bits.Sub32(rank+e.rank, r, 0)
		reach[e.col] = r + counts
	}
}

func addRare(run []posting, reach []uint32) {
	for _, e := range run {
		if int(e.col) >= len(reach) {
			return
		}
		reach[e.col]++
	}
}

// rank is what the place of a hash in its set counts for: nothing where all of
// the union counts.
func (p *problem) rank(place int) uint32 {
	if !p.ranked {
		return 0
	}
	return uint32(place)
}
