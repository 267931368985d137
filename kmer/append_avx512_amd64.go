// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

package kmer

import "math/bits"

// packAVX512 is Block.pack in pieces that stay in the first-level cache: text
// to classes without white space, then whole words of these to codes. The
// classes of an unfinished word stay for more text.
func (b *Block) packAVX512(text []byte) int {
	var odd [piece / 64]uint64
	done := 0
	for done < len(text) && b.n < b.limit {
		part := text[done:min(len(text), done+min(piece, b.limit-b.n))]
		done += len(part)
		held := b.n & 63
		n := stripAVX512(&b.held[held], &part[0], len(part), b.class, &odd[0])
		words := (held + n + 63) / 64
		if words > 0 {
			at := b.n &^ 63
			_, _ = b.codes[at/32+2*words-1], b.bad[at/64+words-1]
			packAVX512(&b.codes[at/32], &b.bad[at/64], &b.held[0], words)
		}
		copy(b.held[:64], b.held[(held+n)&^63:])
		b.n += n
		for i, m := range odd[:(len(part)+63)/64] {
			for ; m != 0; m &= m - 1 {
				b.badSum[upper(part[64*i+bits.TrailingZeros64(m)])]++
			}
		}
	}
	return done
}

// stripAVX512 writes the classes of n bytes of text to dst, leaves out those of
// white space and returns how many remain. It may write 64 bytes beyond them.
// Bit i of odd is set where byte i of text is neither.
//
//go:noescape
func stripAVX512(dst, text *byte, n int, class *[256]byte, odd *uint64) int

// packAVX512 packs 64 classes per word: their codes into two words of codes,
// and a bit of bad for each that is notBase.
//
//go:noescape
func packAVX512(codes, bad *uint64, classes *byte, words int)
