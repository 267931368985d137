// SPDX-License-Identifier: Apache-2.0

package redisstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// datasketch stores the names of sets as Python pickles, which are programs: to
// load one is to run it. Here a pickle is read that is a text, bytes or an
// integer and nothing else; any other is refused, and none is ever run.

// maxPickledName bounds names; Python frames longer pickles in another way.
const maxPickledName = 60_000

// pickle returns what pickle.dumps of Python gives for a text, by protocol: 4
// (the default of Python 3.8 to 3.13) or 5 (since 3.14).
func pickle(name string, protocol byte) ([]byte, error) {
	if len(name) > maxPickledName {
		return nil, fmt.Errorf("a name of %d bytes; up to %d", len(name), maxPickledName)
	}
	var body []byte
	if len(name) < 256 {
		body = append(body, 0x8c, byte(len(name))) // SHORT_BINUNICODE
	} else {
		body = binary.LittleEndian.AppendUint32(append(body, 'X'), uint32(len(name))) // BINUNICODE
	}
	body = append(append(body, name...), 0x94, '.')                                          // MEMOIZE, STOP
	out := binary.LittleEndian.AppendUint64([]byte{0x80, protocol, 0x95}, uint64(len(body))) // PROTO, FRAME
	return append(out, body...), nil
}

var errPickle = errors.New("a Python pickle that is no plain text, bytes or integer; it is not run")

// unpickle reads the pickle of a text, bytes or an integer as a name.
func unpickle(b []byte) (string, error) {
	var value string
	have := false
	take := func(n uint64) ([]byte, bool) {
		if n > uint64(len(b)) {
			return nil, false
		}
		part := b[:n]
		b = b[n:]
		return part, true
	}
	for len(b) > 0 {
		op := b[0]
		b = b[1:]
		width, known := pickleWidth[op]
		if !known || have && strings.IndexByte(pickleValues, op) >= 0 {
			return "", errPickle
		}
		if op == '.' {
			if !have || len(b) > 0 {
				return "", errPickle
			}
			return value, nil
		}
		arg, ok := take(uint64(width))
		if !ok {
			return "", errPickle
		}
		if strings.IndexByte(pickleValues, op) < 0 { // PROTO, FRAME, MEMOIZE, BINPUT: no value
			continue
		}
		have = true
		switch op {
		case 'K', 'M', 'J': // BININT1, BININT2, BININT
			value = integer(arg, op == 'J')
		default: // a length, and so many bytes
			data, ok := take(length(arg))
			if !ok {
				return "", errPickle
			}
			if value = string(data); op == 0x8a { // LONG1
				value = integer(data, true)
			}
		}
	}
	return "", errPickle
}

// pickleWidth is the number of bytes behind an opcode.
var pickleWidth = map[byte]int{
	0x80: 1, 0x95: 8, 0x94: 0, 'q': 1, 'r': 4, '.': 0,
	0x8c: 1, 'X': 4, 0x8d: 8, 'C': 1, 'B': 4, 0x8e: 8, 'K': 1, 'M': 2, 'J': 4, 0x8a: 1,
}

// pickleValues are the opcodes that push a value.
const pickleValues = "\x8cX\x8dCB\x8eKMJ\x8a"

func length(b []byte) uint64 {
	var wide [8]byte
	copy(wide[:], b)
	return binary.LittleEndian.Uint64(wide[:])
}

// integer is the decimal of a little-endian number, in two's complement if it
// may be negative.
func integer(b []byte, signed bool) string {
	be := slices.Clone(b)
	slices.Reverse(be)
	v := new(big.Int).SetBytes(be)
	if signed && len(be) > 0 && be[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(be))))
	}
	return v.String()
}
