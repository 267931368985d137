// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

package kmer

// packAVX2 is packGeneric with longer steps through runs of bases.
func (b *Block) packAVX2(text []byte) int {
	var codes [piece / 32]uint64
	i := 0
	for i < len(text) && b.n < b.limit {
		part := text[i:min(len(text), i+min(piece, b.limit-b.n))]
		n := 0
		if len(part) >= 32 {
			n = codesAVX2(&codes[0], &part[0], len(part))
			b.packCodes(codes[:], n)
		}
		n += b.packBases(part[n:])
		if n < len(part) {
			b.packByte(part[n])
			n++
		}
		i += n
	}
	return i
}

// packCodes packs n bases.
func (b *Block) packCodes(codes []uint64, n int) {
	for ; n > 0; codes, n = codes[1:], n-32 {
		bases := min(n, 32)
		code := codes[0] & lowBases(bases)
		b.setBase(b.n, 0) // clears what a new word may hold
		word, at := b.n>>5, uint(b.n&31)*2
		b.codes[word] |= code << at
		if at+uint(2*bases) >= 64 {
			b.setBase((word+1)*32, 0)
			b.codes[word+1] = code >> (64 - at)
		}
		b.n += bases
	}
}

// codesAVX2 writes the codes of the bases that n bytes of text start with, 32
// in a word, and returns how many they are. It leaves out what does not fill
// 32 bytes in the end.
//
//go:noescape
func codesAVX2(codes *uint64, text *byte, n int) int
