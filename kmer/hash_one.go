// SPDX-License-Identifier: Apache-2.0

package kmer

import "math/bits"

// hashAt returns the hash of the window that starts at pos.
func (s *scheme) hashAt(b *Block, pos int) uint64 {
	lo, hi := b.window(pos)
	lo &= lowBases(s.k)
	hi &= lowBases(s.k - 32)
	if s.canonical {
		rlo, rhi := shiftRight(reverseComplement(hi), reverseComplement(lo), uint(2*(MaxK-s.k)))
		if rhi < hi || rhi == hi && rlo < lo {
			lo, hi = rlo, rhi
		}
	}
	h1, h2 := uint64(s.seed), uint64(s.seed)
	left := s.k
	for ; left >= 16; left -= 16 {
		h1 ^= bits.RotateLeft64(letters8(lo)*c1, 31) * c2
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + a1
		h2 ^= bits.RotateLeft64(letters8(lo>>16)*c2, 33) * c1
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + a2
		lo, hi = lo>>32|hi<<32, hi>>32
	}
	if left > 8 {
		h2 ^= bits.RotateLeft64(letters8(lo>>16)&lowBytes(left-8)*c2, 33) * c1
	}
	if left > 0 {
		h1 ^= bits.RotateLeft64(letters8(lo)&lowBytes(left)*c1, 31) * c2
	}
	h1 ^= uint64(s.k)
	h2 ^= uint64(s.k)
	h1 += h2
	h2 += h1
	return (finish(h1) + finish(h2)) & s.mask()
}

// mask is that of the bits of a hash that are kept.
func (s *scheme) mask() uint64 { return (1<<64 - 1) >> (64 - s.bits) }

func finish(h uint64) uint64 {
	h = (h ^ h>>33) * f1
	h = (h ^ h>>33) * f2
	return h ^ h>>33
}
