// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"cmp"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/sketch"
)

// documents are what is known of each row.
type documents struct {
	rows    []int64 // as tables have them; nil if they are places in the input
	ids     []string
	lengths []uint64 // characters, or members
	sizes   []uint32 // distinct elements
	first   []uint32 // the first row with the same elements in the same order
	seen    map[[16]byte]uint32
	bare    map[[16]byte]uint32 // documents without elements, by their bytes
	sources []uint32            // place of the input
	quality []string            // by which one is kept; empty unless a rule needs it
	groups  []string            // by which removals are counted; empty unless wanted
	known   int                 // rows before this one are references
}

// isNew is 0 for a reference, 1 for a document to be judged.
func (d *documents) isNew(row uint32) int {
	if int(row) < d.known {
		return 0
	}
	return 1
}

func newDocuments() *documents {
	return &documents{seen: map[[16]byte]uint32{}, bare: map[[16]byte]uint32{}}
}

// add enters a document and says whether it is the first of its kind. Those
// without elements are copies of each other only if they are equal byte by
// byte.
func (d *documents) add(m sketch.Meta, e *elements, text []byte) (row uint32, first bool) {
	row = uint32(len(d.ids))
	d.ids = append(d.ids, m.ID)
	d.lengths = append(d.lengths, m.Length)
	d.sizes = append(d.sizes, uint32(len(e.hashes)))
	kind, key := d.seen, e.digest
	if len(e.hashes) == 0 {
		kind, key = d.bare, xxh3.Hash128(text).Bytes()
	}
	of, known := kind[key]
	if !known {
		of = row
		kind[key] = row
	}
	d.first = append(d.first, of)
	return row, !known
}

// row is that of the tables, or the place among references or among the others.
func (d *documents) row(i uint32) int64 {
	switch {
	case d.rows != nil:
		return d.rows[i]
	case int(i) >= d.known:
		return int64(int(i) - d.known)
	}
	return int64(i)
}

// byName ranks rows by name, references before others, rows of one name by
// number.
func (d *documents) byName() Order {
	rows := make([]uint32, len(d.ids))
	for i := range rows {
		rows[i] = uint32(i)
	}
	less := func(a, b uint32) int {
		return cmp.Or(cmp.Compare(d.isNew(a), d.isNew(b)), cmp.Compare(d.ids[a], d.ids[b]), cmp.Compare(a, b))
	}
	if !slices.IsSortedFunc(rows, less) {
		slices.SortFunc(rows, less)
	}
	return ranks(rows)
}

// ranks is the inverse of a list of all rows.
func ranks(rows []uint32) Order {
	order := make(Order, len(rows))
	for rank, row := range rows {
		order[row] = uint32(rank)
	}
	return order
}

// standing gives the first of each kind of copies the best rank among them, so
// that it does not matter which of them was read first.
func (d *documents) standing(order Order) Order {
	out := make(Order, len(d.first))
	best := make([]uint32, len(d.first)) // of the copies of a first row: the row with the best rank
	for row, first := range d.first {
		out[row] = order.of(uint32(row))
		if best[row] = uint32(row); order.of(uint32(row)) < order.of(best[first]) {
			best[first] = uint32(row)
		}
	}
	for row, first := range d.first {
		if uint32(row) == first && best[row] != first {
			out[row], out[best[row]] = out[best[row]], out[row]
		}
	}
	return out
}
