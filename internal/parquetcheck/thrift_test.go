// SPDX-License-Identifier: Apache-2.0

package parquetcheck

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestHostileThrift: lists, strings and nesting that a decoder would allocate
// or recurse for.
func TestHostileThrift(t *testing.T) {
	list := func(typ byte, n uint64) []byte { // field 2: a list of n of typ
		return binary.AppendUvarint([]byte{0x29, 0xF0 | typ}, n)
	}
	for name, b := range map[string][]byte{
		"empty":           {},
		"cut":             {0x15},
		"long varint":     bytes.Repeat([]byte{0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 2),
		"structs":         list(thriftStruct, 1<<31-1),
		"strings":         list(thriftBinary, 1<<31-1),
		"string":          binary.AppendUvarint([]byte{0x18}, 1<<31-1),
		"huge string":     binary.AppendUvarint([]byte{0x18}, 1<<64-1),
		"empty structs":   append(append(list(thriftStruct, 1000), make([]byte, 1000)...), 0),
		"nested":          bytes.Repeat([]byte{0x1C}, 100_000_000),
		"nested lists":    bytes.Repeat([]byte{0x19, 0x19}, 1000),
		"map":             {0x1B, 1, 0x55, 2, 2, 0},
		"set":             {0x1A, 0x15, 2, 0},
		"unknown":         {0x1E, 0},
		"list of strings": append(list(thriftBinary, 5), 0, 0, 0, 4, 0),
	} {
		if n, err := Thrift(b); err == nil {
			t.Errorf("%s: %d bytes", name, n)
		}
	}
	b := []byte{0x15, 2, 0x11, 0x12, 0x13, 7, 0x07, 0x20, 1, 2, 3, 4, 5, 6, 7, 8, 0x18, 2, 'a', 'b', 0x19, 0x21, 1, 2, 0x1C, 0x16, 4, 0, 0}
	if n, err := Thrift(append(b, 1, 2, 3)); err != nil || n != len(b) {
		t.Errorf("%d bytes, %v; want %d", n, err, len(b))
	}
}
