// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"fmt"
	"math"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// molecules are the names that sourmash writes, by ours.
var molecules = map[string]string{
	sketch.DNA:      "DNA",
	sketch.Protein:  "protein",
	sketch.Dayhoff:  "dayhoff",
	sketch.HP:       "hp",
	sketch.SkipM1N3: "skipm1n3",
	sketch.SkipM2N3: "skipm2n3",
}

// nucleic says that elements are written in bases: they are canonical, and
// ksize is k. For amino acids ksize is 3k, the bases that code for k residues.
func nucleic(molecule string) bool {
	return molecule == sketch.DNA || molecule == sketch.SkipM1N3 || molecule == sketch.SkipM2N3
}

// elementsOf maps molecule, in any case, and ksize. Early versions of sourmash
// stored a ksize for proteins that 3 does not divide; its k-mers have as many
// residues as whole codons fit.
func elementsOf(molecule string, ksize uint64) (sketch.Elements, error) {
	name := strings.ToLower(molecule) // ours are lower case
	if _, ok := molecules[name]; !ok {
		return sketch.Elements{}, fmt.Errorf("unknown molecule %q", molecule)
	}
	if !nucleic(name) {
		ksize /= 3
	}
	if ksize < 1 || ksize > sketch.MaxK {
		return sketch.Elements{}, fmt.Errorf("k = %d is outside 1..%d", ksize, sketch.MaxK)
	}
	return sketch.Elements{Molecule: name, K: int(ksize), Canonical: nucleic(name)}, nil
}

// ksizeOf is the ksize to store.
func ksizeOf(e sketch.Elements) uint64 {
	if nucleic(e.Molecule) {
		return uint64(e.K)
	}
	return 3 * uint64(e.K)
}

// scaledOf is the scaled of a max_hash. Versions of sourmash have rounded the
// quotient 2^64/scaled in different ways, so it may be off by one, or by an
// ulp of a double; anything else is no threshold of a whole scaled.
func scaledOf(maxHash uint64) (uint64, error) {
	scaled := sketch.ScaledOf(maxHash)
	exact := sketch.MaxHash(scaled)
	if max(maxHash, exact)-min(maxHash, exact) > 1+maxHash>>50 {
		return 0, fmt.Errorf("max_hash %d is not that of a whole scaled (%d for scaled = %d)", maxHash, exact, scaled)
	}
	return scaled, nil
}

// Holds says why a signature file cannot hold sketches made with p; nil if it
// can.
func Holds(p sketch.Params) error {
	no := func(format string, args ...any) error {
		return fmt.Errorf("a sourmash signature cannot hold "+format, args...)
	}
	if err := p.Validate(); err != nil {
		return err
	}
	e := p.Elements
	switch {
	case p.Family != sketch.BottomK && p.Family != sketch.FracMinHash:
		return no("%s sketches, only bottom-k (num) and FracMinHash (scaled)", p.Family)
	case molecules[e.Molecule] == "":
		return no("elements %s", e)
	case e.Canonical != nucleic(e.Molecule):
		return no("elements %s: nucleotides are canonical, amino acids are not", e)
	case p.Hash.Bits != 64:
		return no("%d-bit hashes, as Mash stores for %s, only 64-bit ones", p.Hash.Bits, e)
	case p.Hash != sketch.Murmur3(64, uint32(p.Hash.Seed)):
		return no("hashes made with %s, only with MurmurHash3 and a seed of 32 bits", p.Hash)
	case p.Scaled != sketch.ScaledOf(sketch.MaxHash(p.Scaled)):
		return no("scaled = %d, which max_hash = %d does not tell from its neighbours", p.Scaled, sketch.MaxHash(p.Scaled))
	case p.Size > math.MaxUint32:
		return no("num = %d, only up to %d", p.Size, uint32(math.MaxUint32))
	}
	return nil
}
