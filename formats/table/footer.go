// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/internal/parquetcheck"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const magic = "PAR1"

// A footer is what the end of a file says of the rest, validated: the chunks
// tile the file from its first magic to the tail, and the tail's digest holds.
type footer struct {
	groups    []group
	rows      int // of the table, parts counted
	rowBase   int64
	createdBy string
	chain     [digestSize]byte // digest over all row digests
}

// A group is a row group; first is the number of its first row.
type group struct {
	first, rows int
	chunks      [numColumns]chunk
}

// A chunk is a column of a row group: pages, end to end.
type chunk struct {
	offset, size int64
	values       int // nulls and empty lists counted
}

func readFooter(r io.ReaderAt, size int64) (*footer, error) {
	meta, end, err := readMetadata(r, size)
	if err != nil {
		return nil, err
	}
	keys, err := checkVersion(meta.KeyValueMetadata)
	if err != nil {
		return nil, err
	}
	if err := checkSchema(meta.Schema); err != nil {
		return nil, err
	}
	f := &footer{createdBy: keys[keyCreatedBy]}
	tail := int64(len(magic))
	for i := range meta.RowGroups {
		g := group{first: f.rows}
		if tail, err = g.fill(&meta.RowGroups[i], tail, end); err != nil {
			return nil, fmt.Errorf("row group %d: %w", i, err)
		}
		f.rows += g.rows
		f.groups = append(f.groups, g)
	}
	if err := checkTail(r, tail, size, keys[keyTail]); err != nil {
		return nil, err
	}
	return f, f.take(keys, meta.NumRows)
}

// readMetadata decodes the Parquet footer and says where it begins.
func readMetadata(r io.ReaderAt, size int64) (*format.FileMetaData, int64, error) {
	var head [len(magic)]byte
	if err := readFull(r, head[:], 0); err != nil {
		return nil, 0, err
	}
	if string(head[:]) != magic {
		return nil, 0, errors.New("not a Parquet file")
	}
	var last [4 + len(magic)]byte
	if size < int64(len(head)+len(last)) {
		return nil, 0, io.ErrUnexpectedEOF
	}
	if err := readFull(r, last[:], size-int64(len(last))); err != nil {
		return nil, 0, err
	}
	if string(last[4:]) != magic {
		return nil, 0, fmt.Errorf("no Parquet footer at the end: %w", io.ErrUnexpectedEOF)
	}
	length := int64(binary.LittleEndian.Uint32(last[:4]))
	end := size - int64(len(last)) - length
	if end < int64(len(head)) {
		return nil, 0, fmt.Errorf("a footer of %d bytes in a file of %d: %w", length, size, io.ErrUnexpectedEOF)
	}
	b := make([]byte, length)
	if err := readFull(r, b, end); err != nil {
		return nil, 0, err
	}
	n, err := parquetcheck.Thrift(b)
	if err == nil && n != len(b) {
		err = parquetcheck.ErrMalformed
	}
	meta := new(format.FileMetaData)
	if err == nil {
		err = thrift.Unmarshal(new(thrift.CompactProtocol), b, meta)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("footer: %w", err)
	}
	return meta, end, nil
}

// checkVersion returns the file's own keys and values, if they are of a
// version that can be read. Keys of others are ignored.
func checkVersion(kvs []format.KeyValue) (map[string]string, error) {
	keys := map[string]string{}
	for _, kv := range kvs {
		if !strings.HasPrefix(kv.Key, keyPrefix) {
			continue
		}
		if _, twice := keys[kv.Key]; twice {
			return nil, fmt.Errorf("metadata has %s twice", kv.Key)
		}
		keys[kv.Key] = kv.Value
	}
	spelled, ok := keys[keyFormat]
	if !ok {
		return nil, fmt.Errorf("a Parquet file, but not a sketch table: its metadata has no %s", keyFormat)
	}
	version, err := parseInt(spelled)
	if err != nil || version < 1 {
		return nil, fmt.Errorf("%s is %q, not a version", keyFormat, spelled)
	}
	if version > formatVersion {
		return nil, fmt.Errorf("sketch table of format %d; this gsketch reads up to %d: a newer gsketch is needed", version, formatVersion)
	}
	return keys, nil
}

// checkTail compares the digest of the tail, which begins at offset from, with
// the one that stands in it.
func checkTail(r io.ReaderAt, from, size int64, want string) error {
	b := make([]byte, size-from)
	if err := readFull(r, b, from); err != nil {
		return err
	}
	place := tailPlace(b)
	if place < 0 || len(want) != len(noDigest) || string(b[place:place+len(noDigest)]) != want {
		return fmt.Errorf("metadata has no %s", keyTail)
	}
	if tailDigest(b, place) != want {
		return fmt.Errorf("metadata does not match its digest")
	}
	return nil
}

// take reads the remaining keys.
func (f *footer) take(keys map[string]string, numRows int64) error {
	rows, err := parseInt(keys[keyRows])
	if err != nil || rows != numRows || rows != int64(f.rows) {
		return fmt.Errorf("%s is %q, the table has %d rows", keyRows, keys[keyRows], f.rows)
	}
	f.rowBase, err = parseInt(keys[keyRowBase])
	if err != nil || f.rowBase < 0 || f.rowBase+rows < 0 {
		return fmt.Errorf("%s is %q", keyRowBase, keys[keyRowBase])
	}
	sum, err := hex.DecodeString(keys[keyDigest])
	if err != nil || len(sum) != digestSize {
		return fmt.Errorf("%s is %q", keyDigest, keys[keyDigest])
	}
	copy(f.chain[:], sum)
	return nil
}

// parseInt reads the one spelling that strconv.FormatInt gives.
func parseInt(s string) (int64, error) {
	v, err := strconv.ParseInt(s, 10, 64)
	if err == nil && strconv.FormatInt(v, 10) != s {
		err = strconv.ErrSyntax
	}
	return v, err
}

// fill takes over a row group that must begin at offset at and end before
// limit; it returns where it ends.
func (g *group) fill(rg *format.RowGroup, at, limit int64) (int64, error) {
	if len(rg.Columns) != numColumns {
		return 0, fmt.Errorf("%d columns, %d expected", len(rg.Columns), numColumns)
	}
	if rg.NumRows < 1 || rg.NumRows > limit {
		return 0, fmt.Errorf("%d rows", rg.NumRows)
	}
	g.rows = int(rg.NumRows)
	for i := range rg.Columns {
		cc, m := &rg.Columns[i], &rg.Columns[i].MetaData
		switch {
		case cc.FilePath != "", cc.CryptoMetadata.Value != nil, m.Codec != format.Uncompressed,
			m.Type != columns[i].typ, m.DictionaryPageOffset != 0:
			return 0, fmt.Errorf("column %d is compressed, encrypted or elsewhere", i)
		case m.DataPageOffset != at || m.TotalCompressedSize < 1 || m.TotalCompressedSize > limit-at ||
			m.TotalUncompressedSize != m.TotalCompressedSize:
			return 0, fmt.Errorf("column %d: %d bytes at %d, expected at %d and before %d", i, m.TotalCompressedSize, m.DataPageOffset, at, limit)
		}
		if err := checkCount(i, m.NumValues, rg.NumRows, m.TotalCompressedSize); err != nil {
			return 0, fmt.Errorf("column %d: %w", i, err)
		}
		g.chunks[i] = chunk{offset: at, size: m.TotalCompressedSize, values: int(m.NumValues)}
		at += m.TotalCompressedSize
	}
	return at, nil
}

// checkCount says whether size bytes have room for the values that column col
// claims for its rows; what is allocated later is bounded by these counts.
func checkCount(col int, values, rows, size int64) error {
	c := &columns[col]
	ok := values == rows && (c.maxDefinition > 0 || rows*c.width() <= size)
	if c.maxRepetition > 0 { // a row without values counts as one
		ok = values >= rows && values-rows <= size/8
	}
	if !ok {
		return fmt.Errorf("%d values in %d rows and %d bytes", values, rows, size)
	}
	return nil
}
