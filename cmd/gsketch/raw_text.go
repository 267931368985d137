// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// rawText says how documents are read that are sketched as those of an index.
type rawText struct {
	input, idField, textField string
}

func (o *rawText) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.input, "input", "", "raw files for an index of texts: text (a file is a document), jsonl, parquet, set (default: JSON lines are known by content)")
	f.StringVar(&o.idField, "id-field", "id", `jsonl, parquet: field or column of the name; "" names documents by file and line`)
	f.StringVar(&o.textField, "text-field", "text", "jsonl, parquet: field or column of the text")
}

// unused refuses the flags where there is no index of texts.
func (o *rawText) unused(f *pflag.FlagSet) error {
	for _, name := range []string{"input", "id-field", "text-field"} {
		if f.Changed(name) {
			return usagef("--%s is for an index of texts", name)
		}
	}
	return nil
}

// is says whether a file is documents, where the index holds texts.
func (o *rawText) is(path string, p sketch.Params) bool {
	return p.Elements.Molecule == sketch.Text && (o.input != "" || sniffInput(path) == corpus.JSONL)
}

// load opens what are sketch files among inputs; documents are left closed.
func (o *rawText) load(inputs []input, p sketch.Params, threads int, warn func(string)) ([]source, error) {
	sources := make([]source, len(inputs))
	for i, in := range inputs {
		if o.is(in.path, p) {
			sources[i].input = in
			continue
		}
		one, err := load(inputs[i:i+1], threads, warn)
		if err != nil {
			return nil, err
		}
		sources[i] = one[0]
	}
	return sources, nil
}

// sketch sketches the documents of a file.
func (o *rawText) sketch(ctx context.Context, path string, p sketch.Params, threads int, warn func(string), yield func(sketch.Item) error) error {
	kind := o.input
	if kind == "" {
		kind = corpus.JSONL
	}
	units, err := shingle.ParseUnits(shingle.Documents)
	if err != nil {
		return err
	}
	texts := ingest.Texts{Units: units, Corpus: corpus.Options{Kind: kind, ID: o.idField, Text: o.textField}}
	if kind == corpus.Sets {
		texts.Corpus.Sets.Layout = corpus.MembersOnly
	}
	plan := ingest.Plan{Params: []sketch.Params{p}}
	if err := texts.Validate(plan); err != nil {
		return usagef("%s: %v", path, err)
	}
	return ingest.RunTexts(ctx, plan, texts, ingest.Options{Threads: threads}, []string{path}, func(r ingest.Result) error {
		for _, w := range r.Warnings {
			warn(w)
		}
		for _, it := range r.Items {
			if err := yield(it); err != nil {
				return err
			}
		}
		return nil
	})
}
