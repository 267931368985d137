// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// A Columns is what a table says of documents by name, as quality of genomes or
// language of texts.
type Columns struct {
	names  []string
	values map[string][]string
}

// ReadColumns reads a tab-separated table with a header; its first column is
// the name of a document.
func ReadColumns(path string) (*Columns, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, sketch.BadInput(path, fmt.Errorf("cannot be opened"))
	}
	defer f.Close()
	c := &Columns{values: map[string][]string{}}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 16<<20)
	for line := uint64(1); in.Scan(); line++ {
		cells := strings.Split(strings.TrimRight(in.Text(), "\r"), "\t")
		switch {
		case line == 1:
			c.names = cells
		case len(cells) != len(c.names):
			return nil, &sketch.InputError{Path: path, Record: line, Offset: -1, Err: fmt.Errorf("%d columns, the header has %d", len(cells), len(c.names))}
		case c.values[cells[0]] != nil:
			return nil, &sketch.InputError{Path: path, Record: line, Name: cells[0], Offset: -1, Err: fmt.Errorf("the name comes again")}
		default:
			c.values[cells[0]] = cells
		}
	}
	if err := in.Err(); err != nil {
		return nil, sketch.BadInput(path, err)
	}
	return c, nil
}

// Has says whether there is a column.
func (c *Columns) Has(name string) bool { return slices.Contains(c.names, name) }

// of is the value of a document in a column, "" if there is none.
func (c *Columns) of(id, column string) string {
	if row := c.values[id]; row != nil {
		return row[slices.Index(c.names, column)]
	}
	return ""
}

// fields are the columns that are wanted of a corpus.
func (o *Options) fields() []string {
	var names []string
	if o.Table != nil {
		return nil
	}
	for _, name := range []string{o.Column, o.Group} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// column enters what columns say of the document that was added last.
func (p *pipeline) column(fields []string, place uint32) {
	o, d := &p.opts, p.docs
	id := d.ids[len(d.ids)-1]
	d.sources = append(d.sources, place)
	next := func(name string) string {
		if o.Table != nil {
			return o.Table.of(id, name)
		}
		v := fields[0]
		fields = fields[1:]
		return v
	}
	if o.Column != "" {
		d.quality = append(d.quality, next(o.Column))
	}
	if o.Group != "" {
		d.groups = append(d.groups, next(o.Group))
	}
}

// checkColumns refuses a column that no document has a value in.
func (p *pipeline) checkColumns(paths []string) error {
	missing := func(values []string) bool {
		return len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return v != "" })
	}
	name := p.opts.Column
	if !missing(p.docs.quality) {
		if name = p.opts.Group; !missing(p.docs.groups) {
			return nil
		}
	}
	return sketch.BadInput(paths[0], fmt.Errorf("no document has the field %q", name))
}
