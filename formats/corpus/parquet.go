// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"errors"
	"io"

	"github.com/gsketch/gsketch/formats/columns"
)

// A parquetSource reads two columns of a table, row by row.
type parquetSource struct {
	table *columns.Table
	path  string
	id    *columns.Column // nil if rows are numbered
	text  *columns.Column
	more  []*columns.Column // Options.Fields
}

func openParquet(path string, o Options) (source, error) {
	t, err := columns.Open(path, o.Read)
	if err != nil {
		return nil, err
	}
	s := &parquetSource{table: t, path: path}
	if s.text, err = t.Column(o.Text, columns.Strings); err == nil && o.ID != "" {
		s.id, err = t.Column(o.ID, columns.Strings, columns.Int32, columns.Int64)
	}
	for _, name := range o.Fields {
		if err == nil {
			var c *columns.Column
			c, err = t.Column(name, columns.Strings, columns.Int32, columns.Int64, columns.Double, columns.Float, columns.Bool)
			s.more = append(s.more, c)
		}
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	return s, nil
}

func (s *parquetSource) close() error { return s.table.Close() }

// batchRows is the most rows of a batch.
const batchRows = 4096

// next copies the next rows out of the pages.
func (s *parquetSource) next() (Batch, error) {
	type row struct {
		id, text int // ends in arena
		fields   []string
	}
	var rows []row
	var arena []byte
	first := s.table.Row() + 1
	for len(rows) < batchRows && len(arena) < batchBytes {
		ok, err := s.table.Next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		var at row
		if s.id != nil {
			if arena, err = s.id.Append(arena); err == columns.ErrNull {
				err = errors.New("the name is null")
			}
			if err != nil {
				return nil, s.table.Fail(err)
			}
		}
		at.id = len(arena)
		if arena, err = s.text.Append(arena); err != nil && err != columns.ErrNull { // null is an empty document
			return nil, s.table.Fail(err)
		}
		at.text = len(arena)
		for _, c := range s.more {
			value, err := c.Append(nil)
			if err != nil && err != columns.ErrNull {
				return nil, s.table.Fail(err)
			}
			at.fields = append(at.fields, string(value))
		}
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
			doc.Fields = at.fields
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
