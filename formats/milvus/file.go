// SPDX-License-Identifier: Apache-2.0

package milvus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gsketch/gsketch/sketch"
)

// A row of a bulk-import file: the primary key and the vector as its bytes.
type row struct {
	ID     string `json:"id"`
	Vector octets `json:"vector"`
}

// octets is a list of numbers from 0 to 255 in JSON, not base64.
type octets []byte

func (o octets) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 4*len(o)+2), '[')
	for i, v := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(v), 10)
	}
	return append(b, ']'), nil
}

func (o *octets) UnmarshalJSON(b []byte) error {
	var numbers []uint16
	if err := json.Unmarshal(b, &numbers); err != nil {
		return err
	}
	*o = make(octets, len(numbers))
	for i, v := range numbers {
		if v > 255 {
			return fmt.Errorf("%d in a vector of bytes", v)
		}
		(*o)[i] = byte(v)
	}
	return nil
}

// A Writer writes a JSON file for Milvus's bulk import into a collection with
// the fields id (VARCHAR) and vector (BINARY_VECTOR):
//
//	{"rows":[
//	{"id":"a","vector":[18,7,...]},
//	...
//	]}
type Writer struct {
	w      io.Writer
	layout Layout
	rows   int
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer, l Layout) *Writer { return &Writer{w: w, layout: l} }

// Write writes a row: the label of the item and its signature.
func (w *Writer) Write(it sketch.Item) error {
	s, ok := it.Sketch.(sketch.Signature)
	if !ok {
		return fmt.Errorf("%s: %T is not a signature", it.Meta.Label(), it.Sketch)
	}
	vector, err := Append(nil, s, w.layout)
	if err != nil {
		return fmt.Errorf("%s: %w", it.Meta.Label(), err)
	}
	line, err := json.Marshal(row{ID: it.Meta.Label(), Vector: vector})
	if err != nil {
		return err
	}
	before := ",\n"
	if w.rows == 0 {
		before = "{\"rows\":[\n"
	}
	w.rows++
	_, err = w.w.Write(append([]byte(before), line...))
	return err
}

// Close completes the file. It does not close what lies below.
func (w *Writer) Close() error {
	end := "\n]}\n"
	if w.rows == 0 {
		end = "{\"rows\":[" + end
	}
	_, err := io.WriteString(w.w, end)
	return err
}

// Read reads a file as Writer writes it, or a bare list of rows, of signatures
// made with p (see Parse). Fields other than id and vector are not looked at.
// path is for errors, which are *sketch.InputError with the number of the row.
func Read(r io.Reader, path string, p sketch.Params, l Layout) ([]sketch.Item, error) {
	dec := json.NewDecoder(r)
	var items []sketch.Item
	bad := func(name string, err error) error {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return &sketch.InputError{Path: path, Record: uint64(len(items) + 1), Name: name, Offset: dec.InputOffset(), Err: err}
	}
	object, err := openRows(dec)
	if err != nil {
		return nil, bad("", err)
	}
	for dec.More() {
		var it row
		if err := dec.Decode(&it); err != nil {
			return nil, bad(it.ID, err)
		}
		s, err := Parse(it.Vector, p, l)
		if err != nil {
			return nil, bad(it.ID, err)
		}
		items = append(items, sketch.Item{Meta: sketch.Meta{Row: int64(len(items)), ID: it.ID, Source: path}, Sketch: s})
	}
	if err := closeRows(dec, object); err != nil {
		return nil, bad("", err)
	}
	return items, nil
}

var errRows = errors.New("neither a list of rows nor {\"rows\": [...]}")

// openRows reads up to the first row and says whether the list is within an
// object.
func openRows(dec *json.Decoder) (object bool, err error) {
	start, err := dec.Token()
	if err != nil {
		return false, err
	}
	if start == json.Delim('[') {
		return false, nil
	}
	if start != json.Delim('{') {
		return false, errRows
	}
	for _, want := range []json.Token{"rows", json.Delim('[')} {
		got, err := dec.Token()
		if err != nil {
			return false, err
		}
		if got != want {
			return false, errRows
		}
	}
	return true, nil
}

// closeRows reads the end of the list, of the object and of the file.
func closeRows(dec *json.Decoder, object bool) error {
	ends := 1
	if object {
		ends = 2
	}
	for range ends {
		if end, err := dec.Token(); err != nil {
			return err
		} else if _, ok := end.(json.Delim); !ok {
			return errRows
		}
	}
	switch _, err := dec.Token(); err {
	case io.EOF:
		return nil
	case nil:
		return errors.New("more behind the last row")
	default:
		return err
	}
}
