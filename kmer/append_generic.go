// SPDX-License-Identifier: Apache-2.0

package kmer

import (
	"encoding/binary"
	"math/bits"
)

// packGeneric is Block.pack in plain Go: runs of bases 8 at a time, what is
// between them byte by byte.
func (b *Block) packGeneric(text []byte) int {
	i := 0
	for i < len(text) && b.n < b.limit {
		i += b.packBases(text[i:min(len(text), i+b.limit-b.n)])
		if i < len(text) && b.n < b.limit {
			b.packByte(text[i])
			i++
		}
	}
	return i
}

func (b *Block) packByte(c byte) {
	switch class := b.class[c]; class {
	case white:
		return
	case notBase:
		b.setBad(b.n)
		b.badSum[upper(c)]++
	default:
		b.setBase(b.n, uint64(class))
	}
	b.n++
}

// packBases packs the bases that text starts with, up to one of its last 7
// bytes, and returns how many they are.
func (b *Block) packBases(text []byte) int {
	if len(text) < 8 {
		return 0
	}
	b.setBase(b.n, 0) // clears what a new word may hold
	word, at := b.n>>5, uint(b.n&31)*2
	acc := b.codes[word]
	taken := 0
	for len(text)-taken >= 8 {
		code, bases := codes8(binary.LittleEndian.Uint64(text[taken:]))
		acc |= code << (at & 63)
		taken += bases
		at += uint(2 * bases)
		if at >= 64 {
			b.codes[word] = acc
			at -= 64
			acc = code >> (uint(2*bases) - at)
			word++
			if word&1 == 0 {
				b.bad[word>>1] = 0
			}
		}
		if bases < 8 {
			break
		}
	}
	b.codes[word] = acc
	b.n += taken
	return taken
}

const eachByte = 0x0101010101010101

// codes8 returns the codes of the bases that 8 bytes of text start with, 16
// bits, and how many they are. A, C, G and T of either case differ in bits 1
// and 2, which give the code; and the letter that belongs to these two bits
// shows whether it was one.
func codes8(text uint64) (codes uint64, bases int) {
	const lower = 0x20 * eachByte
	text &^= lower
	pair := text >> 1 & (3 * eachByte)   // A=0 C=1 T=2 G=3
	tees := pair >> 1 &^ pair & eachByte // 1 for T
	letters := 'A'*eachByte + 2*pair + tees*('T'-'A'-4)
	codes = pair ^ pair>>1&eachByte // A=0 C=1 G=2 T=3
	// Move the code of byte i from bit 8i to bit 24+2i, that of byte 4+i to
	// bit 56+2i: the products that lie elsewhere do not overlap.
	codes *= 1<<24 | 1<<18 | 1<<12 | 1<<6
	codes = codes>>24&0xff | codes>>56<<8
	if text == letters {
		return codes, 8
	}
	bases = bits.TrailingZeros64(text^letters) / 8
	return codes & lowBases(bases), bases
}

func (b *Block) setBase(pos int, code uint64) {
	if pos&31 == 0 {
		b.codes[pos>>5] = 0
	}
	if pos&63 == 0 {
		b.bad[pos>>6] = 0
	}
	b.codes[pos>>5] |= code << (2 * uint(pos&31))
}

func (b *Block) setBad(pos int) {
	b.setBase(pos, 0)
	b.bad[pos>>6] |= 1 << uint(pos&63)
}
