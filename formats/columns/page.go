// SPDX-License-Identifier: Apache-2.0

package columns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"strconv"

	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/format"

	"github.com/gsketch/gsketch/internal/parquetcheck"
	"github.com/gsketch/gsketch/sketch"
)

const (
	maxHeader   = 1 << 20 // bytes of a page header, statistics included
	maxPageRows = 1 << 26
	maxPadding  = 1 << 10 // values behind the last of a page
)

var (
	// ErrNull is returned for a value that is null.
	ErrNull = errors.New("null")

	errPage    = errors.New("malformed page")
	errFewRows = errors.New("a column has fewer rows than the footer says")
)

// A Column goes through the values of a chosen column, one a row.
type Column struct {
	r     io.ReaderAt
	count func(bytes int)
	leaf  leaf
	index int // of the column in a row group

	codec        format.CompressionCodec
	codecs       decompressor
	offset, size int64 // what is left of the column chunk
	rows         int64 // of the group, in pages to come
	dictionary   [][]byte
	raw          []byte // a page as it is stored
	plain        []byte // and decompressed
	levels       []byte // definition levels of the values to come
	values       values
}

// open starts on a column chunk of so many rows.
func (c *Column) open(chunk *format.ColumnChunk, rows int64) error {
	m := &chunk.MetaData
	switch {
	case chunk.FilePath != "":
		return errors.New("a column lies in another file")
	case m.Type != c.leaf.kind:
		return fmt.Errorf("column %q is of type %s in one place and %s in another", c.leaf.name, c.leaf.kind, m.Type)
	case rows < 0 || m.NumValues != rows || m.TotalCompressedSize < 0:
		return errors.New("malformed footer")
	}
	c.codec, c.rows, c.size = m.Codec, rows, m.TotalCompressedSize
	c.offset = m.DataPageOffset
	if d := m.DictionaryPageOffset; d > 0 && d < c.offset {
		c.offset = d
	}
	if c.offset < 0 {
		return errors.New("malformed footer")
	}
	c.dictionary, c.levels, c.values = nil, nil, values{}
	return nil
}

// Value returns the bytes of the value of the row: of numbers little endian, of a
// boolean one byte. They are valid until the next row. ErrNull if it is null.
func (c *Column) Value() ([]byte, error) {
	for len(c.levels) == 0 {
		at := c.offset
		if err := c.page(); err != nil {
			return nil, &sketch.InputError{Offset: at, Err: err}
		}
	}
	null := c.levels[0] != c.leaf.depth
	c.levels = c.levels[1:]
	if null {
		return nil, ErrNull
	}
	v, err := c.values.next()
	if err != nil {
		return nil, &sketch.InputError{Offset: c.offset, Err: err}
	}
	return v, nil
}

// Append appends the value of the row to dst as text. ErrNull if it is null.
func (c *Column) Append(dst []byte) ([]byte, error) {
	v, err := c.Value()
	switch {
	case err != nil:
		return dst, err
	case c.leaf.kind == Int32:
		return strconv.AppendInt(dst, int64(int32(binary.LittleEndian.Uint32(v))), 10), nil
	case c.leaf.kind == Int64:
		return strconv.AppendInt(dst, int64(binary.LittleEndian.Uint64(v)), 10), nil
	case c.leaf.kind == Float:
		return strconv.AppendFloat(dst, float64(math.Float32frombits(binary.LittleEndian.Uint32(v))), 'g', -1, 32), nil
	case c.leaf.kind == Double:
		return strconv.AppendFloat(dst, math.Float64frombits(binary.LittleEndian.Uint64(v)), 'g', -1, 64), nil
	case c.leaf.kind == Bool:
		return strconv.AppendBool(dst, v[0] != 0), nil
	case len(v) > MaxPage:
		return dst, fmt.Errorf("value of more than %d bytes", MaxPage)
	}
	return append(dst, v...), nil
}

// Int returns the integer of the row. ErrNull if it is null.
func (c *Column) Int() (int64, error) {
	v, err := c.Value()
	switch {
	case err != nil:
		return 0, err
	case c.leaf.kind == Int32:
		return int64(int32(binary.LittleEndian.Uint32(v))), nil
	}
	return int64(binary.LittleEndian.Uint64(v)), nil
}

// Float returns the number of the row. ErrNull if it is null.
func (c *Column) Float() (float64, error) {
	v, err := c.Value()
	switch {
	case err != nil:
		return 0, err
	case c.leaf.kind == Float:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(v))), nil
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(v)), nil
}

// page reads the next page of the column chunk.
func (c *Column) page() error {
	if c.size == 0 {
		return errFewRows
	}
	h, err := c.header()
	if err != nil {
		return err
	}
	n := int64(h.CompressedPageSize)
	if n < 0 || n > c.size || h.UncompressedPageSize < 0 {
		return errPage
	}
	c.raw = grow(c.raw, int(n))
	if err := readFull(c.r, c.raw, c.offset); err != nil {
		return err
	}
	c.offset += n
	c.size -= n
	if c.count != nil {
		c.count(int(n))
	}
	if h.CRC != 0 && crc32.ChecksumIEEE(c.raw) != uint32(h.CRC) {
		return errors.New("page does not match its checksum")
	}
	switch h.Type {
	case format.DictionaryPage:
		return c.readDictionary(h)
	case format.DataPage:
		return c.readV1(h)
	case format.DataPageV2:
		return c.readV2(h)
	}
	return nil // an index
}

// header reads the header of a page and goes behind it.
func (c *Column) header() (*format.PageHeader, error) {
	h := new(format.PageHeader)
	for size := int64(256); ; size *= 16 {
		b := make([]byte, min(size, c.size))
		if err := readFull(c.r, b, c.offset); err != nil {
			return nil, err
		}
		n, err := parquetcheck.Thrift(b)
		if err != nil {
			if size < maxHeader && size < c.size {
				continue // it may be longer
			}
			return nil, err
		}
		if err := decodeThrift(b[:n], h); err != nil {
			return nil, err
		}
		c.offset += int64(n)
		c.size -= int64(n)
		return h, nil
	}
}

func (c *Column) readDictionary(h *format.PageHeader) error {
	d := h.DictionaryPageHeader.V
	if c.dictionary != nil || d.NumValues < 0 {
		return errPage
	}
	data, err := c.codecs.decompress(nil, c.raw, c.codec, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	v := values{data: data, width: widthOf(c.leaf.kind)}
	c.dictionary = [][]byte{}
	for range d.NumValues {
		b, err := v.next()
		if err != nil {
			return err
		}
		c.dictionary = append(c.dictionary, b)
	}
	return nil
}

func (c *Column) readV1(h *format.PageHeader) error {
	d := h.DataPageHeader.V
	n, err := c.take(d.NumValues)
	if err != nil {
		return err
	}
	if c.plain, err = c.codecs.decompress(c.plain, c.raw, c.codec, int(h.UncompressedPageSize)); err != nil {
		return err
	}
	data, levels := c.plain, []byte(nil)
	if c.leaf.depth > 0 {
		if d.DefinitionLevelEncoding != format.RLE {
			return fmt.Errorf("levels encoded as %s", d.DefinitionLevelEncoding)
		}
		if len(data) < 4 {
			return errPage
		}
		size := binary.LittleEndian.Uint32(data)
		if data = data[4:]; uint64(size) > uint64(len(data)) {
			return errPage
		}
		levels, data = data[:size], data[size:]
	}
	return c.fill(n, levels, data, d.Encoding)
}

func (c *Column) readV2(h *format.PageHeader) error {
	d := h.DataPageHeaderV2.V
	n, err := c.take(d.NumValues)
	if err != nil {
		return err
	}
	size := int(d.DefinitionLevelsByteLength)
	if d.RepetitionLevelsByteLength != 0 || size < 0 || size > len(c.raw) || size > int(h.UncompressedPageSize) {
		return errPage
	}
	data := c.raw[size:]
	if !d.IsCompressed.Valid || d.IsCompressed.V {
		if c.plain, err = c.codecs.decompress(c.plain, data, c.codec, int(h.UncompressedPageSize)-size); err != nil {
			return err
		}
		data = c.plain
	}
	return c.fill(n, c.raw[:size], data, d.Encoding)
}

// take counts the rows of a page off those that are to come.
func (c *Column) take(n int32) (int, error) {
	if n < 0 || int64(n) > c.rows || n > maxPageRows {
		return 0, errors.New("more rows in a page than the footer says")
	}
	c.rows -= int64(n)
	return int(n), nil
}

// fill decodes the levels of n values and starts on the values.
func (c *Column) fill(n int, levels, data []byte, enc format.Encoding) error {
	var err error
	present := n
	if c.leaf.depth == 0 {
		c.levels = make([]byte, n)
	} else {
		width := bits.Len8(c.leaf.depth)
		if err := parquetcheck.Runs(levels, width, n, maxPadding); err != nil {
			return err
		}
		if c.levels, err = (&rle.Encoding{BitWidth: width}).DecodeLevels(nil, levels); err != nil {
			return err
		}
		c.levels = c.levels[:n]
		present = 0
		for _, l := range c.levels {
			if l == c.leaf.depth {
				present++
			}
		}
	}
	c.values, err = c.encoded(data, enc, present)
	return err
}

func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
