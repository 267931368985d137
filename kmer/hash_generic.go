// SPDX-License-Identifier: Apache-2.0

package kmer

import (
	"encoding/binary"
	"math/bits"
)

// Constants of MurmurHash3 x64_128 (Appleby, MurmurHash3.cpp, public domain).
const (
	c1 = 0x87c37b91114253d5
	c2 = 0x4cf5ad432745937f
	a1 = 0x52dce729
	a2 = 0x38495ab5
	f1 = 0xff51afd7ed558ccd
	f2 = 0xc4ceb9fe1a85ec53
)

// A scheme says what is hashed of a window, and how.
type scheme struct {
	k         int
	canonical bool
	bits      int
	seed      uint32
}

// A group is 64 neighbouring windows on their way to a hash. They go from step
// to step together: the variables of a short loop stay in registers, those of
// a whole hash do not.
type group struct {
	text   [64 + reach]byte // both strands of the bases in the windows as letters
	start  [64]uint8        // where in text the strand of each window starts
	h1, h2 [64]uint64       // state of MurmurHash3
}

const (
	reverse = 152      // the other strand in group.text, behind 63+64 bases up to the next word, and room to read on
	reach   = 256 + 16 // start cannot lead out of so many bytes: no bounds to check
)

// A genericKernel is the kernel in plain Go.
type genericKernel struct {
	scheme
	group group
}

func newGenericKernel(s scheme) kernel { return &genericKernel{scheme: s} }

func (g *genericKernel) near(hits, codes []uint64, bound uint64) {
	for w := range hits {
		g.prepare(&g.group, codes[2*w:])
		if g.k/16 == 1 {
			hits[w] = g.group.near16(g.k, uint64(g.seed), bound)
			continue
		}
		g.mix(&g.group)
		hits[w] = g.group.near(g.k, bound)
	}
}

func (g *genericKernel) hashes(dst, codes []uint64) {
	for ; len(dst) > 0; dst, codes = dst[64:], codes[2:] {
		g.prepare(&g.group, codes)
		g.mix(&g.group)
		g.group.finish((*[64]uint64)(dst), g.k)
	}
}

func (*genericKernel) pick(dst, hashes *[64]uint64, hits, mask, bound uint64) int {
	return pickGeneric(dst, hashes, hits, mask, bound)
}

func pickGeneric(dst, hashes *[64]uint64, hits, mask, bound uint64) int {
	n := uint(0)
	for _, hash := range hashes {
		hash &= mask
		dst[n%64] = hash
		_, above := bits.Sub64(bound, hash, 0)
		n += uint(hits & (above ^ 1))
		hits >>= 1
	}
	return int(n)
}

// prepare finds the letters to be hashed of the 64 windows that start in the
// first two words of codes.
func (s *scheme) prepare(g *group, codes []uint64) {
	s.spell(g, codes)
	s.choose(g, codes)
}

// mix mixes all whole blocks of 16 letters into the state.
func (s *scheme) mix(g *group) {
	if s.k < 16 {
		for i := range g.h1 {
			g.h1[i], g.h2[i] = uint64(s.seed), uint64(s.seed)
		}
		return
	}
	g.mixFirst(uint64(s.seed))
	for at := 16; at+16 <= s.k; at += 16 {
		g.mixNext(at)
	}
}

// words is the number of code words that the windows of a group lie in.
func (s *scheme) words() int { return (63 + s.k + 31) / 32 }

// spell writes both strands of these words as text.
func (s *scheme) spell(g *group, codes []uint64) {
	words := s.words()
	for w, code := range codes[:words] {
		letters32((*[32]byte)(g.text[32*w:]), code)
		letters32((*[32]byte)(g.text[reverse+32*(words-1-w):]), reverseComplement(code))
	}
}

// choose finds where the smaller strand of each window starts.
func (s *scheme) choose(g *group, codes []uint64) {
	back := uint64(reverse+32*s.words()-s.k) * 0x0101010101010101
	forward := uint64(0x0706050403020100)
	for half := range 2 {
		smaller := ^uint64(0)
		if s.canonical {
			smaller = forwardSmaller(codes[half:], s.k)
		}
		for i := 32 * half; i < 32*half+32; i += 8 {
			mask := uint64(spread[smaller&0xff]) | uint64(spread[smaller>>8&0xff])<<32
			at := (back - forward) ^ (back-forward^forward)&mask
			binary.LittleEndian.PutUint64(g.start[i:], at)
			forward += 0x0808080808080808
			smaller >>= 16
		}
	}
}

// forwardSmaller compares the two strands of the 32 windows that start in the
// first word of codes, base by base in all windows at once, and sets the lower
// bit of a window's place if the strand as it is read is the smaller. Base i of
// the other strand is the complement of base k-1-i of this one.
func forwardSmaller(codes []uint64, k int) (smaller uint64) {
	open := uint64(0x5555555555555555) // windows not yet decided
	for i, j := 0, k-1; i <= j && open != 0; i, j = i+1, j-1 {
		a, b := bases(codes, i), ^bases(codes, j)
		differ := a ^ b
		high := differ >> 1 & open
		low := differ & open &^ high
		smaller |= high&(b>>1) | low&b
		open &^= high | low
	}
	return smaller
}

// bases returns the codes of the 32 bases from pos on.
func bases(codes []uint64, pos int) uint64 {
	w, s := uint(pos)/32, uint(pos)%32*2
	return codes[w]>>s | codes[w+1]<<1<<(63-s)
}

// word returns the 8 letters from i on.
func word(text *[reach]byte, i int) uint64 {
	return binary.LittleEndian.Uint64(text[i : i+8])
}

// mixFirst mixes the first 16 letters into the state.
func (g *group) mixFirst(seed uint64) {
	text := (*[reach]byte)(g.text[:])
	for i := range g.start {
		at := int(g.start[i])
		h1 := seed ^ bits.RotateLeft64(word(text, at)*c1, 31)*c2
		h1 = (bits.RotateLeft64(h1, 27)+seed)*5 + a1
		h2 := seed ^ bits.RotateLeft64(word(text, at+8)*c2, 33)*c1
		g.h1[i] = h1
		g.h2[i] = (bits.RotateLeft64(h2, 31)+h1)*5 + a2
	}
}

// mixNext mixes in the 16 letters from place on.
func (g *group) mixNext(place int) {
	text := (*[reach]byte)(g.text[place:])
	for i := range g.start {
		at := int(g.start[i])
		h2 := g.h2[i]
		h1 := g.h1[i] ^ bits.RotateLeft64(word(text, at)*c1, 31)*c2
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + a1
		h2 ^= bits.RotateLeft64(word(text, at+8)*c2, 33) * c1
		g.h1[i] = h1
		g.h2[i] = (bits.RotateLeft64(h2, 31)+h1)*5 + a2
	}
}

// finish mixes in the last k mod 16 letters and the length, and is done.
func (g *group) finish(dst *[64]uint64, k int) {
	left := k % 16
	text := (*[reach]byte)(g.text[k-left:])
	mask1, mask2 := lowBytes(left), lowBytes(left-8)
	for i := range g.start {
		at := int(g.start[i])
		h1, h2 := g.h1[i]^uint64(k), g.h2[i]^uint64(k)
		if left > 8 {
			h2 ^= bits.RotateLeft64(word(text, at+8)&mask2*c2, 33) * c1
		}
		h1 ^= bits.RotateLeft64(word(text, at)&mask1*c1, 31) * c2
		h1 += h2
		h2 += h1
		h1 = (h1 ^ h1>>33) * f1
		h2 = (h2 ^ h2>>33) * f1
		h1 = (h1 ^ h1>>33) * f2
		h2 = (h2 ^ h2>>33) * f2
		dst[i] = (h1 ^ h1>>33) + (h2 ^ h2>>33)
	}
}

// near is finish without the last step. A hash is
//
//	(x ^ x>>33) + (y ^ y>>33)   with   x = h1*f2, y = h2*f2,
//
// and x ^ x>>33 differs from x by less than 1<<31. So (h1 + h2)*f2 differs from
// the hash by less than 1<<32 either way, modulo 1<<64, and every hash that is
// at most bound passes.
func (g *group) near(k int, bound uint64) (hits uint64) {
	bound += 1 << 33
	left := k % 16
	text := (*[reach]byte)(g.text[k-left:])
	mask1, mask2 := lowBytes(left), lowBytes(left-8)
	for i := range g.start {
		at := int(g.start[i])
		h1, h2 := g.h1[i]^uint64(k), g.h2[i]^uint64(k)
		if left > 8 {
			h2 ^= bits.RotateLeft64(word(text, at+8)&mask2*c2, 33) * c1
		}
		h1 ^= bits.RotateLeft64(word(text, at)&mask1*c1, 31) * c2
		h1 += h2
		h2 += h1
		h1 = (h1 ^ h1>>33) * f1
		h2 = (h2 ^ h2>>33) * f1
		if ((h1^h1>>33)+(h2^h2>>33))*f2+1<<32 <= bound {
			hits |= 1 << uint(i)
		}
	}
	return hits
}

// near16 is mixFirst and near in one, for the usual k from 16 to 31: it keeps
// the state in registers.
func (g *group) near16(k int, seed, bound uint64) (hits uint64) {
	bound += 1 << 33
	text, rest := (*[reach]byte)(g.text[:]), (*[reach]byte)(g.text[16:])
	mask1, mask2 := lowBytes(k-16), lowBytes(k-24)
	for i := range g.start {
		at := int(g.start[i])
		h1 := seed ^ bits.RotateLeft64(word(text, at)*c1, 31)*c2
		h1 = (bits.RotateLeft64(h1, 27)+seed)*5 + a1
		h2 := seed ^ bits.RotateLeft64(word(text, at+8)*c2, 33)*c1
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + a2
		h1 ^= uint64(k)
		h2 ^= uint64(k)
		if k > 24 {
			h2 ^= bits.RotateLeft64(word(rest, at+8)&mask2*c2, 33) * c1
		}
		h1 ^= bits.RotateLeft64(word(rest, at)&mask1*c1, 31) * c2
		h1 += h2
		h2 += h1
		h1 = (h1 ^ h1>>33) * f1
		h2 = (h2 ^ h2>>33) * f1
		if ((h1^h1>>33)+(h2^h2>>33))*f2+1<<32 <= bound {
			hits |= 1 << uint(i)
		}
	}
	return hits
}
