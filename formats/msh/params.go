// SPDX-License-Identifier: Apache-2.0

package msh

import (
	"fmt"
	"math"
	"slices"

	"github.com/gsketch/gsketch/formats/msh/internal/schema"
	"github.com/gsketch/gsketch/sketch"
)

const (
	dnaLetters = "ACGT"
	maxK       = 32 // of Mash
)

// paramsOf reads the parameters of a file, all but Weighted.
func paramsOf(m schema.MinHash) (sketch.Params, error) {
	alphabet, err := m.Alphabet()
	if err != nil {
		return sketch.Params{}, fmt.Errorf("alphabet: %w", err)
	}
	if m.KmerSize() < 1 || m.KmerSize() > maxK {
		return sketch.Params{}, fmt.Errorf("k = %d is outside 1..%d", m.KmerSize(), maxK)
	}
	if m.MinHashesPerWindow() < 1 || m.MinHashesPerWindow() > math.MaxInt32 {
		return sketch.Params{}, fmt.Errorf("sketch size %d is outside 1..%d", m.MinHashesPerWindow(), math.MaxInt32)
	}
	if m.WindowSize() != 0 {
		return sketch.Params{}, fmt.Errorf("windowed sketches (window %d), which Mash 2 does not read either", m.WindowSize())
	}
	e := elementsOf(alphabet, m.PreserveCase())
	e.K = int(m.KmerSize())
	e.Canonical = !m.Noncanonical()
	p := sketch.Params{
		Family:   sketch.BottomK,
		Elements: e,
		Hash:     sketch.Murmur3(e.MashBits(), m.HashSeed()),
		Size:     int(m.MinHashesPerWindow()),
	}
	return p, p.Validate()
}

// elementsOf names the molecule. Mash takes the letters as a set, so their
// order and repetitions in the file mean nothing.
func elementsOf(alphabet string, preserveCase bool) sketch.Elements {
	letters := []byte(alphabet)
	slices.Sort(letters)
	letters = slices.Compact(letters)
	if len(letters) == 0 {
		letters = []byte(dnaLetters)
	}
	if string(letters) == dnaLetters && !preserveCase {
		return sketch.Elements{Molecule: sketch.DNA}
	}
	return sketch.Elements{Molecule: sketch.Letters, Alphabet: string(letters), PreserveCase: preserveCase}
}

// setParams writes the parameters, or says why .msh cannot hold them.
func setParams(m schema.MinHash, p sketch.Params) error {
	if err := Holds(p); err != nil {
		return err
	}
	alphabet := dnaLetters
	if p.Elements.Molecule == sketch.Letters {
		alphabet = p.Elements.Alphabet
	}
	m.SetKmerSize(uint32(p.Elements.K))
	m.SetMinHashesPerWindow(uint32(p.Size))
	m.SetNoncanonical(!p.Elements.Canonical)
	m.SetPreserveCase(p.Elements.PreserveCase)
	m.SetHashSeed(uint32(p.Hash.Seed))
	return m.SetAlphabet(alphabet)
}

// Holds says why .msh cannot hold sketches made with p; nil if it can.
func Holds(p sketch.Params) error {
	no := func(format string, args ...any) error {
		return fmt.Errorf(".msh cannot hold "+format, args...)
	}
	if err := p.Validate(); err != nil {
		return err
	}
	e := p.Elements
	switch {
	case p.Family != sketch.BottomK:
		return no("%s sketches, only bottom-k", p.Family)
	case e.Molecule != sketch.DNA && e.Molecule != sketch.Letters:
		return no("elements %s: only k-mers of an alphabet that other letters break", e)
	case e.K > maxK:
		return no("k = %d, only up to %d", e.K, maxK)
	case p.Size > math.MaxInt32:
		return no("sketches of size %d, only up to %d", p.Size, math.MaxInt32)
	case p.Hash != sketch.Murmur3(p.Hash.Bits, uint32(p.Hash.Seed)):
		return no("hashes made with %s, only with MurmurHash3 and a seed of 32 bits", p.Hash)
	case p.Hash.Bits != e.MashBits():
		return no("%d-bit hashes of %s: Mash stores %d bits for them (64 if and only if |alphabet|^k > 2^32)", p.Hash.Bits, e, e.MashBits())
	}
	return nil
}
