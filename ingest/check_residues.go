// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"fmt"

	"github.com/gsketch/gsketch/sketch"
)

// dnaShare is the share of A, C, G, T, U and N above which letters are not
// taken for amino acids. Proteins have some 30 %.
const dnaShare = 0.9

// checkResidues refuses DNA where amino acids are expected: those of sourmash
// and those of mash -a. Other alphabets are what their user says.
func (s *sampler) checkResidues(fail func(error) error) error {
	c, e := s.census, s.run.plan.Params[0].Elements
	if e.Molecule == sketch.Letters && e.Alphabet != sketch.MashProtein || s.run.opts.AnyLetters {
		return nil
	}
	var dna uint64
	for _, b := range "ACGTUN" {
		dna += c.letters[b]
	}
	if share := float64(dna) / float64(c.bases); share > dnaShare {
		return fail(fmt.Errorf("not protein: %.0f %% of its %d letters are A, C, G, T, U or N; is it DNA? (--translate reads its six frames, --any-letters takes it as it is)", 100*share, c.bases))
	}
	return nil
}

// width is how long a record must be to have an element.
func (l *ledger) width() string {
	if l.span == l.k {
		return fmt.Sprintf("k = %d", l.k)
	}
	return fmt.Sprintf("%d letters (k = %d)", l.span, l.k)
}

// effect is what a letter that is no base does to elements.
func (p Plan) effect() string {
	if e := p.Params[0].Elements; isDNA(e) || e.Molecule == sketch.Letters {
		return "break k-mers"
	}
	return "make codons X"
}

// LettersOf names the letters that do not break an element.
func LettersOf(e sketch.Elements) string {
	switch e.Molecule {
	case sketch.Letters:
		return e.Alphabet
	case sketch.DNA, sketch.SkipM1N3, sketch.SkipM2N3:
		return "A, C, G, T"
	}
	return "letters"
}
