// SPDX-License-Identifier: Apache-2.0

package table

import "bytes"

// values are the large columns of all rows.
type values struct {
	hashes, abundances *lists
	signatures         []string // "" where null: no signature is empty
}

func newValues(f *footer) *values {
	return &values{
		hashes: newLists(f, colHashes), abundances: newLists(f, colAbundances),
		signatures: make([]string, f.rows),
	}
}

// read reads the large columns of the group numbered i.
func (v *values) read(p *pageReader, f *footer, i int) error {
	g := &f.groups[i]
	if err := p.column(g, colHashes, v.hashes.sink(i)); err != nil {
		return err
	}
	if err := p.column(g, colAbundances, v.abundances.sink(i)); err != nil {
		return err
	}
	return p.column(g, colSignature, sink{page: texts(func(row int, s string) { v.signatures[row] = s })})
}

// lists is a list column of all rows on one flat backing.
type lists struct {
	flat  []uint64
	spans []span // by row
	base  []int  // by group: where its first value goes in flat
}

// A span is a row's piece of flat. The zero span is null.
type span struct {
	at, n int
	ok    bool
}

// newLists allocates for the lists of column col. The footer counts nulls and
// empty lists as values, which leaves gaps at the ends of groups.
func newLists(f *footer, col int) *lists {
	l := &lists{spans: make([]span, f.rows), base: make([]int, len(f.groups))}
	n := 0
	for i := range f.groups {
		l.base[i] = n
		c := &f.groups[i].chunks[col]
		n += int(min(int64(c.values), c.size/8))
	}
	l.flat = make([]uint64, n)
	return l
}

// slice is the list of a row, nil for null.
func (l *lists) slice(s span) []uint64 {
	if !s.ok {
		return nil
	}
	return l.flat[s.at : s.at+s.n : s.at+s.n]
}

// sink takes the pages of group i. Values are read to where they stay.
func (l *lists) sink(i int) sink {
	at := l.base[i]
	s := sink{page: func(first int, pg *page) error {
		n, err := split(l.spans[first:first+pg.rows], pg, at)
		if err != nil {
			return err
		}
		if !littleEndian {
			putWords(l.flat[at:at+n], pg.data)
		}
		at += n
		return nil
	}}
	if littleEndian {
		s.room = func(n int) []byte { return memory(l.flat[at : at+n/8]) }
	}
	return s
}

// split finds the rows of a page from its levels and returns how many values
// they hold, which go to flat from at on. A repetition level of 0 begins a row;
// a definition level of 0 is null, 1 an empty list, 2 a value.
func split(spans []span, pg *page, at int) (int, error) {
	repetition, definition := pg.repetition, pg.definition
	n := 0
	for i := range spans {
		if len(repetition) == 0 || repetition[0] != 0 {
			return 0, errLevels
		}
		length := 1 + bytes.IndexByte(repetition[1:], 0)
		if length == 0 {
			length = len(repetition)
		}
		switch {
		case length == 1 && definition[0] == 0:
			spans[i] = span{}
		case length == 1 && definition[0] == 1:
			spans[i] = span{at: at + n, ok: true}
		case bytes.Count(definition[:length], []byte{2}) != length:
			return 0, errLevels
		default:
			spans[i] = span{at: at + n, n: length, ok: true}
			n += length
		}
		repetition, definition = repetition[length:], definition[length:]
	}
	if len(repetition) > 0 {
		return 0, errLevels
	}
	return n, nil
}
