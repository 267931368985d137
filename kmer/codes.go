// SPDX-License-Identifier: Apache-2.0

package kmer

import (
	"encoding/binary"
	"math/bits"
)

// letters4 holds the letters of each byte of codes.
var letters4 = func() (t [256]uint32) {
	for i := range t {
		for j := range 4 {
			t[i] |= uint32("ACGT"[i>>(2*j)&3]) << (8 * j)
		}
	}
	return t
}()

// letters8 returns the letters of the first 8 bases of code, in memory order.
func letters8(code uint64) uint64 {
	return uint64(letters4[code&0xff]) | uint64(letters4[code>>8&0xff])<<32
}

// letters32 writes the letters of 32 bases.
func letters32(dst *[32]byte, code uint64) {
	binary.LittleEndian.PutUint64(dst[0:8], letters8(code))
	binary.LittleEndian.PutUint64(dst[8:16], letters8(code>>16))
	binary.LittleEndian.PutUint64(dst[16:24], letters8(code>>32))
	binary.LittleEndian.PutUint64(dst[24:32], letters8(code>>48))
}

// spread turns the lower bit of each pair of bits into a byte of ones.
var spread = func() (t [256]uint32) {
	for i := range t {
		for j := range 4 {
			t[i] |= uint32(i>>(2*j)&1*0xff) << (8 * j)
		}
	}
	return t
}()

// lowBytes is a mask of the first n bytes of a word, 0 <= n <= 8.
func lowBytes(n int) uint64 { return lowBases(4 * n) }

// reverseComplement returns the codes of the 32 complemented bases in reverse
// order.
func reverseComplement(code uint64) uint64 {
	code = bits.ReverseBytes64(code)
	code = code>>4&0x0f0f0f0f0f0f0f0f | code&0x0f0f0f0f0f0f0f0f<<4
	code = code>>2&0x3333333333333333 | code&0x3333333333333333<<2
	return ^code
}

// lowBases is a mask of the codes of the first n bases of a word.
func lowBases(n int) uint64 {
	if n >= 32 {
		return 1<<64 - 1
	}
	return 1<<uint(2*max(n, 0)) - 1
}

func shiftRight(lo, hi uint64, n uint) (uint64, uint64) {
	if n >= 64 {
		return hi >> (n - 64), 0
	}
	return lo>>n | hi<<(64-n), hi >> n
}
