// SPDX-License-Identifier: Apache-2.0

// Package columns reads chosen columns of Parquet tables that other programs
// wrote, row by row. Files are hostile: parquet-go's own reader of pages is not
// used, since what a page header or a run of levels claims, it allocates. Its
// formats and its decoders of runs are.
package columns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/gsketch/gsketch/internal/parquetcheck"
	"github.com/gsketch/gsketch/sketch"
)

// MaxPage bounds the bytes of a page, and of a value.
const MaxPage = 256 << 20

// A Type is what a column holds.
type Type = format.Type

// The types of columns that can be read.
const (
	Bool    = format.Boolean
	Int32   = format.Int32
	Int64   = format.Int64
	Float   = format.Float
	Double  = format.Double
	Strings = format.ByteArray
)

// A Table is an open file. It belongs to one goroutine.
type Table struct {
	file   *os.File
	path   string
	count  func(bytes int)
	groups []format.RowGroup
	leaves []leaf
	rows   int64
	chosen []*Column
	row    uint64
	left   int64 // rows of the group under way
}

// Open opens a table; count, which may be nil, is told what is read. Errors of
// it and of all methods are *sketch.InputError.
func Open(path string, count func(bytes int)) (*Table, error) {
	if path == "-" {
		return nil, sketch.BadInput(path, errors.New("Parquet begins at its end: give a file"))
	}
	f, err := os.Open(path)
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, sketch.BadInput(path, err)
	}
	t := &Table{file: f, path: path, count: count}
	if err := t.start(); err != nil {
		f.Close()
		return nil, t.Fail(err)
	}
	return t, nil
}

// Close closes the file.
func (t *Table) Close() error { return t.file.Close() }

// Rows is the number of rows that the footer tells.
func (t *Table) Rows() int64 { return t.rows }

// Row is the number of the row under way, from 1; 0 before the first.
func (t *Table) Row() uint64 { return t.row }

// Fail adds the path and the row to an error, which may know its offset.
func (t *Table) Fail(err error) error {
	in := &sketch.InputError{Offset: -1, Err: err}
	errors.As(err, &in)
	in.Path, in.Record = t.path, t.row
	return in
}

// start reads the footer.
func (t *Table) start() error {
	st, err := t.file.Stat()
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return errors.New("Parquet begins at its end: give a file, no pipe")
	}
	meta, err := readFooter(t.file, st.Size())
	if err != nil {
		return err
	}
	t.groups = meta.RowGroups
	if t.leaves, err = leavesOf(meta.Schema); err != nil {
		return err
	}
	for i := range t.groups {
		if len(t.groups[i].Columns) != len(t.leaves) {
			return fmt.Errorf("row group %d has %d columns where the schema has %d", i, len(t.groups[i].Columns), len(t.leaves))
		}
		t.rows += max(0, t.groups[i].NumRows)
	}
	return nil
}

// Has says whether there is a column of that name.
func (t *Table) Has(name string) bool {
	for _, l := range t.leaves {
		if l.name == name {
			return true
		}
	}
	return false
}

// Column chooses a column, whose type must be one of types, before the first
// row. Names within structures are joined by dots.
func (t *Table) Column(name string, types ...Type) (*Column, error) {
	for i, l := range t.leaves {
		if l.name != name {
			continue
		}
		for _, k := range types {
			if l.kind == k && !l.repeated {
				c := &Column{r: t.file, count: t.count, leaf: l, index: i}
				t.chosen = append(t.chosen, c)
				return c, nil
			}
		}
		var names []string
		for _, k := range types {
			names = append(names, strings.ToLower(k.String()))
		}
		return nil, t.Fail(fmt.Errorf("column %q is not of type %s", name, strings.Join(names, " or ")))
	}
	return nil, t.Fail(fmt.Errorf("no column %q", name))
}

// Next goes to the next row; false at the end. Each chosen column must be read
// once a row.
func (t *Table) Next() (bool, error) {
	for t.left == 0 {
		if len(t.groups) == 0 {
			return false, nil
		}
		g := t.groups[0]
		t.groups = t.groups[1:]
		for _, c := range t.chosen {
			if err := c.open(&g.Columns[c.index], g.NumRows); err != nil {
				return false, t.Fail(err)
			}
		}
		t.left = g.NumRows
	}
	t.left--
	t.row++
	return true, nil
}

// readFooter decodes the metadata at the end of a file.
func readFooter(r io.ReaderAt, size int64) (*format.FileMetaData, error) {
	const magic, tail = "PAR1", 8
	var last [tail]byte
	if size < int64(len(magic)+tail) {
		return nil, io.ErrUnexpectedEOF
	}
	if err := readFull(r, last[:], size-tail); err != nil {
		return nil, err
	}
	switch string(last[4:]) {
	case magic:
	case "PARE":
		return nil, errors.New("encrypted")
	default:
		return nil, fmt.Errorf("no Parquet footer at the end: %w", io.ErrUnexpectedEOF)
	}
	length := int64(binary.LittleEndian.Uint32(last[:4]))
	if length > size-int64(len(magic)+tail) {
		return nil, fmt.Errorf("a footer of %d bytes in a file of %d: %w", length, size, io.ErrUnexpectedEOF)
	}
	b := make([]byte, length)
	if err := readFull(r, b, size-tail-length); err != nil {
		return nil, err
	}
	meta := new(format.FileMetaData)
	if err := decodeThrift(b, meta); err != nil {
		return nil, fmt.Errorf("footer: %w", err)
	}
	return meta, nil
}

// decodeThrift decodes a structure that has passed the check of its claims.
func decodeThrift(b []byte, v any) error {
	n, err := parquetcheck.Thrift(b)
	if err != nil {
		return err
	}
	return thrift.Unmarshal(new(thrift.CompactProtocol), b[:n], v)
}

func readFull(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// A leaf is a column as the schema has it.
type leaf struct {
	name     string // names from the root on, joined by dots
	kind     format.Type
	depth    uint8 // definition level of what is not null
	repeated bool  // it, or something around it
}

// leavesOf lists the columns of a schema, which is a tree in preorder.
func leavesOf(schema []format.SchemaElement) ([]leaf, error) {
	if len(schema) == 0 {
		return nil, errors.New("no schema")
	}
	w := schemaWalk{left: schema[1:]}
	err := w.children(leaf{}, int(schema[0].NumChildren.V), 0)
	if err == nil && len(w.left) > 0 {
		err = errSchema
	}
	return w.leaves, err
}

var errSchema = errors.New("malformed schema")

type schemaWalk struct {
	left   []format.SchemaElement
	leaves []leaf
}

func (w *schemaWalk) children(parent leaf, n, depth int) error {
	const deepest = 100
	if n < 0 || n > len(w.left) || depth > deepest {
		return errSchema
	}
	for range n {
		if len(w.left) == 0 {
			return errSchema
		}
		e := w.left[0]
		w.left = w.left[1:]
		l := parent
		l.name = strings.TrimPrefix(parent.name+"."+e.Name, ".")
		l.kind = e.Type.V
		switch e.RepetitionType.V {
		case format.Optional:
			l.depth++
		case format.Repeated:
			l.depth++
			l.repeated = true
		}
		if e.NumChildren.V > 0 {
			if err := w.children(l, int(e.NumChildren.V), depth+1); err != nil {
				return err
			}
			continue
		}
		w.leaves = append(w.leaves, l)
	}
	return nil
}
