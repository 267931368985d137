// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"io"

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
}

// NewWriter returns a Writer of files of a kind; Directory is none of them
// (see sig.NewDirWriter).
func NewWriter(w io.Writer, kind Kind, o WriteOptions) (Writer, error) {
	switch kind {
	case Table:
		return table.NewWriter(w, table.Options{CreatedBy: o.CreatedBy}), nil
	case Msh:
		return &mshWriter{w: w, params: o.Empty}, nil
	case Sig:
		return adder{sig.NewWriter(w)}, nil
	case SigGz:
		return adder{sig.NewGzipWriter(w)}, nil
	case Zip:
		return adder{sig.NewZipWriter(w)}, nil
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
