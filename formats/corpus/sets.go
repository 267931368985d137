// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// The layouts of sets, as SetOptions.Layout spells them.
const (
	MembersOnly = "members"    // a line is a set: its members
	NamedSets   = "id-members" // a line is a set: its name, then its members
	Rows        = "rows"       // a line is a member: name of the set, member and, if given, weight, in columns
)

// SetOptions say how sets are laid out.
type SetOptions struct {
	Layout string

	// Separator is a byte between members or columns. The zero value is white
	// space for lines of members, and for Rows a tab, or, if there is none in
	// the first line, a comma. Between commas, columns may be quoted as in
	// RFC 4180, but do not go on over line ends.
	Separator byte

	// Columns of Rows: name of the set, member, and weight if there are three.
	// Either all are numbers, from 1, or all are names, which the first line
	// has. The zero value is 1,2.
	Columns []string
}

func (o *SetOptions) validate() error {
	switch o.Layout {
	case MembersOnly, NamedSets:
		if o.Columns != nil {
			return fmt.Errorf("columns go with sets laid out as %s", Rows)
		}
	case Rows:
		if n := len(o.Columns); n != 0 && n != 2 && n != 3 {
			return fmt.Errorf("%d columns of sets; name and member, or name, member and weight expected", n)
		}
	default:
		return fmt.Errorf("sets laid out as %q; %s, %s or %s expected", o.Layout, MembersOnly, NamedSets, Rows)
	}
	return nil
}

func openSets(path string, o Options) (source, error) {
	in, err := openStream(path, o)
	if err != nil {
		return nil, err
	}
	if o.Sets.Layout == Rows {
		return newRowSource(in, path, o.Sets), nil
	}
	return &setSource{in, newBlockReader(in, path), o.Sets}, nil
}

// A setSource reads a set a line.
type setSource struct {
	in     *counted
	blocks *blockReader
	opts   SetOptions
}

func (s *setSource) close() error { return s.in.Close() }

func (s *setSource) next() (Batch, error) {
	b, err := s.blocks.next()
	if err != nil {
		return nil, err
	}
	return func(yield func(*Document) error) error {
		doc := Document{Source: s.blocks.path}
		var fields [][]byte
		return b.each(func(line []byte, number uint64, offset int64) error {
			doc.Record, doc.Offset, doc.ID = number, offset, ""
			if at := invalid(line); at >= 0 {
				doc.Offset += int64(at)
				return doc.fail(errNotUTF8)
			}
			fields = s.opts.members(fields[:0], line)
			doc.Members = fields
			doc.ID = numbered(&doc)
			if s.opts.Layout == NamedSets {
				doc.ID, doc.Members = string(fields[0]), fields[1:]
			}
			return yield(&doc)
		})
	}, nil
}

// members appends what separators separate; between two separators in a row
// there is no member.
func (o *SetOptions) members(dst [][]byte, line []byte) [][]byte {
	if o.Separator == 0 {
		return append(dst, bytes.Fields(line)...)
	}
	for f := range bytes.SplitSeq(line, []byte{o.Separator}) {
		if len(f) > 0 || len(dst) == 0 && o.Layout == NamedSets {
			dst = append(dst, f)
		}
	}
	return dst
}

// cells splits a line of Rows into columns.
func cells(dst [][]byte, line []byte, separator byte) ([][]byte, error) {
	for {
		if separator == ',' && len(line) > 0 && line[0] == '"' {
			value, rest, err := quoted(line[1:])
			if err != nil {
				return nil, err
			}
			dst = append(dst, value)
			if len(rest) == 0 {
				return dst, nil
			}
			if rest[0] != separator {
				return nil, errors.New("something stands between a closing quote and the comma after it")
			}
			line = rest[1:]
			continue
		}
		at := bytes.IndexByte(line, separator)
		if at < 0 {
			return append(dst, line), nil
		}
		dst = append(dst, line[:at])
		line = line[at+1:]
	}
}

// quoted reads a quoted column behind its opening quote; two quotes in it are
// one.
func quoted(line []byte) (value, rest []byte, err error) {
	doubled := false
	for i := 0; i < len(line); i++ {
		if line[i] != '"' {
			continue
		}
		if i+1 < len(line) && line[i+1] == '"' {
			doubled = true
			i++
			continue
		}
		value = line[:i]
		if doubled {
			value = bytes.ReplaceAll(value, []byte(`""`), []byte(`"`))
		}
		return value, line[i+1:], nil
	}
	return nil, nil, errors.New("a quote is not closed on its line")
}

// A rowLayout is where the columns are that are read.
type rowLayout struct {
	separator byte
	id        int
	member    int
	weight    int // -1 if there is none
	header    bool
}

// layout finds the columns, in the first line of the file where they are given
// by name.
func (o *SetOptions) layout(first []byte) (rowLayout, error) {
	l := rowLayout{separator: o.Separator, weight: -1}
	if l.separator == 0 {
		l.separator = ','
		if bytes.IndexByte(first, '\t') >= 0 {
			l.separator = '\t'
		}
	}
	names := o.Columns
	if names == nil {
		names = []string{"1", "2"}
	}
	at := make([]int, len(names))
	numbers := 0
	for i, name := range names {
		if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= math.MaxInt32 {
			at[i] = n - 1
			numbers++
		}
	}
	if numbers < len(names) {
		l.header = true
		header, err := cells(nil, first, l.separator)
		if err != nil {
			return rowLayout{}, err
		}
		for i, name := range names {
			at[i] = slices.IndexFunc(header, func(h []byte) bool { return string(h) == name })
			if at[i] < 0 {
				return rowLayout{}, fmt.Errorf("no column %q in the first line", name)
			}
		}
	}
	l.id, l.member = at[0], at[1]
	if len(at) == 3 {
		l.weight = at[2]
	}
	return l, nil
}

// pick takes the columns of interest out of a line.
func (l *rowLayout) pick(fields [][]byte) (id, member []byte, weight float64, err error) {
	if need := max(l.id, l.member, l.weight) + 1; len(fields) < need {
		return nil, nil, 0, fmt.Errorf("%d columns where column %d is needed", len(fields), need)
	}
	id, member, weight = fields[l.id], fields[l.member], 1
	if len(id) == 0 {
		return nil, nil, 0, errors.New("no name of the set")
	}
	if l.weight >= 0 {
		weight, err = strconv.ParseFloat(string(bytes.TrimSpace(fields[l.weight])), 64)
		if err != nil || !(weight >= 0) || math.IsInf(weight, 1) {
			return nil, nil, 0, fmt.Errorf("weight %q is not a number from 0 on", fields[l.weight])
		}
	}
	return id, member, weight, nil
}
