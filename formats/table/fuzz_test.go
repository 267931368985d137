// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/gsketch/gsketch/internal/parquetcheck"
	"github.com/gsketch/gsketch/sketch"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// FuzzOpen reads any bytes, as they are and with the digest of the metadata
// corrected, so that changes reach what lies behind it. Whatever comes,
// memory stays in proportion, errors are InputErrors, and what loads can be
// written and read again.
func FuzzOpen(f *testing.F) {
	good := small(f)
	f.Add(good)
	f.Add(encodeGroups(f, Options{RowBase: 5}, smallItems(f), 1))
	f.Add(encode(f, Options{}, nil))
	f.Add(good[:len(good)-1])
	f.Add([]byte("PAR1\x00\x00\x00\x00PAR1"))
	f.Fuzz(func(t *testing.T, b []byte) {
		tryOpen(t, b)
		if from, ok := tailOf(b); ok {
			tryOpen(t, resum(bytes.Clone(b), from))
		}
	})
}

func tryOpen(t *testing.T, b []byte) {
	var f *File
	var err error
	if n := allocated(func() { f, err = decode(b, ReadOptions{Threads: 1}) }); n > allocationLimit(len(b)) {
		t.Errorf("%d bytes allocated for %d", n, len(b))
	}
	if n := allocated(func() { refused(t, b, ReadOptions{Threads: 1}) }); n > 2*allocationLimit(len(b)) {
		t.Errorf("%d bytes allocated for %d, twice", n, len(b))
	}
	if err != nil {
		if in := (*sketch.InputError)(nil); !errors.As(err, &in) {
			t.Errorf("%T: %v", err, err)
		}
		return
	}
	var items []sketch.Item
	for _, c := range f.Collections() {
		for i := range c.Len() {
			items = append(items, sketch.Item{Meta: c.Meta(i), Sketch: c.At(i)})
		}
	}
	again, err := decode(encode(t, Options{}, items), ReadOptions{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	sameItems(t, again, items, 0)
}

// tailOf is where the tail of b would begin, if its footer can be read.
func tailOf(b []byte) (int, bool) {
	meta, _, err := readMetadata(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return 0, false
	}
	tail := int64(len(magic))
	for _, g := range meta.RowGroups {
		if len(g.Columns) == numColumns {
			c := g.Columns[numColumns-1].MetaData
			tail = c.DataPageOffset + c.TotalCompressedSize
		}
	}
	return int(tail), tail >= int64(len(magic)) && tail <= int64(len(b))
}

// FuzzPage reads any bytes as the pages of a column of rows rows and values
// values, with the checksum of the first page corrected.
func FuzzPage(f *testing.F) {
	b := small(f)
	foot, err := readFooter(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		f.Fatal(err)
	}
	g := foot.groups[0]
	for col, c := range g.chunks {
		f.Add(byte(col), uint16(g.rows), uint16(c.values), b[c.offset:c.offset+c.size])
	}
	f.Fuzz(func(t *testing.T, col byte, rows, values uint16, b []byte) {
		if col >= numColumns || rows == 0 {
			return
		}
		b = withChecksum(b)
		g := group{rows: int(rows)}
		g.chunks[col] = chunk{size: int64(len(b)), values: int(values)}
		foot := &footer{groups: []group{g}, rows: int(rows)}
		fixed := allocationLimit(len(b)) + 512*uint64(rows) // the caller's, by row
		var err error
		if n := allocated(func() { err = readColumn(foot, int(col), b) }); n > fixed {
			t.Errorf("%d bytes allocated for %d in %d rows", n, len(b), rows)
		}
		if in := (*sketch.InputError)(nil); err != nil && !errors.As(err, &in) {
			t.Errorf("%T: %v", err, err)
		}
	})
}

func readColumn(f *footer, col int, b []byte) error {
	p := pageReader{r: bytes.NewReader(b)}
	g := &f.groups[0]
	switch v := newValues(f); col {
	case colHashes:
		return p.column(g, col, v.hashes.sink(0))
	case colAbundances:
		return p.column(g, col, v.abundances.sink(0))
	case colSignature:
		return p.column(g, col, sink{page: texts(func(row int, s string) { v.signatures[row] = s })})
	}
	return p.column(g, col, sink{page: setter(col, make([]row, f.rows))})
}

// withChecksum corrects the checksum of the page at the start of b.
func withChecksum(b []byte) []byte {
	h, n, err := parseHeader(b)
	if err != nil || int64(h.size) > int64(len(b)-n) {
		return b
	}
	body := b[n : n+int(h.size)]
	out := []byte{0x15, 6}
	for _, v := range []int32{h.size, h.size, int32(crc32.ChecksumIEEE(body))} {
		out = binary.AppendVarint(append(out, 0x15), int64(v))
	}
	out = append(out, 0x4c)
	for _, v := range []int32{h.values, h.nulls, h.rows, 0, h.definitions, h.repetitions} {
		out = binary.AppendVarint(append(out, 0x15), int64(v))
	}
	out = append(out, 0x12, 0x1c, 0x36, 0, 0, 0, 0)
	return append(out, b[n:]...)
}

// FuzzThrift: what parquetcheck.Thrift accepts, the decoder decodes without taking
// more memory than it may.
func FuzzThrift(f *testing.F) {
	b := small(f)
	length := binary.LittleEndian.Uint32(b[len(b)-8:])
	f.Add(b[len(b)-8-int(length) : len(b)-8])
	f.Add([]byte{0x29, 0xFC, 3, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := parquetcheck.Thrift(b)
		if err != nil {
			return
		}
		var m format.FileMetaData
		used := allocated(func() {
			_ = recovered(func() error { return thrift.Unmarshal(new(thrift.CompactProtocol), b[:n], &m) })
		})
		if used > allocationLimit(n) {
			t.Errorf("%d bytes allocated for %d", used, n)
		}
	})
}
