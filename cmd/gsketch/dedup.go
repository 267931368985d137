// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/dedup"
	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

type dedupOptions struct {
	*common
	inputOptions
	textOptions
	slotOptions
	output    string
	family    string
	slots     int
	seed      uint64
	threshold float64
	recall    float64
	bands     int
	rows      int
	cap       int
	method    string
	rule      string
	order     string
	memory    string
	mostPairs int
	keepGoing bool
}

func newDedup(c *common) *cobra.Command {
	o := dedupOptions{common: c}
	cmd := &cobra.Command{
		Use:   "dedup [flags] CORPUS...",
		Short: "Find near-duplicates and write a manifest of what to keep",
		Long: `Find near-duplicates among documents or sets and say of each what to keep, why
and in favour of which other. Nothing is removed: the manifest is for review.

Stages: exact copies; sketches; candidates by banding; verification by the exact
Jaccard index of the shingles; clusters; manifest. The output is a directory with
manifest.parquet, manifest.tsv and summary.json. The result depends on
the documents and their names, not on their order or the number of threads.`,
		Example: `  gsketch dedup -o deduplicated corpus.jsonl
  gsketch dedup --threshold 0.7 --clusters star -o deduplicated corpus.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return runDedup(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "dedup", "directory to be made for the manifest and what else is written")
	o.inputOptions.addFlags(f)
	f.Lookup("recursive").Usage = "of a directory, take all files in it"
	o.textOptions.addFlags(f)
	f.StringVar(&o.family, "family", sketch.OPH, "sketches that candidates are found by: oph, kperm, bbit")
	f.IntVarP(&o.slots, "size", "s", defaultSlots, "slots of a sketch")
	f.Uint64Var(&o.seed, "seed", 0, "seed of the hash of elements; kperm, bbit: of the permutations (1 if not given)")
	o.slotOptions.addFlags(f)
	f.Float64VarP(&o.threshold, "threshold", "T", 0.8, "Jaccard index from which documents are near-duplicates, above 0 to 1")
	f.Float64Var(&o.recall, "recall", 0.95, "share of pairs at the threshold that is to be found, between 0 and 1: chooses bands and rows")
	f.IntVar(&o.bands, "bands", 0, "bands of a sketch, with --rows instead of --recall")
	f.IntVar(&o.rows, "rows", 0, "rows of a band, with --bands")
	f.IntVar(&o.cap, "bucket-cap", 200, "members from which on a bucket is a star around its first; 0 is no cap")
	f.StringVar(&o.method, "clusters", dedup.Components, "how pairs become clusters: components, star, complete")
	f.StringVar(&o.rule, "keep", dedup.First, "what is kept of a cluster: first, longest")
	f.StringVar(&o.order, "order", "name", "what comes first where a choice is between equals: name, row (place in the input)")
	f.StringVar(&o.memory, "memory", "1G", "memory for sorting, as 800M or 4G; what goes beyond is sorted on disk")
	f.IntVar(&o.mostPairs, "minimum-pairs", 5_000_000, "compare at most so many pairs in a cluster for its smallest similarity; larger ones have NA")
	f.BoolVar(&o.keepGoing, "keep-going", false, "go on after an input that fails; exit 6")
	return cmd
}

func runDedup(cmd *cobra.Command, args []string, o *dedupOptions) error {
	warn := warner(cmd.ErrOrStderr())
	o.anyFile = true
	inputs, err := o.expand(args, warn)
	if err != nil {
		return err
	}
	opts, err := o.options(cmd, inputs)
	if err != nil {
		return err
	}
	if err := checkReadable(inputs, o.keepGoing); err != nil {
		return err
	}
	out, err := createTree(o.output, o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	bar := o.progress(cmd.ErrOrStderr(), inputs)
	opts.Progress = bar.add
	opts.Note = func(stage string, n int, took time.Duration) {
		o.note(cmd.ErrOrStderr(), "%s: %d in %.1f s", stage, n, took.Seconds())
	}
	result, err := dedup.Run(cmd.Context(), opts, paths(inputs))
	bar.stop()
	if err != nil {
		return err
	}
	for _, w := range result.Warnings {
		warn(w)
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"manifest.parquet", result.WriteManifest},
		{"manifest.tsv", result.WriteManifestText},
		{"summary.json", func(w io.Writer) error { return result.WriteSummary(w, version) }},
	} {
		if err := out.write(file.name, file.write); err != nil {
			return err
		}
	}
	if err := out.commit(); err != nil {
		return err
	}
	s := result.Summary(version)
	o.note(cmd.ErrOrStderr(), "%d of %d documents are to be kept; see %s", s.Kept, s.Documents, o.output)
	if len(result.Failed) > 0 {
		for _, r := range result.Failed {
			warn(r.Err.Error())
		}
		return fmt.Errorf("%d of %d: %w", len(result.Failed), len(inputs), errPartial)
	}
	return nil
}

func paths(inputs []input) []string {
	var all []string
	for _, in := range inputs {
		all = append(all, in.path)
	}
	return all
}

// options turns flags into those of the pipeline.
func (o *dedupOptions) options(cmd *cobra.Command, inputs []input) (dedup.Options, error) {
	out := dedup.Options{Threads: o.threads, KeepGoing: o.keepGoing, Threshold: o.threshold, Recall: o.recall, Bands: o.bands, Rows: o.rows,
		BucketCap: o.cap, Method: o.method, Rule: o.rule, MostPairs: o.mostPairs}
	memory, err := parseSize(o.memory, bytesUnit)
	switch {
	case err != nil:
		return out, usagef("--memory %s: %v", o.memory, err)
	case !(o.threshold > 0 && o.threshold <= 1):
		return out, usagef("--threshold %v: above 0, at most 1", o.threshold)
	case !(o.recall > 0 && o.recall < 1):
		return out, usagef("--recall %v: between 0 and 1", o.recall)
	case (o.bands == 0) != (o.rows == 0):
		return out, usagef("--bands and --rows go together")
	case o.cap < 0 || o.cap == 1:
		return out, usagef("--bucket-cap %d: 0, or at least 2", o.cap)
	case !slices.Contains([]string{dedup.Components, dedup.Star, dedup.Complete}, o.method):
		return out, usagef("--clusters %s: components, star or complete", o.method)
	case !slices.Contains([]string{dedup.First, dedup.Longest}, o.rule):
		return out, usagef("--keep %s: first or longest", o.rule)
	case o.order != "name" && o.order != "row":
		return out, usagef("--order %s: name or row", o.order)
	}
	out.Memory = int64(memory)
	kind, err := o.kind(cmd.Flags(), inputs[0].path)
	if err != nil {
		return out, err
	}
	if kind == sketch.DNA {
		return out, usagef("%s: is that text? say --input text, jsonl, parquet or set", inputs[0].path)
	}
	out.ByRow = o.order == "row" || o.idField == ""
	if out.Texts, err = o.texts(kind); err != nil {
		return out, err
	}
	if out.Params, err = o.params(cmd, kind); err != nil {
		return out, err
	}
	if err := out.Complete(); err != nil {
		return out, usagef("%v", err)
	}
	return out, nil
}

// params are those of the sketches that candidates are found by.
func (o *dedupOptions) params(cmd *cobra.Command, kind string) (sketch.Params, error) {
	f := cmd.Flags()
	recipe := shingle.Recipe{Kind: shingle.Set}
	if kind != corpus.Sets {
		var err error
		if recipe, err = shingle.Parse(o.shingle + "/norm=" + o.norm); err != nil {
			return sketch.Params{}, usagef("--shingle %s --norm %s: %v", o.shingle, o.norm, err)
		}
	}
	p := sketch.Params{Family: o.family, Elements: recipe.Elements(), Hash: sketch.Hash{Algorithm: o.hash, Bits: 64, Seed: o.seed}, Size: o.slots}
	switch o.family {
	case sketch.OPH:
		p.Densify = o.densify
		if o.densify == "none" {
			return p, usagef("--densify none: empty bins agree with each other and cannot be banded")
		}
	case sketch.KPerm, sketch.BBit:
		p.Hash.Permutation = o.permutation
		if !f.Changed("seed") {
			p.Hash.Seed = defaultPermutations
		}
		if o.family == sketch.BBit {
			p.Bits = o.bits
		}
	default:
		return p, usagef("--family %s: oph, kperm or bbit", o.family)
	}
	if err := p.Validate(); err != nil {
		return p, usagef("--family %s: %v", o.family, err)
	}
	return p, nil
}
