// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"encoding/binary"
	"errors"

	"github.com/gsketch/gsketch/lsh"
)

// A change puts a document into buckets or takes it out of them.
type change struct {
	remove   bool
	document bool // of the record, too
	Document
}

var errChange = errors.New("damaged change")

// appendChange appends a change as it lies in the log: flags (1: remove, 2:
// document), id (4), number of keys, and for each its band and hash (8); then,
// of a document that is added, the length of its record and the record. Numbers
// without a width are unsigned LEB128.
func appendChange(dst []byte, c change) []byte {
	var flags byte
	if c.remove {
		flags |= 1
	}
	if c.document {
		flags |= 2
	}
	dst = binary.LittleEndian.AppendUint32(append(dst, flags), c.ID)
	dst = binary.AppendUvarint(dst, uint64(len(c.Keys)))
	for _, k := range c.Keys {
		dst = binary.LittleEndian.AppendUint64(binary.AppendUvarint(dst, uint64(k.Band)), k.Hash)
	}
	if c.document && !c.remove {
		dst = append(binary.AppendUvarint(dst, uint64(len(c.Record))), c.Record...)
	}
	return dst
}

// parseChange reads one change and returns what follows. The record is a part
// of b.
func parseChange(b []byte) (c change, rest []byte, err error) {
	if len(b) < 5 || b[0] > 3 {
		return c, nil, errChange
	}
	c.remove, c.document = b[0]&1 != 0, b[0]&2 != 0
	c.ID = binary.LittleEndian.Uint32(b[1:])
	b = b[5:]
	n, w := binary.Uvarint(b)
	if w <= 0 || n > uint64(len(b))/9 || c.ID > maxID {
		return c, nil, errChange
	}
	b = b[w:]
	c.Keys = make([]lsh.Key, n)
	for i := range c.Keys {
		band, w := binary.Uvarint(b)
		if w <= 0 || band > 1<<32-1 || len(b) < w+8 {
			return c, nil, errChange
		}
		c.Keys[i] = lsh.Key{Band: uint32(band), Hash: binary.LittleEndian.Uint64(b[w:])}
		b = b[w+8:]
	}
	if c.document && !c.remove {
		n, w := binary.Uvarint(b)
		if w <= 0 || n == 0 || n > uint64(len(b)-w) {
			return c, nil, errChange
		}
		c.Record, b = b[w:w+int(n)], b[w+int(n):]
	}
	return c, b, nil
}
