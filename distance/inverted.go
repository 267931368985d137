// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math"
	"math/bits"
)

// index is an inverted index: for each hash of a row, the columns that have it
// too. Pairs that share nothing cost nothing.
//
// A hash at place ra of one bottom-k sketch and rb of the other has ra+rb-c
// distinct hashes below it in the union, where c is the number of shared ones
// below. It counts if that is less than s: exactly the merge's rule. Going
// through the hashes of a row in ascending order, c is the count so far, so a
// column needs one number, s+c, and the test is ra+rb < s+c.
type index struct {
	p *problem

	// postings has, for each hash in a row and in another column, its columns
	// in ascending order, closed by an entry of column end. In a triangle the
	// list needs no end: the row itself is on it.
	postings []posting

	// starts holds for each hash of each row where its postings start, plus
	// one; 0 if no other set has it. Row r's begin at offsets[r].
	starts  []uint32
	offsets []int
}

type posting struct{ col, rank uint32 }

const end = math.MaxUint32

func (x *index) worker() worker {
	n := len(x.p.cols)
	w := &indexWorker{x: x, limits: make([]uint32, n), reach: make([]uint32, n)}
	for i := range x.p.cols {
		w.limits[i] = x.p.cols[i].limit
	}
	return w
}

type indexWorker struct {
	x      *index
	limits []uint32 // by column
	reach  []uint32 // by column: s+c
}

func (w *indexWorker) shared(row int) []uint32 {
	p := w.x.p
	reach := w.reach[:p.width(row)]
	limit := p.rows[row].limit
	for i, l := range w.limits[:len(reach)] {
		reach[i] = min(limit, l)
	}
	w.x.addRow(row, reach)
	for i, l := range w.limits[:len(reach)] {
		reach[i] -= min(limit, l)
	}
	return reach
}

// addRow raises reach by the shared hashes of each column that count.
func (x *index) addRow(row int, reach []uint32) {
	starts := x.starts[x.offsets[row]:x.offsets[row+1]]
	for place, start := range starts {
		if start == 0 {
			continue
		}
		rank := x.p.rank(place)
		for _, e := range x.postings[start-1:] {
			if int(e.col) >= len(reach) {
				break
			}
			r := reach[e.col]
			_, counts := bits.Sub32(rank+e.rank, r, 0)
			reach[e.col] = r + counts
		}
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
