// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"

	"github.com/gsketch/gsketch/sketch"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// parquet-go's own reader of pages is not used: it allocates what a page header
// or a run of levels claims (up to 2 GB from a few bytes) and exports no way to
// decode a page whose header was checked beforehand. Its decoders of headers
// and levels are.

// headerBytes bounds the header of a page; those written take about 50.
const headerBytes = 256

var (
	errHeader = errors.New("malformed page header")
	errLevels = errors.New("malformed levels")
)

// A page is a piece of a column of whole rows, decoded but for its values.
type page struct {
	rows, values int    // nulls and empty lists counted as values
	repetition   []byte // levels, one per value; empty where there can be none
	definition   []byte
	data         []byte // what is not null, PLAIN
}

// A pageReader reads column chunks, page by page. It belongs to one goroutine.
type pageReader struct {
	r    io.ReaderAt
	head [headerBytes]byte
	body []byte
	page page
}

// column calls visit for each page of a column of g, in order; first is the
// number of the page's first row within the table. The page is valid during the
// call. Errors carry the offset of the page.
func (p *pageReader) column(g *group, col int, visit func(first int, pg *page) error) error {
	c := &g.chunks[col]
	rows, values := 0, 0
	for at, end := c.offset, c.offset+c.size; at < end; {
		size, err := p.read(col, at, end)
		if err == nil && (p.page.rows > g.rows-rows || p.page.values > c.values-values) {
			err = errors.New("more rows than the footer says")
		}
		if err == nil {
			err = visit(g.first+rows, &p.page)
		}
		if err != nil {
			return &sketch.InputError{Offset: at, Err: err}
		}
		rows += p.page.rows
		values += p.page.values
		at += size
	}
	if rows != g.rows || values != c.values {
		return &sketch.InputError{Offset: c.offset, Err: errors.New("fewer rows than the footer says")}
	}
	return nil
}

// read reads the page at offset at of a chunk that ends at end, and returns
// the length of the page.
func (p *pageReader) read(col int, at, end int64) (int64, error) {
	head := p.head[:min(headerBytes, end-at)]
	if err := readFull(p.r, head, at); err != nil {
		return 0, err
	}
	n, err := measureThrift(head)
	if err != nil {
		return 0, fmt.Errorf("page header: %w", err)
	}
	var h format.PageHeader
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), head[:n], &h); err != nil {
		return 0, fmt.Errorf("page header: %w", err)
	}
	at += int64(n)
	size := h.CompressedPageSize
	if h.Type != format.DataPageV2 || !h.DataPageHeaderV2.Valid ||
		size < 0 || int64(size) > end-at || size != h.UncompressedPageSize {
		return 0, errHeader
	}
	if cap(p.body) < int(size) {
		p.body = make([]byte, size)
	}
	body := p.body[:size]
	if err := readFull(p.r, body, at); err != nil {
		return 0, err
	}
	if crc32.ChecksumIEEE(body) != uint32(h.CRC) {
		return 0, errors.New("page does not match its checksum")
	}
	return int64(n) + int64(size), p.page.decode(&columns[col], &h.DataPageHeaderV2.V, body)
}

// decode splits the body of a page and decodes its levels. All counts must
// agree with one another and with the length of the body.
func (pg *page) decode(c *column, h *format.DataPageHeaderV2, body []byte) error {
	repetitions, definitions := int(h.RepetitionLevelsByteLength), int(h.DefinitionLevelsByteLength)
	nulls := int(h.NumNulls)
	pg.rows, pg.values = int(h.NumRows), int(h.NumValues)
	if h.Encoding != format.Plain || h.IsCompressed.V ||
		repetitions < 0 || definitions < 0 || repetitions+definitions > len(body) ||
		pg.rows < 1 || pg.values < pg.rows || nulls < 0 || nulls > pg.rows ||
		c.maxRepetition == 0 && pg.values != pg.rows || c.maxDefinition == 0 && nulls > 0 {
		return errHeader
	}
	pg.data = body[repetitions+definitions:]
	if !c.fits(int64(len(pg.data)), int64(pg.values-nulls)) {
		return fmt.Errorf("%d bytes for %d values", len(pg.data), pg.values-nulls)
	}
	var err error
	if pg.repetition, err = levels(pg.repetition, body[:repetitions], c.maxRepetition, pg.values); err != nil {
		return err
	}
	pg.definition, err = levels(pg.definition, body[repetitions:repetitions+definitions], c.maxDefinition, pg.values)
	return err
}

// levels decodes n levels of 0 to most from b into dst, which it may replace.
func levels(dst, b []byte, most uint8, n int) ([]byte, error) {
	if most == 0 {
		if len(b) > 0 {
			return nil, errLevels
		}
		return dst[:0], nil
	}
	width := bits.Len8(most)
	if err := checkRuns(b, width, n); err != nil {
		return nil, err
	}
	dst, err := (&rle.Encoding{BitWidth: width}).DecodeLevels(dst, b)
	if err != nil {
		return nil, err
	}
	return dst[:n], nil
}

// checkRuns says whether the runs of b, levels of width bits in Parquet's
// hybrid of run lengths and packed bits, hold n levels and no more than the
// padding of a packed run beyond.
func checkRuns(b []byte, width, n int) error {
	got := uint64(0)
	for len(b) > 0 {
		head, k := binary.Uvarint(b)
		if k <= 0 {
			return errLevels
		}
		b = b[k:]
		count, length := head>>1, uint64(1)
		if head&1 == 1 { // groups of 8, packed
			length = count * uint64(width)
			count *= 8
		}
		if length > uint64(len(b)) || count > uint64(n)+7 {
			return errLevels
		}
		b = b[length:]
		got += count
	}
	if got < uint64(n) || got > uint64(n)+7 {
		return errLevels
	}
	return nil
}
