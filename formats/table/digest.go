// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/binary"

	"github.com/gsketch/gsketch/sketch"
	"github.com/zeebo/xxh3"
)

const digestSize = 16

// A digester computes the digest of sketches, one at a time. Its zero value is
// ready.
type digester struct {
	hash xxh3.Hasher128
	buf  []byte
}

// content is what a row holds beside its digest, parts joined.
type content struct {
	params     string
	meta       sketch.Meta
	hashes     []uint64 // nil is null
	signature  []byte   // nil is null
	abundances []uint64 // nil is null
}

// digest is XXH3 (128 bits, seed 0, big-endian as its canonical form) of all
// other columns of a row, in the order of the schema: integers and booleans as
// 8 little-endian bytes; strings, binaries and lists behind their length (in
// bytes or elements) as such an integer; null as one byte 0xFF. A sketch cut
// into parts has the digest that it would have as one row: all hashes, part
// null.
func (d *digester) digest(c *content) [digestSize]byte {
	d.hash.Reset()
	m := &c.meta
	b := d.buf[:0]
	b = appendInt(b, uint64(m.Row))
	b = appendString(b, m.ID)
	b = appendString(b, m.Source)
	b = appendString(b, m.Comment)
	b = appendBool(b, m.PerRecord)
	b = appendBool(b, m.LengthEstimated)
	b = appendString(b, c.params)
	b = appendInt(b, m.Length)
	b = appendInt(b, m.Records)
	b = appendInt(b, m.Count)
	b = d.list(b, c.hashes)
	if c.signature == nil {
		b = append(b, null)
	} else {
		b = appendInt(b, uint64(len(c.signature)))
		b = append(b, c.signature...)
	}
	b = d.list(b, c.abundances)
	b = append(b, null) // part
	d.hash.Write(b)
	d.buf = b
	return d.hash.Sum128().Bytes()
}

// null stands for a missing value in a digest.
const null = 0xFF

func appendInt(b []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(b, v) }

func appendBool(b []byte, v bool) []byte {
	if v {
		return appendInt(b, 1)
	}
	return appendInt(b, 0)
}

func appendString(b []byte, s string) []byte {
	return append(appendInt(b, uint64(len(s))), s...)
}

// list hashes b and v, and returns b emptied.
func (d *digester) list(b []byte, v []uint64) []byte {
	if v == nil {
		return append(b, null)
	}
	d.hash.Write(appendInt(b, uint64(len(v))))
	writeWords(v, func(b []byte) { d.hash.Write(b) })
	return b[:0]
}

// hashAll is the XXH3-128 of b as the table writes it.
func hashAll(b []byte) [digestSize]byte { return xxh3.Hash128(b).Bytes() }
