// SPDX-License-Identifier: Apache-2.0

package kmer

// packGeneric is Block.pack byte by byte.
func (b *Block) packGeneric(text []byte) int {
	i := 0
	for ; i < len(text); i++ {
		class := b.class[text[i]]
		if class == white {
			continue
		}
		if b.n >= b.limit {
			break
		}
		if class == notBase {
			b.setBad(b.n)
			b.badSum[upper(text[i])]++
		} else {
			b.setBase(b.n, uint64(class))
		}
		b.n++
	}
	return i
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
