// SPDX-License-Identifier: Apache-2.0

package kmer

// The class of a byte of text: the code of a base, 0 to 3, or one of these.
const (
	notBase = 0x80
	white   = 0x40
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

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
