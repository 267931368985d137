// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/binary"
	"errors"
	"math"
)

// The header of a page has no checksum. So that no bit of it can change
// unnoticed, only the one shape that is written is read, byte by byte, and each
// of its numbers must agree with the page (Thrift compact protocol; a field is
// one byte, its distance from the last field << 4 | its type):
//
//	15 6      type: data page v2 (3, as a zigzag varint)
//	15 n      uncompressed size
//	15 n      compressed size, the same
//	15 n      crc; where it is 0, absent, and 5c follows instead of 4c
//	4c        data page header v2
//	   15 n      values, nulls and empty lists counted
//	   15 n      nulls and empty lists
//	   15 n      rows
//	   15 0      encoding: PLAIN
//	   15 n      bytes of definition levels
//	   15 n      bytes of repetition levels
//	   12        is compressed: false
//	   1c 36 0 0 statistics: null count 0 (not kept)
//	   0
//	0

// headerBytes is the longest that a page header can be.
const headerBytes = 10*(1+binary.MaxVarintLen32) + 8

var errHeader = errors.New("malformed page header")

type pageHeader struct {
	size                     int32 // of the page behind the header
	crc                      uint32
	values, nulls, rows      int32
	definitions, repetitions int32 // bytes of levels
}

// parseHeader reads the page header at the start of b and returns its length.
func parseHeader(b []byte) (h pageHeader, n int, err error) {
	p := headerParser{b: b}
	kind, size := p.field(0x15), p.field(0x15)
	h.size = p.field(0x15)
	if len(p.b) > 0 && p.b[0] == 0x15 {
		h.crc = uint32(p.field(0x15))
		p.literal(0x4c)
	} else {
		p.literal(0x5c)
	}
	h.values, h.nulls, h.rows = p.field(0x15), p.field(0x15), p.field(0x15)
	encoding := p.field(0x15)
	h.definitions, h.repetitions = p.field(0x15), p.field(0x15)
	p.literal(0x12, 0x1c, 0x36, 0, 0, 0, 0)
	if p.bad || kind != 3 || size != h.size || encoding != 0 || !h.consistent() {
		return pageHeader{}, 0, errHeader
	}
	return h, len(b) - len(p.b), nil
}

// consistent says whether the counts can be true of any column.
func (h *pageHeader) consistent() bool {
	return h.rows >= 1 && h.values >= h.rows && h.nulls >= 0 && h.nulls <= h.rows &&
		h.definitions >= 0 && h.repetitions >= 0 && h.size >= 0 &&
		int64(h.definitions)+int64(h.repetitions) <= int64(h.size)
}

type headerParser struct {
	b   []byte
	bad bool
}

func (p *headerParser) literal(want ...byte) {
	for _, w := range want {
		if len(p.b) == 0 || p.b[0] != w {
			p.bad = true
			return
		}
		p.b = p.b[1:]
	}
}

// field reads a 32-bit integer behind its field byte.
func (p *headerParser) field(head byte) int32 {
	p.literal(head)
	v, n := binary.Varint(p.b)
	if n <= 0 || v < math.MinInt32 || v > math.MaxInt32 {
		p.bad = true
		return 0
	}
	p.b = p.b[n:]
	return int32(v)
}
