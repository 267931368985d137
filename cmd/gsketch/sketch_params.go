// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/kmer"
	"github.com/gsketch/gsketch/sketch"
)

// paramOptions are the flags that become sketch.Params.
type paramOptions struct {
	ks           []int
	size         int
	scaled       uint64
	seed         uint64
	seedFile     string
	families     []string
	noncanonical bool
	abundance    bool
	specs        []string
	moleculeOptions
	slotOptions
}

func (o *paramOptions) addFlags(f *pflag.FlagSet) {
	f.IntSliceVarP(&o.ks, "kmer", "k", []int{21}, fmt.Sprintf("lengths of k-mers, 1..%d, comma-separated", kmer.MaxK))
	f.IntVarP(&o.size, "size", "s", 1000, "bottom-k: hashes in a sketch, at least 1; other families: slots or bits (128; simhash 64)")
	f.Uint64Var(&o.scaled, "scaled", 1000, "FracMinHash: one hash in so many is kept, at least 1")
	f.Uint64Var(&o.seed, "seed", 42, "seed of MurmurHash3, 0..4294967295; of XXH3, 64 bits (0 if not given); of the permutations, 0..4294967295 (1)")
	f.StringVar(&o.seedFile, "seed-file", "", "read the seed from the first line of this file, which keeps it out of the list of processes")
	f.StringSliceVar(&o.families, "family", nil, "families: bottomk, fracminhash, kperm, oph, bbit, icws, simhash (default: both first that the output holds; of texts, kperm)")
	f.StringVar(&o.molecule, "molecule", "", moleculeUsage)
	o.moleculeOptions.addFlags(f, "", "files are DNA: read their six frames for protein, dayhoff, hp, or the alphabet of mash -a")
	f.BoolVar(&o.noncanonical, "noncanonical", false, "keep strands apart: hash a k-mer as it is read")
	f.BoolVar(&o.abundance, "abundance", false, "keep how often each hash occurred")
	f.StringArrayVarP(&o.specs, "param", "p", nil, `one set of parameters in sourmash's spelling, instead of flags: "k=21,k=31,scaled=1000,abund" or "k=21,num=500" (repeatable)`)
	o.slotOptions.addFlags(f)
}

// params lists the sketches to make for a target format.
func (o *paramOptions) params(f *pflag.FlagSet, target formats.Kind, reads bool) ([]sketch.Params, error) {
	if len(o.specs) > 0 {
		for _, name := range []string{"kmer", "size", "scaled", "seed", "seed-file", "family", "abundance"} {
			if f.Changed(name) {
				return nil, usagef("--param says it all; --%s with it has no effect", name)
			}
		}
	}
	var all []sketch.Params
	var err error
	if len(o.specs) > 0 {
		all, err = o.fromSpecs(f)
	} else {
		all, err = o.fromFlags(f, target)
	}
	if err != nil {
		return nil, err
	}
	for i := range all {
		p := &all[i]
		if p.Family == sketch.BottomK && !target.Sourmash() {
			p.Hash.Bits = hashBits(p.Elements)
			p.Weighted = p.Weighted || reads // Mash keeps counts of reads
		}
		if err := target.Holds(*p); err != nil {
			return nil, usagef("%v", err)
		}
	}
	if target == formats.Msh && len(all) > 1 {
		return nil, usagef("a .msh file holds sketches of one kind; %d are asked for", len(all))
	}
	return all, nil
}

func (o *paramOptions) fromFlags(f *pflag.FlagSet, target formats.Kind) ([]sketch.Params, error) {
	families := o.families
	if len(families) == 0 {
		families = []string{sketch.BottomK, sketch.FracMinHash}
		if target == formats.Msh {
			families = families[:1]
		}
	}
	if o.seed > math.MaxUint32 {
		return nil, usagef("--seed %d: the seeds of MurmurHash3 are 0 to %d", o.seed, uint32(math.MaxUint32))
	}
	if o.size < 1 {
		return nil, usagef("--size %d: at least 1", o.size)
	}
	if o.scaled < 1 {
		return nil, usagef("--scaled %d: at least 1", o.scaled)
	}
	ks := o.ks
	if !f.Changed("kmer") {
		ks = []int{0}
	}
	var all []sketch.Params
	for _, k := range ks {
		if f.Changed("kmer") && (k < 1 || k > kmer.MaxK) {
			return nil, usagef("--kmer %d: 1 to %d", k, kmer.MaxK)
		}
		e, err := o.elements(f, k, o.noncanonical)
		if err != nil {
			return nil, err
		}
		if isAmino(e.Molecule) && !f.Changed("scaled") {
			o.scaled = defaultScaledAmino
		}
		for _, family := range families {
			p := sketch.Params{Elements: e, Hash: sketch.Murmur3(64, uint32(o.seed)), Weighted: o.abundance}
			p, err := o.family(f, p, family)
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	return all, nil
}

// fromSpecs reads sourmash's parameter strings. A string of DNA without k is
// refused: sourmash would take 31 and gsketch 21, and a silent difference helps
// nobody.
func (o *paramOptions) fromSpecs(f *pflag.FlagSet) ([]sketch.Params, error) {
	var all []sketch.Params
	for _, spec := range o.specs {
		p := sketch.Params{Hash: sketch.Murmur3(64, 42)}
		of := o.moleculeOptions
		named := false
		var ks []int
		for _, item := range strings.Split(spec, ",") {
			key, val, _ := strings.Cut(item, "=")
			n, err := strconv.ParseUint(val, 10, 64)
			switch key {
			case "abund", "noabund":
				p.Weighted, err = key == "abund", nil
			case "dna", "DNA", sketch.Protein, sketch.Dayhoff, sketch.HP, sketch.SkipM1N3, sketch.SkipM2N3:
				if err = nil; named {
					err = fmt.Errorf("a second molecule")
				}
				of.molecule, named = strings.ToLower(item), true
			case "k":
				ks = append(ks, int(min(n, math.MaxInt32)))
			case "num":
				p.Family, p.Size = sketch.BottomK, int(min(n, math.MaxInt32))
			case "scaled":
				p.Family, p.Scaled = sketch.FracMinHash, n
			case "seed":
				p.Hash.Seed = n
				if n > math.MaxUint32 {
					err = fmt.Errorf("too large")
				}
			default:
				err = fmt.Errorf("unknown item")
			}
			if err != nil {
				return nil, usagef("--param %q: %q is not understood", spec, item)
			}
		}
		e, err := of.elements(f, 0, o.noncanonical)
		if err != nil {
			return nil, err
		}
		if p.Family == "" {
			p.Family, p.Scaled = sketch.FracMinHash, defaultScaled
			if isAmino(e.Molecule) {
				p.Scaled = defaultScaledAmino
			}
		}
		if len(ks) == 0 {
			if e.Molecule == sketch.DNA {
				return nil, usagef("--param %q: say k (sourmash takes 31, gsketch 21)", spec)
			}
			ks = []int{e.K}
		}
		for _, k := range ks {
			p.Elements = e
			p.Elements.K = k
			if err := p.Validate(); err != nil {
				return nil, usagef("--param %q: %v", spec, err)
			}
			all = append(all, p)
		}
	}
	return all, nil
}
