// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/gsketch/gsketch/sketch"
)

// set is one sketch of an all-pairs problem.
type set struct {
	hashes []uint64
	bound  uint64 // FracMinHash: hashes above it are unknown
	limit  uint32 // bottom-k: the size; FracMinHash: unlimited
}

// unlimited is above any union of two sets.
const unlimited = 1 << 31

// most bounds the hashes of a set, so that sums of three lengths fit a uint32.
const most = 1 << 30

// problem is rows to be compared with columns; in a triangle both are the same
// sets, and row i has the columns below i.
type problem struct {
	rows, cols []set
	limits     []uint32 // by column, as in cols: read for every pair
	triangle   bool
	ranked     bool // bottom-k: only the first hashes of a union count
}

// newProblem checks and unpacks the sets. In a triangle cols is not looked at.
func newProblem(rows, cols []sketch.HashSet, triangle bool) (*problem, error) {
	p := &problem{triangle: triangle}
	var first *sketch.Params
	unpack := func(sets []sketch.HashSet) ([]set, error) {
		out := make([]set, len(sets))
		for i, h := range sets {
			q := h.Params()
			if first == nil {
				first = &q
			}
			if err := first.Comparable(q); err != nil {
				return nil, err
			}
			if h.Len() > most {
				return nil, fmt.Errorf("set %d has %d hashes, all pairs count at most %d", i, h.Len(), most)
			}
			out[i] = set{hashes: h.Hashes(), bound: math.MaxUint64, limit: unlimited}
			if q.Family == sketch.BottomK {
				p.ranked = true
				out[i].limit = uint32(min(q.Size, unlimited))
			} else {
				out[i].bound = h.Bound()
			}
		}
		return out, nil
	}
	var err error
	if p.rows, err = unpack(rows); err != nil {
		return nil, err
	}
	p.cols = p.rows
	if !p.triangle {
		if p.cols, err = unpack(cols); err != nil {
			return nil, err
		}
	}
	p.setLimits()
	return p, nil
}

func (p *problem) setLimits() {
	p.limits = make([]uint32, len(p.cols))
	for i := range p.cols {
		p.limits[i] = p.cols[i].limit
	}
}

// width is the number of columns of a row.
func (p *problem) width(row int) int {
	if p.triangle {
		return row
	}
	return len(p.cols)
}

// counts appends to dst what is to be said of a row, given the number of
// shared hashes by column.
func (p *problem) counts(row int, shared []uint32, dst []Count, sparse bool) []Count {
	a := &p.rows[row]
	for col, n := range shared {
		if n == 0 && sparse {
			continue
		}
		dst = append(dst, Count{Col: uint32(col), Shared: n, Of: of(a, &p.cols[col], n)})
	}
	return dst
}

// of is the number of distinct hashes that a comparison looks at. For bottom-k
// it is the smaller size unless the union ends before; hashes beyond the
// smaller size can be counted in, since a union that has them is as large.
func of(a, b *set, shared uint32) uint32 {
	x, y := len(a.hashes), len(b.hashes)
	if a.bound != b.bound {
		x, y = a.lenUpTo(b.bound), b.lenUpTo(a.bound)
	}
	return min(uint32(x+y)-shared, a.limit, b.limit)
}

func (s *set) lenUpTo(bound uint64) int {
	if s.bound <= bound {
		return len(s.hashes)
	}
	return sort.Search(len(s.hashes), func(i int) bool { return s.hashes[i] > bound })
}

// A finder knows a way to find the shared hashes of a row; a worker of it
// serves one goroutine.
type finder interface{ worker() worker }

// shared returns, for each column of the row, the number of shared hashes that
// count. The slice is valid until the next call.
type worker interface{ shared(row int) []uint32 }

// finder picks the cheaper way. Merging costs about 3 ns per hash of each pair
// (BenchmarkOverlap), building an index about 30 ns per hash of each set.
func (p *problem) finder(ctx context.Context, threads int) (finder, error) {
	rows, cols := hashesOf(p.rows), hashesOf(p.cols)
	merge := rows*float64(len(p.cols)) + cols*float64(len(p.rows))
	index := 10 * (rows + cols)
	if p.triangle {
		merge, index = merge/2, index/2
	}
	if merge <= index {
		return merger{p}, nil
	}
	return newIndex(ctx, p, threads)
}

func hashesOf(sets []set) float64 {
	var n float64
	for i := range sets {
		n += float64(len(sets[i].hashes))
	}
	return n
}

// merger compares the sets of each pair by merging them.
type merger struct{ p *problem }

type mergeWorker struct {
	p      *problem
	result []uint32
}

func (m merger) worker() worker { return &mergeWorker{p: m.p, result: make([]uint32, len(m.p.cols))} }

func (w *mergeWorker) shared(row int) []uint32 {
	a := &w.p.rows[row]
	out := w.result[:w.p.width(row)]
	for col := range out {
		b := &w.p.cols[col]
		// Unknown hashes of the coarser FracMinHash sketch are not in it, so
		// they cannot be shared: no need to cut.
		n, _ := overlap(a.hashes, b.hashes, int(min(a.limit, b.limit)))
		out[col] = uint32(n)
	}
	return out
}
