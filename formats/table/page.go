// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"

	"github.com/gsketch/gsketch/internal/parquetcheck"
	"github.com/gsketch/gsketch/sketch"
	"github.com/parquet-go/parquet-go/encoding/rle"
)

// parquet-go's own reader of pages is not used: it allocates what a page header
// or a run of levels claims (up to 2 GB from a few bytes) and exports no way to
// decode a page whose header was checked beforehand. Its decoder of levels is.

var errLevels = errors.New("malformed levels")

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
	h, n, err := parseHeader(head)
	if err != nil {
		return 0, err
	}
	at, size, levels := left.offset+int64(n), int64(h.size), int64(h.repetitions)+int64(h.definitions)
	if size > left.size-int64(n) {
		return 0, errHeader
	}
	if int(h.rows) > rows || int(h.values) > left.values {
		return 0, errors.New("more rows than the footer says")
	}
	c := &columns[col]
	if !c.fits(size-levels, int64(h.values-h.nulls)) ||
		c.maxRepetition == 0 && h.values != h.rows || c.maxDefinition == 0 && h.nulls > 0 {
		return 0, fmt.Errorf("%d bytes for %d values, %d nulls", size-levels, h.values, h.nulls)
	}
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
	if sum != h.crc {
		return 0, errors.New("page does not match its checksum")
	}
	return int64(n) + size, p.page.decodeLevels(c, &h, body[:levels])
}

// decodeLevels takes over the counts of h and decodes the levels in b.
func (pg *page) decodeLevels(c *column, h *pageHeader, b []byte) (err error) {
	pg.rows, pg.values = int(h.rows), int(h.values)
	if pg.repetition, err = levels(pg.repetition, b[:h.repetitions], c.maxRepetition, pg.values); err != nil {
		return err
	}
	pg.definition, err = levels(pg.definition, b[h.repetitions:], c.maxDefinition, pg.values)
	if err == nil && c.maxDefinition > 0 && bytes.Count(pg.definition, []byte{c.maxDefinition}) != int(h.values-h.nulls) {
		err = errLevels
	}
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
	if err := parquetcheck.Runs(b, width, n, 7); err != nil {
		return nil, err
	}
	dst, err := (&rle.Encoding{BitWidth: width}).DecodeLevels(dst, b)
	if err != nil {
		return nil, err
	}
	return dst[:n], nil
}
