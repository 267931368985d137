// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/binary"
	"unsafe"
)

// In files and digests a uint64 is 8 little-endian bytes, as in the memory of
// most machines; there, converting is copying.

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// memory is v as it lies in memory.
func memory(v []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 8*len(v))
}

// int64s is v with its bits read as signed: Spark and BigQuery have no
// unsigned type. Both types have one size and layout; nothing is copied.
func int64s(v []uint64) []int64 {
	if v == nil {
		return nil
	}
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

// putWords sets dst to the words whose bytes src holds.
func putWords(dst []uint64, src []byte) {
	for i := range dst {
		dst[i] = binary.LittleEndian.Uint64(src[8*i:])
	}
}

// writeWords calls write with the bytes of v, a piece at a time.
func writeWords(v []uint64, write func([]byte)) {
	if littleEndian {
		write(memory(v))
		return
	}
	var b [4096]byte
	for len(v) > 0 {
		n := min(len(v), len(b)/8)
		for i, x := range v[:n] {
			binary.LittleEndian.PutUint64(b[8*i:], x)
		}
		write(b[:8*n])
		v = v[n:]
	}
}
