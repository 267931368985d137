// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/sketch"
)

// A picklist is a column of a CSV that says which sketches to take, or which
// not, as sourmash has it: FILE:COLUMN:TYPE[:include|:exclude].
type picklist struct {
	path    string
	kind    string
	exclude bool
	values  map[string]bool // whether a sketch had it
}

// pickKinds are what values of a picklist are compared with. Of those with
// columns, which are tables of sourmash and of gsketch, the column is not said.
var pickKinds = map[string]struct {
	columns []string // name, md5
	value   func(name, md5 string) string
	digest  bool // md5 is needed
}{
	"name":        {value: func(name, _ string) string { return name }},
	"ident":       {value: func(name, _ string) string { return ident(name) }},
	"identprefix": {value: func(name, _ string) string { prefix, _, _ := strings.Cut(ident(name), "."); return prefix }},
	"md5":         {value: func(_, md5 string) string { return md5 }, digest: true},
	"md5short":    {value: func(_, md5 string) string { return short(md5) }, digest: true},
	"md5prefix8":  {value: func(_, md5 string) string { return short(md5) }, digest: true},
	"manifest":    {columns: []string{"name", "md5"}, value: identAndShort, digest: true},
	"gather":      {columns: []string{"name", "md5"}, value: identAndShort, digest: true},
	"search":      {columns: []string{"name", "md5"}, value: identAndShort, digest: true},
	"prefetch":    {columns: []string{"match_name", "match_md5"}, value: identAndShort, digest: true},
}

// ident is the first word of a name, an accession more often than not.
func ident(name string) string {
	word, _, _ := strings.Cut(name, " ")
	return word
}

func short(md5 string) string { return md5[:min(8, len(md5))] }

func identAndShort(name, md5 string) string { return ident(name) + " " + short(md5) }

// readPicklist reads the CSV that an argument names. Rows without a value are
// passed over.
func readPicklist(arg string) (*picklist, error) {
	usage := func(what string) (*picklist, error) {
		return nil, usagef("--picklist %s: %s; FILE:COLUMN:TYPE[:include|:exclude] with TYPE one of name, ident, identprefix, md5, md5short, md5prefix8, or FILE::TYPE with TYPE one of manifest, gather, prefetch, search", arg, what)
	}
	parts := strings.Split(arg, ":")
	p := &picklist{values: map[string]bool{}}
	if n := len(parts); n > 3 && (parts[n-1] == "include" || parts[n-1] == "exclude") {
		p.exclude = parts[n-1] == "exclude"
		parts = parts[:n-1]
	}
	if len(parts) < 3 {
		return usage("not all is said")
	}
	n := len(parts)
	p.path, p.kind = strings.Join(parts[:n-2], ":"), parts[n-1]
	kind, ok := pickKinds[p.kind]
	if !ok {
		return usage("no such type: " + p.kind)
	}
	columns := kind.columns
	if column := parts[n-2]; columns == nil {
		columns = []string{column, column}
	} else if column != "" {
		return usage("of type " + p.kind + " the column is known")
	}
	err := eachRow(p.path, columns, func(_ int, row []string) error {
		name, md5 := row[0], row[1]
		if name != "" || md5 != "" {
			p.values[kind.value(name, md5)] = false
		}
		return nil
	})
	if err == nil && len(p.values) == 0 && !p.exclude {
		err = sketch.BadInput(p.path, errors.New("no value in the column"))
	}
	return p, err
}

// takes says whether the list lets a sketch through, and notes it.
func (p *picklist) takes(name, md5 string) bool {
	value := pickKinds[p.kind].value(name, md5)
	_, there := p.values[value]
	if there {
		p.values[value] = true
	}
	return there != p.exclude
}

// missing lists the values that no sketch had.
func (p *picklist) missing() []string {
	var left []string
	for value, found := range p.values {
		if !found {
			left = append(left, value)
		}
	}
	slices.Sort(left)
	return left
}

// eachRow reads a CSV with a header, compressed or not, and calls yield with
// the fields of the columns named and the number of the line. Lines before the
// header that begin with # are passed over: manifests have one.
func eachRow(path string, columns []string, yield func(line int, fields []string) error) error {
	s, err := stream.Open(path, stream.Options{Threads: 1, Warn: func(string) {}})
	if err != nil {
		return err
	}
	defer s.Close()
	r := csv.NewReader(s)
	r.Comment = '#'
	header, err := r.Read()
	if err == io.EOF {
		err = errors.New("no header")
	}
	if err != nil {
		return sketch.BadInput(path, err)
	}
	r.Comment = 0 // names may begin with it
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	at := make([]int, len(columns))
	for i, column := range columns {
		if at[i] = slices.Index(header, column); at[i] < 0 {
			return sketch.BadInput(path, fmt.Errorf("no column %q; it has %s", column, strings.Join(header, ", ")))
		}
	}
	fields := make([]string, len(columns))
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return sketch.BadInput(path, err)
		}
		for i, j := range at {
			fields[i] = row[j]
		}
		line, _ := r.FieldPos(0)
		if err := yield(line, fields); err != nil {
			return err
		}
	}
}
