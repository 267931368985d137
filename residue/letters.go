// SPDX-License-Identifier: Apache-2.0

package residue

import (
	"fmt"

	"github.com/gsketch/gsketch/sketch"
)

// Standard is the alphabet of the 20 amino acids, the only one that codons can
// be read into besides those of sourmash.
const Standard = sketch.MashProtein

// gap stands where no k-mer may reach across: between records, and for a
// letter outside an alphabet that other letters break.
const gap = 0

// dayhoff are the classes of Dayhoff, Schwartz and Orcutt (1978), as sourmash
// spells them; hydrophobic those of the hydrophobic-polar model of Lau and Dill
// (doi:10.1021/ma00200a030). A stop is a letter of its own, any other an X.
var (
	dayhoff     = groups("a:C", "b:AGPST", "c:DENQ", "d:HKR", "e:ILMV", "f:FWY", "*:*")
	hydrophobic = groups("h:AFGILMPVWY", "p:NCSTDERHKQ", "*:*")
)

func groups(list ...string) (t [256]byte) {
	for i := range t {
		t[i] = 'X'
	}
	for _, g := range list {
		for _, c := range g[2:] {
			t[c] = g[0]
		}
	}
	return t
}

// Check says whether k-mers of these elements can be made of letters, or of
// codons with translated. It looks at all but k.
func Check(e sketch.Elements, translated bool) error {
	switch e.Molecule {
	case sketch.Protein, sketch.Dayhoff, sketch.HP:
		if e.Canonical {
			return fmt.Errorf("amino acids have no other strand: canonical %s cannot be made", e.Molecule)
		}
	case sketch.Letters:
		if e.Canonical && e.Alphabet != "ACGT" {
			return fmt.Errorf("canonical k-mers are of the alphabet ACGT alone, not of %s", e.Alphabet)
		}
		if translated && (e.Alphabet != Standard || e.PreserveCase) {
			return fmt.Errorf("six frames give amino acids, not k-mers of the alphabet %s", e.Alphabet)
		}
	default:
		return fmt.Errorf("%s is not made of residues", e.Molecule)
	}
	return nil
}

// letters is how e spells each byte of text: upper case where case does not
// count, the class of a reduced alphabet, gap for what breaks a k-mer.
func letters(e sketch.Elements) (t [256]byte) {
	in := groups() // of an alphabet, the letters themselves; anything else X
	for i := range len(e.Alphabet) {
		in[e.Alphabet[i]] = 1
	}
	for i := range t {
		c := byte(i)
		if !e.PreserveCase {
			c = upper(c)
		}
		switch e.Molecule {
		case sketch.Dayhoff:
			c = dayhoff[c]
		case sketch.HP:
			c = hydrophobic[c]
		case sketch.Letters:
			if in[c] != 1 {
				c = gap
			}
		}
		t[i] = c
	}
	t[gap] = gap
	return t
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}
