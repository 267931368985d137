// SPDX-License-Identifier: Apache-2.0

package residue

import "github.com/gsketch/gsketch/sketch"

// The code of a byte of DNA: 0 to 3 for A, C, G, T, or one of these.
const (
	anyBase  = 4 // N
	noBase   = 5 // no letter that codons know
	noLetter = 6 // between records
)

// standard is the standard genetic code, NCBI's table 1, in the order of the
// codes of the three bases: AAA, AAC, ... TTT. * is a stop.
const standard = "KNKNTTTTRSRSIIMIQHQHPPPPRRRRLLLLEDEDAAAAGGGGVVVV*Y*YSSSS*CWCLFLF"

func bases(rna bool) (t [256]byte) {
	for i := range t {
		t[i] = noBase
	}
	for code, c := range "ACGTN" {
		t[c], t[c|0x20] = byte(code), byte(code)
	}
	if rna {
		t['U'], t['u'] = t['T'], t['T']
	}
	t[gap] = noLetter
	return t
}

// codons holds the letter of each codon, by the codes of its bases in 3 bits
// each, the first one highest: read forward, and as the other strand reads it.
type codons struct{ forward, reverse [512]byte }

// newCodons spells codons as e does.
//
// As in sourmash an N in the third place does not matter where the first two
// bases tell the amino acid (TCN CTN CCN CGN ACN GTN GCN GGN), and any other
// codon with a letter that is no base is an X. As in Mash, k-mers of an
// alphabet end there, and at a stop.
func newCodons(e sketch.Elements) *codons {
	t, spell := &codons{}, letters(e)
	complement := [8]int{3, 2, 1, 0, anyBase, noBase, noLetter, noLetter}
	for i := range 512 {
		a, b, c := i>>6, i>>3&7, i&7
		aa := amino(a, b, c)
		if e.Molecule == sketch.Letters && c > 3 {
			aa = gap
		}
		t.forward[i] = spell[aa]
		t.reverse[complement[c]<<6|complement[b]<<3|complement[a]] = spell[aa]
	}
	return t
}

func amino(a, b, c int) byte {
	switch {
	case max(a, b, c) >= noLetter:
		return gap
	case a > 3 || b > 3 || c == noBase:
		return 'X'
	case c < anyBase:
		return standard[a<<4|b<<2|c]
	}
	box := standard[a<<4|b<<2:][:4]
	if box[0] == box[1] && box[1] == box[2] && box[2] == box[3] {
		return box[0]
	}
	return 'X'
}
