// SPDX-License-Identifier: Apache-2.0

package kmer

import "math/bits"

// Constants of MurmurHash3 x64_128 (Appleby, MurmurHash3.cpp, public domain).
const (
	c1 = 0x87c37b91114253d5
	c2 = 0x4cf5ad432745937f
	a1 = 0x52dce729
	a2 = 0x38495ab5
	f1 = 0xff51afd7ed558ccd
	f2 = 0xc4ceb9fe1a85ec53
)

// letters4 holds the four letters, in memory order, of each byte of codes.
var letters4 = func() (t [256]uint32) {
	for i := range t {
		for j := range 4 {
			t[i] |= uint32("ACGT"[i>>(2*j)&3]) << (8 * j)
		}
	}
	return t
}()

// letters8 returns the letters of the first 8 bases of code.
func letters8(code uint64) uint64 {
	return uint64(letters4[code&0xff]) | uint64(letters4[code>>8&0xff])<<32
}

// reverseComplement returns the codes of the 32 complemented bases in reverse
// order.
func reverseComplement(code uint64) uint64 {
	code = bits.ReverseBytes64(code)
	code = code>>4&0x0f0f0f0f0f0f0f0f | code&0x0f0f0f0f0f0f0f0f<<4
	code = code>>2&0x3333333333333333 | code&0x3333333333333333<<2
	return ^code
}

// A scheme says what is hashed of a window, and how.
type scheme struct {
	k         int
	canonical bool
	bits      int
	seed      uint32
}

// hash returns the hash of the k-mer that the window starts with.
//
// Of the two strands it takes the one with the smaller code. That is the
// lexicographically smaller one, although the last base weighs most in a code:
// with x' = 3-x for the complement, a strand's base i is smaller than that of
// the other strand, x[i] < x[k-1-i]', exactly if its base k-1-i is.
func (s *scheme) hash(lo, hi uint64) uint64 {
	lo &= lowBases(s.k)
	hi &= lowBases(s.k - 32)
	if s.canonical {
		shift := uint(2 * (MaxK - s.k))
		rlo, rhi := shiftRight(reverseComplement(hi), reverseComplement(lo), shift)
		if rhi < hi || rhi == hi && rlo < lo {
			lo, hi = rlo, rhi
		}
	}
	h := murmur(lo, hi, s.k, uint64(s.seed))
	if s.bits == 32 {
		h &= 1<<32 - 1
	}
	return h
}

func shiftRight(lo, hi uint64, n uint) (uint64, uint64) {
	if n >= 64 {
		return hi >> (n - 64), 0
	}
	return lo>>n | hi<<(64-n), hi >> n
}

// murmur is Hash of the k letters of a code.
func murmur(lo, hi uint64, k int, seed uint64) uint64 {
	h1, h2 := seed, seed
	left := k
	for ; left >= 16; left -= 16 {
		h1 ^= mix1(letters8(lo))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + a1
		h2 ^= mix2(letters8(lo >> 16))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + a2
		lo, hi = lo>>32|hi<<32, hi>>32
	}
	if left > 8 {
		h2 ^= mix2(letters8(lo>>16) & lowBytes(left-8))
	}
	if left > 0 {
		h1 ^= mix1(letters8(lo) & lowBytes(left))
	}
	h1 ^= uint64(k)
	h2 ^= uint64(k)
	h1 += h2
	h2 += h1
	return finish(h1) + finish(h2)
}

func mix1(w uint64) uint64 { return bits.RotateLeft64(w*c1, 31) * c2 }
func mix2(w uint64) uint64 { return bits.RotateLeft64(w*c2, 33) * c1 }

func finish(h uint64) uint64 {
	h = (h ^ h>>33) * f1
	h = (h ^ h>>33) * f2
	return h ^ h>>33
}

// lowBytes is a mask of the first n bytes of a word, all of them for n >= 8.
func lowBytes(n int) uint64 { return lowBases(4 * n) }
