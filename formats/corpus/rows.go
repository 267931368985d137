// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"fmt"
	"io"
)

// A rowSource reads a member a line. The rows of a set stand together; a set
// that comes again is another set of the same name, which whoever counts names
// refuses. A set may go on over blocks, so rows are parsed where they are cut.
type rowSource struct {
	in     *counted
	blocks *blockReader
	opts   SetOptions
	layout *rowLayout // nil before the first line
	fields [][]byte

	sets  []Document // that are whole, and the one under way
	bytes int        // of members in sets
	open  int        // bytes of members of the set under way
}

func newRowSource(in *counted, path string, o SetOptions) *rowSource {
	return &rowSource{in: in, blocks: newBlockReader(in, path), opts: o}
}

func (s *rowSource) close() error { return s.in.Close() }

func (s *rowSource) next() (Batch, error) {
	for {
		b, err := s.blocks.next()
		if err == io.EOF && len(s.sets) > 0 {
			return s.cut(len(s.sets)), nil
		}
		if err != nil {
			return nil, err
		}
		if err := b.each(s.row); err != nil {
			return nil, err
		}
		if whole := len(s.sets) - 1; whole > 0 && s.bytes >= batchBytes/4 {
			return s.cut(whole), nil
		}
	}
}

// cut hands out the first n sets.
func (s *rowSource) cut(n int) Batch {
	sets := s.sets[:n:n]
	s.sets = append([]Document(nil), s.sets[n:]...)
	s.bytes = s.open
	return func(yield func(*Document) error) error {
		for i := range sets {
			if err := yield(&sets[i]); err != nil {
				return err
			}
		}
		return nil
	}
}

// row adds a line to the set under way or begins the next one. Members are
// parts of the block, which stays for their sake.
func (s *rowSource) row(line []byte, number uint64, offset int64) error {
	at := Document{Source: s.blocks.path, Record: number, Offset: offset}
	if i := invalid(line); i >= 0 {
		at.Offset += int64(i)
		return at.fail(errNotUTF8)
	}
	if s.layout == nil {
		l, err := s.opts.layout(line)
		if err != nil {
			return at.fail(err)
		}
		s.layout = &l
		if l.header {
			return nil
		}
	}
	var err error
	if s.fields, err = cells(s.fields[:0], line, s.layout.separator); err != nil {
		return at.fail(err)
	}
	id, member, weight, err := s.layout.pick(s.fields)
	if err != nil {
		return at.fail(err)
	}
	if n := len(s.sets); n == 0 || s.sets[n-1].ID != string(id) {
		at.ID = string(id)
		s.sets = append(s.sets, at)
		s.open = 0
	}
	set := &s.sets[len(s.sets)-1]
	set.Members = append(set.Members, member)
	if s.layout.weight >= 0 {
		set.Weights = append(set.Weights, weight)
	}
	s.bytes += len(member) + 1
	if s.open += len(member) + 1; s.open > MaxDocument {
		return set.fail(fmt.Errorf("set of more than %d bytes of members", MaxDocument))
	}
	return nil
}
