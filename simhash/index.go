// SPDX-License-Identifier: Apache-2.0

package simhash

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/gsketch/gsketch/internal/mix"
)

// An Index finds the fingerprints within a Hamming distance of d without
// looking at all of them, and misses none. The bits are cut into m > d blocks.
// Two fingerprints within d agree in at least m-d blocks, so there is a table
// for each choice of m-d blocks, sorted by these bits. Manku, Jain and Das Sarma
// 2007, doi:10.1145/1242572.1242592.
type Index struct {
	list     *List
	distance int
	tables   []table
}

// A table is the rows in the order of the bits of some blocks.
type table struct {
	mask    Fingerprint
	entries []entry
}

// An entry is the bits under the mask, mixed where they are of two words, and
// the row they are of.
type entry struct {
	key uint64
	row uint32
}

// maxTables bounds the number of tables, and thereby memory: 16 bytes per
// fingerprint and table.
const maxTables = 32

// NewIndex returns an index of the fingerprints now in the list, for distances
// up to the one given. It takes as many blocks as make the chosen bits tell
// about as many fingerprints apart as there are, as far as maxTables allows.
func NewIndex(l *List, distance int) (*Index, error) {
	if distance < 0 || distance >= maxTables {
		return nil, fmt.Errorf("distance %d is outside 0..%d; List.Within has no such limit", distance, maxTables-1)
	}
	x := &Index{list: &List{bits: l.bits, words: slices.Clip(l.words)}, distance: distance}
	m := blocks(l.bits, l.Len(), distance)
	choose(m, m-distance, func(chosen []int) { x.tables = append(x.tables, x.newTable(chosen, m)) })
	return x, nil
}

// blocks is the number of blocks to cut n fingerprints into.
func blocks(size, n, distance int) int {
	m := distance + 1
	for binomial(m+1, distance) <= maxTables && m < size && (m-distance)*size/m < bits.Len(uint(n)) {
		m++
	}
	return m
}

func binomial(n, k int) int {
	b := 1
	for i := 1; i <= k; i++ {
		b = b * (n - k + i) / i
	}
	return b
}

// choose calls yield with each choice of k of the numbers below n, ascending.
func choose(n, k int, yield func(chosen []int)) {
	chosen := make([]int, k)
	var pick func(i, from int)
	pick = func(i, from int) {
		if i == k {
			yield(chosen)
			return
		}
		for v := from; v <= n-(k-i); v++ {
			chosen[i] = v
			pick(i+1, v+1)
		}
	}
	pick(0, 0)
}

func (x *Index) newTable(chosen []int, m int) table {
	t := table{entries: make([]entry, x.list.Len())}
	for _, b := range chosen {
		for i := b * x.list.bits / m; i < (b+1)*x.list.bits/m; i++ {
			t.mask[i/64] |= 1 << (i % 64)
		}
	}
	for row := range t.entries {
		t.entries[row] = entry{t.key(x.list.At(row)), uint32(row)}
	}
	slices.SortFunc(t.entries, func(a, b entry) int {
		if a.key != b.key {
			if a.key < b.key {
				return -1
			}
			return 1
		}
		return int(a.row) - int(b.row)
	})
	return t
}

// key is the same for fingerprints that agree under the mask. That of 64 bits
// is those bits; two words are mixed into one, and what agrees by chance is
// sorted out with the distance.
func (t *table) key(f Fingerprint) uint64 {
	low, high := f[0]&t.mask[0], f[1]&t.mask[1]
	if t.mask[1] == 0 {
		return low
	}
	return mix.Bits64(low) ^ high
}

// Within appends the rows at most distance away from f, ascending. distance is
// at most that of the index.
func (x *Index) Within(dst []Match, f Fingerprint, distance int) ([]Match, error) {
	if distance > x.distance {
		return dst, fmt.Errorf("distance %d in an index made for %d", distance, x.distance)
	}
	if x.list.bits == 64 {
		f[1] = 0
	}
	from := len(dst)
	for i := range x.tables {
		t := &x.tables[i]
		key := t.key(f)
		at, _ := slices.BinarySearchFunc(t.entries, key, func(e entry, key uint64) int {
			switch {
			case e.key < key:
				return -1
			case e.key > key:
				return 1
			}
			return 0
		})
		for ; at < len(t.entries) && t.entries[at].key == key; at++ {
			row := t.entries[at].row
			if d := x.list.At(int(row)).Distance(f); d <= distance {
				dst = append(dst, Match{Row: row, Distance: d})
			}
		}
	}
	found := dst[from:]
	slices.SortFunc(found, func(a, b Match) int { return int(a.Row) - int(b.Row) })
	found = slices.Compact(found)
	return dst[:from+len(found)], nil
}
