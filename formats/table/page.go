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

// A sink takes the pages of a column.
type sink struct {
	// page is called for each page, in order; first is the number of the page's
	// first row within the table. The page is valid during the call.
	page func(first int, pg *page) error
	// room, if it is not nil, returns where the next n bytes of data are to go.
	room func(n int) []byte
}

// A pageReader reads column chunks, page by page. It belongs to one goroutine.
type pageReader struct {
	r    io.ReaderAt
	head [headerBytes]byte
	body []byte
	page page
}

// column reads a column of g into s. Errors carry the offset of the page.
func (p *pageReader) column(g *group, col int, s sink) error {
	c := g.chunks[col] // what is left of it
	rows := 0
	for c.size > 0 {
		n, err := p.read(col, &c, g.rows-rows, s.room)
		if err == nil {
			err = s.page(g.first+rows, &p.page)
		}
		if err != nil {
			return &sketch.InputError{Offset: c.offset, Err: err}
		}
		rows += p.page.rows
		c.values -= p.page.values
		c.offset += n
		c.size -= n
	}
	if rows != g.rows || c.values != 0 {
		return &sketch.InputError{Offset: c.offset, Err: errors.New("fewer rows than the footer says")}
	}
	return nil
}

// read reads the page at the start of what is left of a chunk, of at most
// rows rows, and returns the length of the page.
func (p *pageReader) read(col int, left *chunk, rows int, room func(n int) []byte) (int64, error) {
	head := p.head[:min(headerBytes, left.size)]
	if err := readFull(p.r, head, left.offset); err != nil {
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
	at, size, v2 := left.offset+int64(n), int64(h.CompressedPageSize), &h.DataPageHeaderV2.V
	if h.Type != format.DataPageV2 || !h.DataPageHeaderV2.Valid ||
		size > left.size-int64(n) || h.CompressedPageSize != h.UncompressedPageSize {
		return 0, errHeader
	}
	if err := checkPage(&columns[col], v2, size); err != nil {
		return 0, err
	}
	if int(v2.NumRows) > rows || int(v2.NumValues) > left.values {
		return 0, errors.New("more rows than the footer says")
	}
	levels := int64(v2.RepetitionLevelsByteLength) + int64(v2.DefinitionLevelsByteLength)
	buffered := size
	if room != nil {
		buffered = levels
	}
	if int64(cap(p.body)) < buffered {
		p.body = make([]byte, buffered)
	}
	body := p.body[:buffered]
	if err := readFull(p.r, body, at); err != nil {
		return 0, err
	}
	sum := crc32.ChecksumIEEE(body)
	p.page.data = body[levels:]
	if room != nil {
		p.page.data = room(int(size - levels))
		if err := readFull(p.r, p.page.data, at+levels); err != nil {
			return 0, err
		}
		sum = crc32.Update(sum, crc32.IEEETable, p.page.data)
	}
	if sum != uint32(h.CRC) {
		return 0, errors.New("page does not match its checksum")
	}
	return int64(n) + size, p.page.decodeLevels(&columns[col], v2, body[:levels])
}

// checkPage says whether the counts of a page of size bytes agree with one
// another and with its length.
func checkPage(c *column, h *format.DataPageHeaderV2, size int64) error {
	repetitions, definitions := int64(h.RepetitionLevelsByteLength), int64(h.DefinitionLevelsByteLength)
	if h.Encoding != format.Plain || h.IsCompressed.V ||
		repetitions < 0 || definitions < 0 || repetitions+definitions > size ||
		h.NumRows < 1 || h.NumValues < h.NumRows || h.NumNulls < 0 || h.NumNulls > h.NumRows ||
		c.maxRepetition == 0 && h.NumValues != h.NumRows || c.maxDefinition == 0 && h.NumNulls > 0 {
		return errHeader
	}
	if data, n := size-repetitions-definitions, int64(h.NumValues-h.NumNulls); !c.fits(data, n) {
		return fmt.Errorf("%d bytes for %d values", data, n)
	}
	return nil
}

// decodeLevels takes over the counts of h and decodes the levels in b.
func (pg *page) decodeLevels(c *column, h *format.DataPageHeaderV2, b []byte) (err error) {
	pg.rows, pg.values = int(h.NumRows), int(h.NumValues)
	n := h.RepetitionLevelsByteLength
	if pg.repetition, err = levels(pg.repetition, b[:n], c.maxRepetition, pg.values); err != nil {
		return err
	}
	pg.definition, err = levels(pg.definition, b[n:], c.maxDefinition, pg.values)
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
