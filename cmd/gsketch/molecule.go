// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/sketch"
)

// moleculeOptions say what the letters of raw files are.
type moleculeOptions struct {
	molecule     string
	alphabet     string
	preserveCase bool
	translate    bool
}

const moleculeNames = "dna, protein, dayhoff, hp, skipm1n3, skipm2n3, alphabet"

// addFlags adds the flags but --molecule; raw stands before what is of raw
// files alone.
func (o *moleculeOptions) addFlags(f *pflag.FlagSet, raw, translated string) {
	f.StringVar(&o.alphabet, "alphabet", sketch.MashProtein, raw+"molecule alphabet: the letters, others break k-mers; not given, the amino acids of mash -a")
	f.BoolVar(&o.preserveCase, "preserve-case", false, raw+"dna, alphabet: lower-case letters are other letters, as with mash -Z")
	f.BoolVar(&o.translate, "translate", false, raw+translated)
}

// defaultKs are the k of molecules where none is said: those of sourmash, and of
// mash -a.
var defaultKs = map[string]int{sketch.Protein: 10, sketch.Dayhoff: 16, sketch.HP: 42, sketch.Letters: 9}

const (
	defaultK           = 21
	defaultScaled      = 1000
	defaultScaledAmino = 200 // of sourmash, for amino acids
)

func isAmino(molecule string) bool {
	return molecule == sketch.Protein || molecule == sketch.Dayhoff || molecule == sketch.HP
}

// elements are the k-mers that the flags ask for, k = 0 standing for the
// molecule's own.
func (o *moleculeOptions) elements(f *pflag.FlagSet, k int, noncanonical bool) (sketch.Elements, error) {
	e := sketch.Elements{Molecule: strings.ToLower(o.molecule)}
	if e.Molecule == "" {
		e.Molecule = sketch.DNA
		if f.Changed("alphabet") {
			e.Molecule = sketch.Letters
		}
	}
	if e.K = k; k == 0 {
		e.K = defaultK
		if d := defaultKs[e.Molecule]; d > 0 && !f.Changed("alphabet") {
			e.K = d
		}
	}
	if f.Changed("alphabet") && e.Molecule != sketch.Letters {
		return e, usagef("--alphabet is of --molecule alphabet, not of %s", e.Molecule)
	}
	switch e.Molecule {
	case sketch.DNA, sketch.SkipM1N3, sketch.SkipM2N3:
		e.Canonical = !noncanonical
	case sketch.Protein, sketch.Dayhoff, sketch.HP:
	case sketch.Letters:
		var err error
		if e.Alphabet, err = alphabet(o.alphabet, o.preserveCase); err != nil {
			return e, err
		}
		e.PreserveCase = o.preserveCase
	default:
		return e, usagef("--molecule %s: one of %s", o.molecule, moleculeNames)
	}
	if o.preserveCase && e.Molecule != sketch.Letters {
		if e.Molecule != sketch.DNA {
			return e, usagef("--preserve-case is of dna and alphabet, not of %s", e.Molecule)
		}
		e.Molecule, e.Alphabet, e.PreserveCase = sketch.Letters, "ACGT", true
	}
	return e, nil
}

// alphabet sorts the letters and drops repetitions, as Mash does.
func alphabet(text string, preserveCase bool) (string, error) {
	if !preserveCase {
		text = strings.ToUpper(text)
	}
	letters := []byte(text)
	slices.Sort(letters)
	letters = slices.Compact(letters)
	if len(letters) == 0 {
		return "", usagef("--alphabet: no letters")
	}
	for _, c := range letters {
		if c <= ' ' || c > '~' {
			return "", usagef("--alphabet %q: printable ASCII characters, no white space", text)
		}
	}
	return string(letters), nil
}

// hashBits is the width of bottom-k hashes: that of Mash for what Mash makes.
func hashBits(e sketch.Elements) int {
	if e.Molecule == sketch.DNA || e.Molecule == sketch.Letters {
		return e.MashBits()
	}
	return 64
}

// moleculeUsage is the help of --molecule where sketches are made.
var moleculeUsage = fmt.Sprintf("what the letters are: %s; k and scaled not given are %d and %d, of amino acids those of sourmash (protein 10, dayhoff 16, hp 42; %d), of alphabet 9", moleculeNames, defaultK, defaultScaled, defaultScaledAmino)

// spells says whether e has the letters that the flags name.
func (o *moleculeOptions) spells(e sketch.Elements) bool {
	a, err := alphabet(o.alphabet, o.preserveCase)
	return err == nil && e.Alphabet == a
}
