// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// textOptions are the flags of documents and sets.
type textOptions struct {
	input     string
	shingle   string
	norm      string
	hash      string
	idField   string
	textField string
	unit      string
	layout    string
	separator string
	columns   []string
	leaveOutOptions
	numberRepeated bool
}

func (o *textOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.input, "input", "", "what the inputs are: dna, text (a file is a document), jsonl, parquet, set (default: by content dna, jsonl or parquet)")
	f.StringVar(&o.shingle, "shingle", "words=5", "elements of texts: words=N, uax29=N, tokens=N, chars=N, bytes=N in a row")
	f.StringVar(&o.norm, "norm", "1", "normalisation of texts: 0 or 1, then options as in 1/nfkc/html/punct=drop")
	f.StringVar(&o.hash, "hash", shingle.XXH3, "hash of elements of texts: xxh3-64, sha1, murmur3x64")
	f.StringVar(&o.idField, "id-field", "id", `jsonl, parquet: field or column of the name; "" names documents by file and line`)
	f.StringVar(&o.textField, "text-field", "text", "jsonl, parquet: field or column of the text")
	f.StringVar(&o.unit, "unit", shingle.Documents, "what is sketched: document, section, paragraph, passage=WORDS[,STEP]")
	f.StringVar(&o.layout, "sets", corpus.MembersOnly, "set: a line is a set of members, or its name and members (id-members), or a member in columns (rows)")
	f.StringVar(&o.separator, "separator", "", "set: character between members or columns (default: white space; of rows a tab or a comma)")
	f.StringSliceVar(&o.columns, "columns", nil, "set: numbers or names of the columns of rows: set, member and, if wanted, weight (default 1,2)")
	o.leaveOutOptions.addFlags(f)
	f.BoolVar(&o.numberRepeated, "number-repeated", false, "call documents of one name NAME, NAME#2, ... instead of refusing them")
}

// Flags that say nothing about the other kind of input.
var (
	dnaFlags = []string{"kmer", "molecule", "alphabet", "preserve-case", "translate", "noncanonical", "param", "merge", "name", "comment", "pairs", "per-record", "name-from-first",
		"reads", "genome-size", "coverage", "from-csv", "ignore-missing", "rna", "any-letters"}
	textFlags = []string{"shingle", "norm", "hash", "unit", "boilerplate", "drop-frequent", "save-boilerplate", "number-repeated", "id-field", "text-field",
		"sets", "separator", "columns"}
	// fewer are those of textFlags that fit a kind alone.
	fewer = map[string][]string{
		"id-field": {corpus.JSONL, corpus.Parquet}, "text-field": {corpus.JSONL, corpus.Parquet},
		"sets": {corpus.Sets}, "separator": {corpus.Sets}, "columns": {corpus.Sets},
	}
	// notSets are those that sets have no use for.
	notSets = []string{"shingle", "norm", "unit", "boilerplate", "drop-frequent", "save-boilerplate"}
)

// kind tells what the inputs are and refuses flags that fit others alone.
func (o *textOptions) kind(f *pflag.FlagSet, first string) (string, error) {
	kind := o.input
	if kind == "" {
		kind = sniffInput(first)
	}
	var unfit []string
	switch kind {
	case sketch.DNA:
		unfit = textFlags
	case corpus.Text, corpus.JSONL, corpus.Parquet, corpus.Sets:
		unfit = slices.Clone(dnaFlags)
		for name, kinds := range fewer {
			if !slices.Contains(kinds, kind) {
				unfit = append(unfit, name)
			}
		}
		if kind == corpus.Sets {
			unfit = append(unfit, notSets...)
		}
	default:
		return "", usagef("--input %s: dna, text, jsonl, parquet or set", kind)
	}
	slices.Sort(unfit)
	for _, name := range unfit {
		if f.Changed(name) {
			if err := checkReadable([]input{{path: first}}, false); err != nil {
				return "", err // what is not there is taken for sequence
			}
			return "", usagef("--%s has no effect on input of kind %s", name, kind)
		}
	}
	return kind, nil
}

// sniffInput tells the kind of a file by its first bytes: JSON objects and
// Parquet are known by them. What cannot be read twice is DNA.
func sniffInput(path string) string {
	st, err := os.Stat(path)
	if path == "-" || err != nil || !st.Mode().IsRegular() {
		return sketch.DNA
	}
	s, err := stream.Open(path, stream.Options{Warn: func(string) {}})
	if err != nil {
		return sketch.DNA
	}
	defer s.Close()
	head, err := s.Peek(4096)
	if err != nil && err != io.EOF {
		return sketch.DNA
	}
	if bytes.HasPrefix(head, []byte("PAR1")) {
		return corpus.Parquet
	}
	if head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"); len(head) > 0 && head[0] == '{' {
		return corpus.JSONL
	}
	return sketch.DNA
}

// texts turns flags into what package ingest takes of documents.
func (o *textOptions) texts(kind string) (ingest.Texts, error) {
	x := ingest.Texts{Corpus: corpus.Options{Kind: kind, ID: o.idField, Text: o.textField}, NumberRepeated: o.numberRepeated}
	if kind == corpus.Sets {
		x.Corpus.Sets = corpus.SetOptions{Layout: o.layout, Columns: o.columns}
		switch {
		case o.separator == `\t`:
			x.Corpus.Sets.Separator = '\t'
		case len(o.separator) == 1:
			x.Corpus.Sets.Separator = o.separator[0]
		case o.separator != "":
			return x, usagef("--separator %q: one ASCII character, or \\t", o.separator)
		}
		return x, nil
	}
	var err error
	if x.Units, err = shingle.ParseUnits(o.unit); err != nil {
		return x, usagef("--unit: %v", err)
	}
	return x, nil
}

// textParams lists the sketches to make of documents.
func (o *sketchOptions) textParams(f *pflag.FlagSet, kind string, target formats.Kind) ([]sketch.Params, error) {
	recipe := shingle.Recipe{Kind: shingle.Set}
	if kind != corpus.Sets {
		var err error
		if recipe, err = shingle.Parse(o.shingle + "/norm=" + o.norm); err != nil {
			return nil, usagef("--shingle %s --norm %s: %v", o.shingle, o.norm, err)
		}
		if recipe.Without != "" {
			return nil, usagef("--norm %s: --boilerplate or --drop-frequent says what is left out", o.norm)
		}
	}
	families := o.families
	if len(families) == 0 {
		families = []string{sketch.KPerm}
	}
	h := sketch.Hash{Algorithm: o.hash, Bits: 64}
	if o.seeded(f) || o.hash == shingle.Murmur3 {
		h.Seed = o.seed
	}
	var all []sketch.Params
	for _, family := range families {
		p, err := o.family(f, sketch.Params{Elements: recipe.Elements(), Hash: h, Weighted: o.abundance}, family)
		if err != nil {
			return nil, err
		}
		if err := target.Holds(p); err != nil {
			return nil, usagef("%v", err)
		}
		all = append(all, p)
	}
	return all, nil
}

// textJob prepares the sketching of documents or sets.
func (o *sketchOptions) textJob(cmd *cobra.Command, inputs []input, kind string, target formats.Kind) (*sketchJob, error) {
	f := cmd.Flags()
	texts, err := o.texts(kind)
	if err != nil {
		return nil, err
	}
	params, err := o.textParams(f, kind, target)
	if err != nil {
		return nil, err
	}
	opts := ingest.Options{Threads: o.threads, KeepGoing: o.keepGoing}
	counting, err := o.counting(len(params))
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(inputs))
	for i, in := range inputs {
		paths[i] = in.path
	}
	job := &sketchJob{plan: ingest.Plan{Params: params, Counting: counting}, given: len(inputs), texts: true}
	job.run = func(progress func(int), emit func(ingest.Result) error) error {
		left, err := o.leaveOut(cmd, job, texts, opts, paths)
		if err != nil {
			return err
		}
		texts.Boilerplate = left
		opts.Progress = progress
		return ingest.RunTexts(cmd.Context(), job.plan, texts, opts, paths, emit)
	}
	if err := texts.Validate(job.plan); err != nil {
		return nil, usagef("%v", err)
	}
	return job, o.checkLeaveOut(params, paths)
}
