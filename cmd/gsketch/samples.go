// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"slices"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/sketch"
)

// referenceOptions name the collection that samples or queries are compared
// with.
type referenceOptions struct {
	references []string
	lists      []string
}

func (o *referenceOptions) addFlags(f *pflag.FlagSet) {
	f.StringArrayVarP(&o.references, "reference", "r", nil, "file with references: sketches or raw (repeatable)")
	f.StringArrayVar(&o.lists, "reference-list", nil, "file that names references, one path a line (repeatable)")
}

// named lists the files of the references.
func (o *referenceOptions) named(recursive bool, warn func(string)) ([]input, error) {
	if len(o.references)+len(o.lists) == 0 {
		return nil, usagef("no references are named (-r FILE)")
	}
	side := inputOptions{lists: o.lists, recursive: recursive}
	return side.expand(o.references, warn)
}

// A sample is what references are looked for in: a sketch or a raw file.
type sample struct {
	item  sketch.Item         // FracMinHash: its own sketch; bottom-k: as far as it tells the number of k-mers
	seen  *distance.Sightings // what it shows of the panel; nil without a panel
	paths []string
}

// sampler reads samples one after the other, raw ones being streamed once.
type sampleReader struct {
	o     *selectOptions
	class sketch.Params
	like  sketch.Params // how to sketch raw samples
	panel *distance.Panel
	merge string // one sample of all raw files, under this name
}

// each calls yield for every sample, in the order of the sources.
func (r *sampleReader) each(ctx context.Context, sources []source, threads int, warn func(string), yield func(sample) error) error {
	if r.merge != "" {
		if i := slices.IndexFunc(sources, func(s source) bool { return !s.raw() }); i >= 0 {
			return usagef("--merge: %s is a sketch file already", sources[i].path)
		}
		paths := make([]string, len(sources))
		for i, s := range sources {
			paths[i] = s.path
		}
		return r.raw(ctx, []ingest.Sample{{Paths: paths, ID: r.merge}}, threads, warn, yield)
	}
	for len(sources) > 0 {
		n := 0
		var raw []ingest.Sample
		for n < len(sources) && sources[n].raw() {
			raw = append(raw, ingest.Sample{Paths: []string{sources[n].path}})
			n++
		}
		if n > 0 {
			if err := r.raw(ctx, raw, threads, warn, yield); err != nil {
				return sources[0].wrap(err)
			}
			sources = sources[n:]
			continue
		}
		items, err := r.o.items(ctx, sources[:1], r.class, r.like, threads, warn)
		if err != nil {
			return err
		}
		for _, it := range items {
			s := sample{item: it, paths: []string{sources[0].path}}
			if r.panel != nil {
				s.seen = r.panel.Look(it.Sketch.(sketch.Abundant))
			}
			if err := yield(s); err != nil {
				return err
			}
		}
		sources = sources[1:]
	}
	return nil
}

// raw streams raw samples.
func (r *sampleReader) raw(ctx context.Context, samples []ingest.Sample, threads int, warn func(string), yield func(sample) error) error {
	plan := ingest.Plan{Params: []sketch.Params{r.like}, RNA: r.o.rna, Translate: r.o.translate, Panel: r.panel}
	if r.panel != nil {
		plan.Params = append(plan.Params, r.panel.Params())
	}
	if err := plan.Validate(); err != nil {
		return usagef("%s: %v", samples[0].Paths[0], err)
	}
	opts := ingest.Options{Threads: threads, AnyLetters: r.o.anyLetters, SourmashNames: r.like.Family == sketch.FracMinHash}
	return ingest.Run(ctx, plan, opts, samples, func(res ingest.Result) error {
		for _, w := range res.Warnings {
			warn(w)
		}
		s := sample{item: res.Items[0], paths: res.Sample.Paths}
		if r.panel != nil {
			s.seen = res.Items[1].Sketch.(*distance.Sightings)
		}
		return yield(s)
	})
}
