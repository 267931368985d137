// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/sketch"
)

// slotOptions are the flags of the families whose sketches are slots.
type slotOptions struct {
	permutation string
	densify     string
	bits        int
}

func (o *slotOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.permutation, "permutation", sketch.Affine32, "kperm, bbit: scheme of the permutations: affine32, affine64, legacy (datasketch), milvus")
	f.StringVar(&o.densify, "densify", sketch.Optimal, "oph: how empty bins are filled: optimal, rotation, none")
	f.IntVar(&o.bits, "bits", 8, "bbit: bits kept of a slot, 1..32")
}

// The sizes of slot families where none is given.
const (
	defaultSlots       = 128
	defaultFingerprint = 64
)

// slotFlags are those that slot families alone have.
var slotFlags = []string{"permutation", "densify", "bits"}

// family fills in what depends on the family of sketches: p has elements, the
// hash of elements and Weighted.
func (o *paramOptions) family(f *pflag.FlagSet, p sketch.Params, family string) (sketch.Params, error) {
	p.Family = family
	slots := defaultSlots
	if family == sketch.SimHash {
		slots = defaultFingerprint
	}
	if f.Changed("size") {
		slots = o.size
	}
	switch family {
	case sketch.BottomK:
		p.Size = o.size
		return p, nil
	case sketch.FracMinHash:
		p.Scaled = o.scaled
		return p, nil
	case sketch.KPerm, sketch.BBit:
		p.Hash.Permutation, p.Hash.Seed = o.permutation, defaultPermutations
		if o.seeded(f) {
			p.Hash.Seed = o.seed
		}
		if family == sketch.BBit {
			p.Bits = o.bits
		}
	case sketch.OPH:
		if o.densify != "none" {
			p.Densify = o.densify
		}
	case sketch.ICWS:
		p.Weighted = true
	case sketch.SimHash:
	default:
		return p, usagef("--family %s: one of bottomk, fracminhash, kperm, oph, bbit, icws, simhash", family)
	}
	p.Size = slots
	if err := p.Validate(); err != nil {
		return p, usagef("--family %s: %v", family, err)
	}
	return p, nil
}

// defaultPermutations is the seed of permutations, as in datasketch.
const defaultPermutations = 1
