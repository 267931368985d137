// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"io"

	"github.com/gsketch/gsketch/formats/lean"
	"github.com/gsketch/gsketch/formats/milvus"
	"github.com/gsketch/gsketch/formats/msh"
	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/formats/table"
	"github.com/gsketch/gsketch/sketch"
)

// A Writer writes sketches one after the other. Close completes the file; it
// does not close what lies below. The same sketches give the same bytes.
type Writer interface {
	Write(sketch.Item) error
	Close() error
}

// WriteOptions say what a file tells of itself.
type WriteOptions struct {
	CreatedBy string        // Table: name and version of the program
	Empty     sketch.Params // Msh: parameters of a file without a sketch
	Layout    Layout
	RowBase   int64 // Table: number of the first sketch
}

// A Layout says how values lie in files that do not tell it themselves.
type Layout struct {
	Lean   lean.Layout
	Milvus milvus.Layout // of 0 bits: the narrowest that fits, with the byte order given
}

// NewWriter returns a Writer of files of a kind; Directory is none of them
// (see sig.NewDirWriter).
func NewWriter(w io.Writer, kind Kind, o WriteOptions) (Writer, error) {
	switch kind {
	case Table:
		return table.NewWriter(w, table.Options{CreatedBy: o.CreatedBy, RowBase: o.RowBase}), nil
	case Msh:
		return &mshWriter{w: w, params: o.Empty}, nil
	case Sig:
		return adder{sig.NewWriter(w)}, nil
	case SigGz:
		return adder{sig.NewGzipWriter(w)}, nil
	case Zip:
		return adder{sig.NewZipWriter(w)}, nil
	case Lean:
		return &leanWriter{below: lean.NewWriter(w, o.Layout.Lean)}, nil
	case Milvus:
		return &milvusWriter{w: w, layout: o.Layout.Milvus, ids: map[string]bool{}}, nil
	}
	return nil, fmt.Errorf("not a format that can be written")
}

// adder gives the writers of package sig the name that the others use.
type adder struct {
	w interface {
		Add(sketch.Item) error
		Close() error
	}
}

func (a adder) Write(it sketch.Item) error { return a.w.Add(it) }
func (a adder) Close() error               { return a.w.Close() }

// A mshWriter holds all sketches until the end: the size of a Cap'n Proto
// message stands before it.
type mshWriter struct {
	w      io.Writer
	params sketch.Params // of the first sketch
	items  []sketch.Item
}

func (m *mshWriter) Write(it sketch.Item) error {
	p := it.Sketch.Params()
	if len(m.items) == 0 {
		m.params = p
	}
	if p != m.params {
		return fmt.Errorf("a .msh file holds sketches of one kind: %s (%s) is not %s", p, it.Meta.Label(), m.params)
	}
	m.items = append(m.items, it)
	return nil
}

func (m *mshWriter) Close() error {
	list, err := sketch.NewList(m.params, m.items)
	if err != nil {
		return err
	}
	return msh.Write(m.w, list)
}

// A leanWriter keeps signatures of one kind: the file does not say by which
// hash of what they were made, so a reader could not tell two apart.
type leanWriter struct {
	params sketch.Params // of the first sketch
	below  *lean.Writer
}

func (l *leanWriter) Write(it sketch.Item) error {
	p := it.Sketch.Params()
	if l.params == (sketch.Params{}) {
		l.params = p
	}
	if p != l.params {
		return fmt.Errorf("a .lean file holds signatures of one kind: %s (%s) is not %s", p, it.Meta.Label(), l.params)
	}
	return l.below.Write(it)
}

func (l *leanWriter) Close() error { return l.below.Close() }

// A milvusWriter checks what a collection of Milvus demands: vectors of one
// kind, and a key for each.
type milvusWriter struct {
	w      io.Writer
	layout milvus.Layout
	params sketch.Params // of the first sketch
	ids    map[string]bool
	below  *milvus.Writer
}

func (m *milvusWriter) Write(it sketch.Item) error {
	p, id := it.Sketch.Params(), it.Meta.Label()
	if m.below == nil {
		m.open(p)
	}
	if p != m.params {
		return fmt.Errorf("vectors of Milvus are of one kind: %s (%s) is not %s", p, id, m.params)
	}
	if id == "" || m.ids[id] {
		return fmt.Errorf("the name %q cannot be a key of Milvus: it must not be empty, and be there once", id)
	}
	m.ids[id] = true
	return m.below.Write(it)
}

func (m *milvusWriter) open(p sketch.Params) {
	if m.params = p; m.layout.Bits == 0 {
		m.layout.Bits = milvus.Fitting(p).Bits
	}
	m.below = milvus.NewWriter(m.w, m.layout)
}

func (m *milvusWriter) Close() error {
	if m.below == nil {
		m.open(sketch.Params{})
	}
	return m.below.Close()
}
