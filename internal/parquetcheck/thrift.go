// SPDX-License-Identifier: Apache-2.0

package parquetcheck

import (
	"encoding/binary"
	"errors"
	"io"
)

// Thrift structures of a Parquet file (footer, page headers) carry no
// checksum. Their decoder allocates what a list or string claims to hold and
// follows any nesting; Thrift runs before it.

// The types of the compact protocol that Parquet uses.
const (
	thriftTrue = 1 + iota
	thriftFalse
	thriftI8
	thriftI16
	thriftI32
	thriftI64
	thriftDouble
	thriftBinary
	thriftList
	thriftStruct = 12
)

const (
	thriftDepth = 8 // a footer nests 5 deep: file, row group, chunk, metadata, statistics

	// StructBytes is the least that structs in lists have, in bytes and on
	// average; Parquet's have more.
	StructBytes = 16

	// small is what a footer may be short of that: DuckDB's of a table without a row
	// has short structs alone.
	small = 1 << 10
)

var (
	ErrMalformed = errors.New("malformed metadata")
	errCut       = errors.New("metadata claims more than it holds")
)

// Thrift returns the length of the struct at the start of b. It is an
// error if the struct is malformed, nested too deep, ends behind b or holds a
// list whose elements b has no room for. So what a decoder allocates for the
// struct is at most a small multiple of its length.
func Thrift(b []byte) (int, error) {
	w := thriftWalk{b: b}
	if err := w.structure(0); err != nil {
		return 0, err
	}
	if w.listed*StructBytes > w.pos+small {
		return 0, errCut
	}
	return w.pos, nil
}

type thriftWalk struct {
	b      []byte
	pos    int
	listed int // structs in lists
}

func (w *thriftWalk) structure(depth int) error {
	if depth > thriftDepth {
		return ErrMalformed
	}
	for {
		head, err := w.next()
		if err != nil || head == 0 {
			return err
		}
		if head>>4 == 0 { // the field's number follows
			if _, err := w.varint(); err != nil {
				return err
			}
		}
		typ := head & 0xF
		if typ == thriftTrue || typ == thriftFalse { // the value is the type
			continue
		}
		if err := w.value(typ, depth); err != nil {
			return err
		}
	}
}

func (w *thriftWalk) value(typ byte, depth int) error {
	switch typ {
	case thriftTrue, thriftFalse, thriftI8:
		return w.skip(1)
	case thriftI16, thriftI32, thriftI64:
		_, err := w.varint()
		return err
	case thriftDouble:
		return w.skip(8)
	case thriftBinary:
		n, err := w.varint()
		if err != nil {
			return err
		}
		return w.skip(n)
	case thriftList:
		return w.list(depth)
	case thriftStruct:
		return w.structure(depth + 1)
	}
	return ErrMalformed
}

func (w *thriftWalk) list(depth int) error {
	head, err := w.next()
	if err != nil {
		return err
	}
	n, typ := uint64(head>>4), head&0xF
	if n == 0xF {
		if n, err = w.varint(); err != nil {
			return err
		}
	}
	if n > uint64(len(w.b)-w.pos) { // each element takes a byte or more
		return errCut
	}
	if typ == thriftStruct {
		w.listed += int(n)
	}
	for range n {
		if typ == thriftList {
			return ErrMalformed // Parquet has no list of lists
		}
		if err := w.value(typ, depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *thriftWalk) next() (byte, error) {
	if w.pos == len(w.b) {
		return 0, io.ErrUnexpectedEOF
	}
	w.pos++
	return w.b[w.pos-1], nil
}

func (w *thriftWalk) skip(n uint64) error {
	if n > uint64(len(w.b)-w.pos) {
		return errCut
	}
	w.pos += int(n)
	return nil
}

func (w *thriftWalk) varint() (uint64, error) {
	v, n := binary.Uvarint(w.b[w.pos:])
	if n == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	if n < 0 {
		return 0, ErrMalformed
	}
	w.pos += n
	return v, nil
}
