// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/gsketch/gsketch/cluster"
	"github.com/gsketch/gsketch/formats/steps"
)

// ClusterRows yields the rows that edges of at least the threshold join, in
// ascending order, each with the smallest row of its connected component. Rows
// that no edge joins are alone and not named. It takes 4 bytes for each row that
// edges name, and a quarter of a byte for each row between them to number them
// densely; edges are read twice and not kept.
func ClusterRows(threshold float64, edges func() iter.Seq2[steps.Edge, error]) iter.Seq2[steps.Cluster, error] {
	return func(yield func(steps.Cluster, error) bool) {
		rows := &numbering{pages: map[int64]*rowPage{}}
		fail := func(err error) { yield(steps.Cluster{}, err) }
		for e, err := range joined(threshold, edges()) {
			if err != nil {
				fail(err)
				return
			}
			rows.add(e.A)
			rows.add(e.B)
		}
		n, err := rows.seal()
		if err != nil {
			fail(err)
			return
		}
		sets := cluster.NewUnionFind(n)
		for e, err := range joined(threshold, edges()) {
			a, known := rows.ordinal(e.A)
			b, both := rows.ordinal(e.B)
			if err == nil && !(known && both) {
				err = errors.New("the edges have changed while they were read")
			}
			if err != nil {
				fail(err)
				return
			}
			sets.Union(a, b)
		}
		rows.each(func(i uint32, row int64) bool {
			return yield(steps.Cluster{Row: row, Cluster: rows.row(sets.Find(i))}, nil)
		})
	}
}

// joined are the edges of at least the threshold, all of which have to have
// been compared.
func joined(threshold float64, edges iter.Seq2[steps.Edge, error]) iter.Seq2[steps.Edge, error] {
	return func(yield func(steps.Edge, error) bool) {
		for e, err := range edges {
			if err == nil && e.Jaccard == nil {
				err = unverified(e)
			}
			if err == nil && *e.Jaccard < threshold {
				continue
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func unverified(e steps.Edge) error {
	return fmt.Errorf("rows %d and %d: an edge without similarity is yet to be verified", e.A, e.B)
}

// A numbering gives the rows of a set numbers 0, 1, ... in their order. Rows lie
// in pages, since those of shards are dense within a shard alone.
type numbering struct {
	pages map[int64]*rowPage // by row / pageRows
	order []*rowPage
}

// A rowPage has a bit for each row of the set.
type rowPage struct {
	first  int64 // row
	before uint32
	words  [pageWords]uint64
}

const (
	pageWords = 8
	pageRows  = 64 * pageWords
)

func (n *numbering) add(row int64) {
	p := n.pages[row/pageRows]
	if p == nil {
		p = &rowPage{first: row / pageRows * pageRows}
		n.pages[row/pageRows] = p
		n.order = append(n.order, p)
	}
	p.words[row%pageRows/64] |= 1 << (row % 64)
}

// seal numbers the rows, after which none may be added, and returns how many
// there are.
func (n *numbering) seal() (int, error) {
	slices.SortFunc(n.order, func(a, b *rowPage) int {
		if a.first < b.first {
			return -1
		}
		return 1
	})
	total := 0
	for _, p := range n.order {
		p.before = uint32(total)
		for _, w := range p.words {
			total += bits.OnesCount64(w)
		}
		if int64(total) > math.MaxUint32 {
			return 0, fmt.Errorf("edges name more than %d rows, which one process takes", uint32(math.MaxUint32))
		}
	}
	return total, nil
}

// ordinal is the number of a row, if it is in the set.
func (n *numbering) ordinal(row int64) (uint32, bool) {
	p := n.pages[row/pageRows]
	if p == nil {
		return 0, false
	}
	at := row % pageRows / 64
	i := p.before
	for _, w := range p.words[:at] {
		i += uint32(bits.OnesCount64(w))
	}
	bit := uint64(1) << (row % 64)
	return i + uint32(bits.OnesCount64(p.words[at]&(bit-1))), p.words[at]&bit != 0
}

// row is the row of a number.
func (n *numbering) row(i uint32) int64 {
	at, found := slices.BinarySearchFunc(n.order, i, func(p *rowPage, i uint32) int {
		return int(int64(p.before) - int64(i))
	})
	if !found {
		at--
	}
	p := n.order[at]
	left := int(i - p.before)
	for j, w := range p.words {
		if ones := bits.OnesCount64(w); left >= ones {
			left -= ones
			continue
		}
		for ; left > 0; left-- {
			w &= w - 1
		}
		return p.first + int64(64*j+bits.TrailingZeros64(w))
	}
	panic("unreachable: a page has the numbers up to that of the next")
}

// each calls do with all numbers and rows in their order, until it says no.
func (n *numbering) each(do func(i uint32, row int64) bool) {
	i := uint32(0)
	for _, p := range n.order {
		for j, w := range p.words {
			for ; w != 0; w &= w - 1 {
				if !do(i, p.first+int64(64*j+bits.TrailingZeros64(w))) {
					return
				}
				i++
			}
		}
	}
}
