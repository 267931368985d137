// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/kmer"
	"github.com/gsketch/gsketch/sketch"
)

// selectOptions say which sketches of an input to compare, and how to sketch
// an input that is none.
type selectOptions struct {
	k      int
	size   int
	scaled uint64
	seed   uint32
	moleculeOptions
	family       string
	noncanonical bool
	perRecord    bool
	rna          bool
	anyLetters   bool
	noShort      bool // leave out records shorter than k, as Mash does
	pick         pickOptions
	flags        *pflag.FlagSet
}

// addFlags adds the flags of a command; collection is where picklists choose.
func (o *selectOptions) addFlags(f *pflag.FlagSet, collection string) {
	o.flags = f
	f.IntVarP(&o.k, "kmer", "k", defaultK, "length of k-mers: which sketches to take, and for raw files what to make (protein 10, dayhoff 16, hp 42, alphabet 9)")
	f.IntVarP(&o.size, "size", "s", 1000, "bottom-k: size for raw files; larger sketches are reduced to it if it is given")
	f.Uint64Var(&o.scaled, "scaled", 1000, "FracMinHash: scaled for raw files (of amino acids 200); finer sketches are downsampled to it if it is given")
	f.Uint32Var(&o.seed, "seed", 42, "raw files: seed of MurmurHash3")
	f.StringVar(&o.molecule, "molecule", "", "take sketches of this molecule, and of raw files make such: "+moleculeNames)
	o.moleculeOptions.addFlags(f, "raw files: ", "inputs (not what -r names) are DNA: read their six frames, for sketches of amino acids")
	f.StringVar(&o.family, "family", "", "take sketches of this family: bottomk, fracminhash; for dist and cluster kperm, oph, bbit, icws, simhash, too")
	f.BoolVar(&o.noncanonical, "noncanonical", false, "raw files: keep strands apart")
	f.BoolVar(&o.perRecord, "per-record", false, "raw files: a sketch of each record")
	f.BoolVar(&o.rna, "rna", false, "raw files: read U as T")
	f.BoolVar(&o.anyLetters, "any-letters", false, "raw files: take what does not look like DNA")
	o.pick.addFlags(f, collection)
}

// A source is an input with the collections in it; none if it is sequence.
type source struct {
	input
	kind        formats.Kind
	collections []sketch.Collection
}

func (s *source) raw() bool { return s.kind == formats.Sequence }

// load opens what are sketch files among the inputs.
func load(inputs []input, threads int, warn func(string)) ([]source, error) {
	sources := make([]source, len(inputs))
	for i, in := range inputs {
		if index.IsIndex(in.path) || bands.IsIndex(in.path) {
			return nil, in.wrap(sketch.BadInput(in.path, errors.New("an index, which gsketch search looks things up in; name the sketches that it was built from")))
		}
		kind, err := formats.Sniff(in.path)
		if err != nil {
			return nil, in.wrap(err)
		}
		sources[i] = source{input: in, kind: kind}
		if kind == formats.Sequence {
			continue
		}
		sources[i].collections, err = formats.OpenKind(in.path, kind, formats.OpenOptions{Threads: threads, Warn: warn})
		if err != nil {
			if errors.Is(err, sig.ErrObject) && sniffInput(in.path) == corpus.JSONL {
				err = sketch.BadInput(in.path, errors.New("documents, not sketches; gsketch sketch makes some of them"))
			}
			return nil, in.wrap(err)
		}
	}
	return sources, nil
}

// loadPicked is load for those inputs among which picklists choose.
func (o *selectOptions) loadPicked(inputs []input, threads int, warn func(string)) ([]source, error) {
	p, err := o.pick.picker()
	if err != nil {
		return nil, err
	}
	sources, err := load(inputs, threads, warn)
	if err != nil {
		return nil, err
	}
	return p.from(sources, warn)
}

// class is what must be equal for sketches to be compared: sizes, scaled and
// abundances of hash sets are reconciled, slots in nothing.
func class(p sketch.Params) sketch.Params {
	if slotMeasures(p) != nil {
		return p
	}
	p.Size, p.Scaled, p.Weighted = 0, 0, false
	return p
}

// wanted says whether the flags let a class through.
func (o *selectOptions) wanted(p sketch.Params) bool {
	return (!o.flags.Changed("kmer") || p.Elements.K == o.k) &&
		(o.molecule == "" || p.Elements.Molecule == strings.ToLower(o.molecule)) &&
		(!o.flags.Changed("alphabet") || p.Elements.Molecule == sketch.Letters && o.spells(p.Elements)) &&
		(o.family == "" || p.Family == o.family)
}

// choose finds the one class of sketches that all sources have. prefer orders
// families: of classes that differ in the family alone the first is taken.
// Where no choice or more than one is left the error lists them.
func (o *selectOptions) choose(sources []source, prefer []string) (sketch.Params, error) {
	var common []sketch.Params // in order of appearance
	var first *source
	for i := range sources {
		s := &sources[i]
		if s.raw() {
			continue
		}
		var has []sketch.Params
		for _, c := range s.collections {
			if k := class(c.Params()); o.wanted(k) && slices.Contains(prefer, k.Family) && !slices.Contains(has, k) {
				has = append(has, k)
			}
		}
		if len(has) == 0 {
			return sketch.Params{}, usagef("%s: none of its sketches fits what is asked for; it has %s", s.path, list(s.collections))
		}
		if first == nil {
			first, common = s, has
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(common), func(p sketch.Params) bool { return !slices.Contains(has, p) })
		if len(kept) == 0 {
			return sketch.Params{}, fmt.Errorf("%s and %s: %w", first.path, s.path, nearest(common, has))
		}
		common = kept
	}
	if first == nil {
		return o.fromFlags(prefer[0])
	}
	sort.SliceStable(common, func(i, j int) bool {
		return slices.Index(prefer, common[i].Family) < slices.Index(prefer, common[j].Family)
	})
	left := slices.DeleteFunc(slices.Clone(common), func(p sketch.Params) bool { return p.Family != common[0].Family })
	if len(left) > 1 {
		var names []string
		for _, p := range left {
			names = append(names, p.Elements.String()+" "+p.Hash.String())
		}
		return sketch.Params{}, usagef("more than one kind of sketch can be compared; choose by -k or --molecule: %s", strings.Join(names, ", "))
	}
	return left[0], nil
}

// fromFlags is the class to make where all inputs are raw.
func (o *selectOptions) fromFlags(family string) (sketch.Params, error) {
	if o.family != "" {
		family = o.family
	}
	k := 0
	if o.flags.Changed("kmer") {
		if k = o.k; k < 1 {
			return sketch.Params{}, usagef("--kmer %d: 1 to %d", k, kmer.MaxK)
		}
	}
	e, err := o.elements(o.flags, k, o.noncanonical)
	if err != nil {
		return sketch.Params{}, err
	}
	bits := 64
	if family == sketch.BottomK {
		bits = hashBits(e)
	}
	return sketch.Params{Family: family, Elements: e, Hash: sketch.Murmur3(bits, o.seed)}, nil
}

func classes(cs []sketch.Collection) []sketch.Params {
	var list []sketch.Params
	for _, c := range cs {
		list = append(list, class(c.Params()))
	}
	return list
}

// nearest explains why two sources have nothing in common: by the pair of
// classes that agrees in most.
func nearest(as, bs []sketch.Params) error {
	best := error(usagef("no sketches in it"))
	for _, a := range as {
		for _, b := range bs {
			err := a.Comparable(b)
			if _, none := best.(usageError); none || a.Family == b.Family {
				best = err
			}
		}
	}
	return best
}

func list(cs []sketch.Collection) string {
	var names []string
	for _, c := range cs {
		names = append(names, c.Params().String())
	}
	if len(names) == 0 {
		return "no sketches"
	}
	return strings.Join(names, ", ")
}

// items lists the sketches of a class in the order of the sources, brought to
// the size or scaled asked for; raw files are sketched like p says.
func (o *selectOptions) items(ctx context.Context, sources []source, cl, p sketch.Params, threads int, warn func(string)) ([]sketch.Item, error) {
	items, paths, err := o.originals(ctx, sources, cl, p, threads, warn)
	if err != nil {
		return nil, err
	}
	for i, it := range items {
		if items[i], err = o.reduce(it); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", paths[i], it.Meta.Label(), err)
		}
	}
	return items, nil
}

// originals lists the sketches of a class as they are, with the file of each.
func (o *selectOptions) originals(ctx context.Context, sources []source, cl, p sketch.Params, threads int, warn func(string)) (items []sketch.Item, paths []string, err error) {
	raw, err := o.sketchRaw(ctx, sources, p, threads, warn)
	if err != nil {
		return nil, nil, err
	}
	for i := range sources {
		s := &sources[i]
		of, err := s.ofClass(cl)
		if err != nil {
			return nil, nil, err
		}
		items = append(items, raw[i]...)
		if of != nil {
			items = append(items, formats.InFileOrder([]sketch.Collection{of})...)
		}
		for len(paths) < len(items) {
			paths = append(paths, s.path)
		}
	}
	return items, paths, nil
}

// ofClass is the one collection of a class in a sketch file; nil for a raw one.
func (s *source) ofClass(cl sketch.Params) (sketch.Collection, error) {
	var of []sketch.Collection
	for _, c := range s.collections {
		if class(c.Params()) == cl {
			of = append(of, c)
		}
	}
	switch {
	case s.raw():
		return nil, nil
	case len(of) == 1:
		return of[0], nil
	case len(of) == 0:
		return nil, fmt.Errorf("%s: %w", s.path, nearest([]sketch.Params{cl}, classes(s.collections)))
	}
	return nil, usagef("%s has more than one kind of sketch that can be compared: %s", s.path, list(of))
}

// like is how to sketch raw files: with the size, scaled and abundances of the
// first sketch of the class, or of the flags where those are given or all is
// raw.
func (o *selectOptions) like(sources []source, cl sketch.Params) (sketch.Params, error) {
	p := cl
	switch {
	case slotMeasures(cl) != nil:
		if o.flags.Changed("size") && o.size != cl.Size || o.flags.Changed("scaled") {
			return p, usagef("--size and --scaled: %s sketches have the slots that they were made with", cl.Family)
		}
		if err := cl.Validate(); err != nil { // of flags alone
			return p, usagef("raw files are compared by bottomk or fracminhash; gsketch sketch --family %s makes sketches of the others", cl.Family)
		}
		return p, nil
	case cl.Family == sketch.BottomK:
		p.Size = o.size
	default:
		p.Scaled = o.scaled
		if isAmino(cl.Elements.Molecule) && !o.flags.Changed("scaled") {
			p.Scaled = defaultScaledAmino
		}
	}
	for i := range sources {
		for _, c := range sources[i].collections {
			if q := c.Params(); class(q) == cl {
				if cl.Family == sketch.BottomK && !o.flags.Changed("size") {
					p.Size = q.Size
				}
				if cl.Family == sketch.FracMinHash && !o.flags.Changed("scaled") {
					p.Scaled = q.Scaled
				}
				return p, p.Validate()
			}
		}
	}
	if err := p.Validate(); err != nil {
		return p, usagef("%v", err)
	}
	return p, nil
}

// sketchRaw sketches the raw files among the sources, by their place.
func (o *selectOptions) sketchRaw(ctx context.Context, sources []source, p sketch.Params, threads int, warn func(string)) (map[int][]sketch.Item, error) {
	var samples []ingest.Sample
	var at []int
	for i := range sources {
		if sources[i].raw() {
			samples = append(samples, ingest.Sample{Paths: []string{sources[i].path}})
			at = append(at, i)
		}
	}
	if len(samples) == 0 {
		return nil, nil
	}
	plan := ingest.Plan{Params: []sketch.Params{p}, RNA: o.rna, Translate: o.translate}
	if err := plan.Validate(); err != nil {
		return nil, usagef("%s: %v", samples[0].Paths[0], err)
	}
	opts := ingest.Options{Threads: threads, PerRecord: o.perRecord, AnyLetters: o.anyLetters}
	made := map[int][]sketch.Item{}
	err := ingest.Run(ctx, plan, opts, samples, func(r ingest.Result) error {
		for _, w := range r.Warnings {
			warn(w)
		}
		items := r.Items
		if o.noShort {
			items = slices.DeleteFunc(items, func(it sketch.Item) bool { return it.Meta.PerRecord && it.Meta.Records == 0 })
		}
		made[at[len(made)]] = items
		return nil
	})
	if err != nil && len(made) < len(at) {
		err = sources[at[len(made)]].wrap(err)
	}
	return made, err
}

// ofReferences are the options for raw references, which --translate is not
// about.
func (o *selectOptions) ofReferences() *selectOptions {
	r := *o
	r.translate = false
	return &r
}

// reduce brings a sketch to the size or scaled asked for.
func (o *selectOptions) reduce(it sketch.Item) (sketch.Item, error) {
	set, ok := it.Sketch.(sketch.Abundant)
	if !ok {
		return it, nil
	}
	var made *sketch.Set
	var err error
	switch p := set.Params(); {
	case p.Family == sketch.BottomK && o.flags.Changed("size") && o.size < p.Size:
		made, err = bottomk.Reduce(set, o.size)
	case p.Family == sketch.FracMinHash && o.flags.Changed("scaled") && o.scaled != p.Scaled:
		made, err = fracminhash.Downsample(set, o.scaled)
	default:
		return it, nil
	}
	if err != nil {
		return it, usagef("%v", err)
	}
	return sketch.Item{Meta: it.Meta, Sketch: made}, nil
}
