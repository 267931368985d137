// SPDX-License-Identifier: Apache-2.0

package kmer

// What a byte of text is: 0..3 a base, or one of these.
const (
	notBase = 4
	white   = 8
)

var dnaClass, rnaClass = classes(false), classes(true)

func classes(rna bool) (class [256]byte) {
	for i := range class {
		class[i] = notBase
	}
	for _, c := range " \t\n\v\f\r" {
		class[c] = white
	}
	for code, c := range "ACGT" {
		class[c], class[c|0x20] = byte(code), byte(code)
	}
	if rna {
		class['U'], class['u'] = class['T'], class['T']
	}
	return class
}

// appendGeneric is Append, byte by byte.
func (b *Block) appendGeneric(text []byte) int {
	before := b.n
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
	b.bases += uint64(b.n - before)
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

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
