// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/sketch"
)

// partOptions say which sketches of sketch files to take.
type partOptions struct {
	k        []int
	molecule string
	family   string
	pick     pickOptions
}

func (o *partOptions) addFlags(f *pflag.FlagSet) {
	f.IntSliceVarP(&o.k, "kmer", "k", nil, "take sketches of these k alone")
	f.StringVar(&o.molecule, "molecule", "", "take sketches of this molecule alone: dna, protein, dayhoff, hp, skipm1n3, skipm2n3, alphabet")
	f.StringVar(&o.family, "family", "", "take sketches of this family alone: bottomk, fracminhash, kperm, oph, bbit, icws, simhash")
	o.pick.addFlags(f, "inputs")
}

func (o *partOptions) wanted(p sketch.Params) bool {
	return (len(o.k) == 0 || slices.Contains(o.k, p.Elements.K)) &&
		(o.molecule == "" || p.Elements.Molecule == strings.ToLower(o.molecule)) && (o.family == "" || p.Family == o.family)
}

// load opens sketch files and leaves in them what is asked for.
func (o *partOptions) load(inputs []input, threads int, warn func(string)) ([]source, error) {
	sources, err := load(inputs, threads, warn)
	if err != nil {
		return nil, err
	}
	return o.leave(sources, warn)
}

// leave leaves in sketch files what is asked for.
func (o *partOptions) leave(sources []source, warn func(string)) ([]source, error) {
	picker, err := o.pick.picker()
	if err != nil {
		return nil, err
	}
	before, after := 0, 0
	for i := range sources {
		s := &sources[i]
		if s.raw() {
			return nil, s.wrap(sketch.BadInput(s.path, errors.New("sequence, not sketches; gsketch sketch makes some of it")))
		}
		before += len(s.collections)
		s.collections = slices.DeleteFunc(s.collections, func(c sketch.Collection) bool { return !o.wanted(c.Params()) })
		after += len(s.collections)
	}
	if before > 0 && after == 0 {
		return nil, usagef("none of the sketches fits what is asked for")
	}
	return picker.from(sources, warn)
}

// items lists the sketches asked for, in the order in which they stand in the
// files.
func (o *partOptions) items(inputs []input, threads int, warn func(string)) ([]sketch.Item, error) {
	sources, err := load(inputs, threads, warn)
	if err != nil {
		return nil, err
	}
	return o.choose(sources, warn)
}

// choose is items of files that are open.
func (o *partOptions) choose(sources []source, warn func(string)) ([]sketch.Item, error) {
	sources, err := o.leave(sources, warn)
	if err != nil {
		return nil, err
	}
	var items []sketch.Item
	for _, s := range sources {
		items = append(items, formats.InFileOrder(s.collections)...)
	}
	if len(items) == 0 {
		return nil, usagef("none of the sketches fits what is asked for")
	}
	return items, nil
}
