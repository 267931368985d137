// SPDX-License-Identifier: Apache-2.0

package corpus

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

// parquet-go's own reader of pages is not used: what a page header or a run of
// levels claims, it allocates. Its formats and its decoders of runs are.

// A parquetSource reads two columns of a table, row by row.
type parquetSource struct {
	file   *os.File
	path   string
	opts   Options
	groups []format.RowGroup
	id     *cursor // nil if rows are numbered
	text   *cursor
	row    uint64
	left   int64 // rows of the group under way
}

func openParquet(path string, o Options) (source, error) {
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
	s := &parquetSource{file: f, path: path, opts: o}
	if err := s.start(); err != nil {
		f.Close()
		return nil, s.fail(err)
	}
	return s, nil
}

func (s *parquetSource) close() error { return s.file.Close() }

// fail adds the path and the row to an error, which may know its offset.
func (s *parquetSource) fail(err error) error {
	in := &sketch.InputError{Offset: -1, Err: err}
	errors.As(err, &in)
	in.Path, in.Record = s.path, s.row
	return in
}

// start reads the footer and finds the columns.
func (s *parquetSource) start() error {
	st, err := s.file.Stat()
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() {
		return errors.New("Parquet begins at its end: give a file, no pipe")
	}
	meta, err := readFooter(s.file, st.Size())
	if err != nil {
		return err
	}
	s.groups = meta.RowGroups
	leaves, err := leavesOf(meta.Schema)
	if err != nil {
		return err
	}
	for i := range s.groups {
		if len(s.groups[i].Columns) != len(leaves) {
			return fmt.Errorf("row group %d has %d columns where the schema has %d", i, len(s.groups[i].Columns), len(leaves))
		}
	}
	if s.text, err = s.column(leaves, s.opts.Text, format.ByteArray); err != nil || s.opts.ID == "" {
		return err
	}
	s.id, err = s.column(leaves, s.opts.ID, format.ByteArray, format.Int32, format.Int64)
	return err
}

// column returns a cursor on the column of that name.
func (s *parquetSource) column(leaves []leaf, name string, types ...format.Type) (*cursor, error) {
	for i, l := range leaves {
		if l.name != name {
			continue
		}
		for _, t := range types {
			if l.kind == t && !l.repeated {
				return &cursor{r: s.file, count: s.opts.Read, leaf: l, index: i}, nil
			}
		}
		return nil, fmt.Errorf("column %q holds neither strings nor, as a name, integers", name)
	}
	return nil, fmt.Errorf("no column %q", name)
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

// batchRows is the most rows of a batch.
const batchRows = 4096

// next copies the next rows out of the pages.
func (s *parquetSource) next() (Batch, error) {
	type row struct{ id, text int } // ends in arena
	var rows []row
	var arena []byte
	first := s.row + 1
	for len(rows) < batchRows && len(arena) < batchBytes {
		ok, err := s.step()
		if err != nil {
			return nil, s.fail(err)
		}
		if !ok {
			break
		}
		var at row
		if s.id != nil {
			if arena, err = s.id.appendNext(arena); err == errNull {
				err = errors.New("the name is null")
			}
			if err != nil {
				return nil, s.fail(err)
			}
		}
		at.id = len(arena)
		if arena, err = s.text.appendNext(arena); err != nil && err != errNull { // null is an empty document
			return nil, s.fail(err)
		}
		at.text = len(arena)
		rows = append(rows, at)
	}
	if len(rows) == 0 {
		return nil, io.EOF
	}
	return func(yield func(*Document) error) error {
		doc := Document{Source: s.path, Offset: -1}
		start := 0
		for i, at := range rows {
			doc.Record = first + uint64(i)
			doc.ID, doc.Text = string(arena[start:at.id]), arena[at.id:at.text]
			start = at.text
			if s.id == nil {
				doc.ID = numbered(&doc)
			}
			if invalid([]byte(doc.ID)) >= 0 || invalid(doc.Text) >= 0 {
				return doc.fail(errNotUTF8)
			}
			if err := yield(&doc); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// step goes to the next row; false at the end.
func (s *parquetSource) step() (bool, error) {
	for s.left == 0 {
		if len(s.groups) == 0 {
			return false, nil
		}
		g := s.groups[0]
		s.groups = s.groups[1:]
		for _, c := range []*cursor{s.id, s.text} {
			if c == nil {
				continue
			}
			if err := c.open(&g.Columns[c.index], g.NumRows); err != nil {
				return false, err
			}
		}
		s.left = g.NumRows
	}
	s.left--
	s.row++
	return true, nil
}
