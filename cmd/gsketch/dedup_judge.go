// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/dedup"
	"github.com/gsketch/gsketch/sketch"
)

// judgeOptions say what is alike and what is kept: of corpora, of sketches and
// in steps.
type judgeOptions struct {
	family    string
	k         int
	slots     int
	measure   string
	threshold float64
	recall    float64
	bands     int
	rows      int
	cap       int
	method    string
	rule      string
	group     string
	table     string
	margin    float64
	mostPairs int
}

func (o *judgeOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.family, "family", "", "sketches that candidates are found by: oph (default), kperm, bbit; of sketch files, which to take")
	f.IntVarP(&o.k, "kmer", "k", 0, "of sketch files: take sketches of this k")
	f.IntVarP(&o.slots, "size", "s", defaultSlots, "slots of a sketch; those that bottom-k and FracMinHash sketches are binned into")
	f.StringVar(&o.measure, "measure", "", "of sketch files, what is compared: jaccard, max-containment, ani (default for genomes)")
	f.Float64VarP(&o.threshold, "threshold", "T", 0.8, "similarity from which documents are near-duplicates, above 0 to 1 (of ani: 0.95)")
	f.Float64Var(&o.recall, "recall", 0.95, "share of pairs at the threshold that is to be found, between 0 and 1: chooses bands and rows")
	f.IntVar(&o.bands, "bands", 0, "bands of a sketch, with --rows instead of --recall")
	f.IntVar(&o.rows, "rows", 0, "rows of a band, with --bands")
	f.IntVar(&o.cap, "bucket-cap", 200, "members above which a bucket is a star around its first; 0 is no cap")
	f.StringVar(&o.method, "clusters", dedup.Components, "how pairs become clusters: components, star, complete")
	f.StringVar(&o.rule, "keep", dedup.First, "what is kept of a cluster: first, longest, source (input given first), highest=COLUMN, newest=COLUMN")
	f.StringVar(&o.group, "group-by", "", "column by whose values removals are counted, as domain or language")
	f.StringVar(&o.table, "table", "", "tab-separated file that has the columns, by name in its first one, where the corpus has them not")
	f.Float64Var(&o.margin, "margin", 0, "review pairs whose similarity is nearer than this to the threshold, beside those whose interval straddles it")
	f.IntVar(&o.mostPairs, "minimum-pairs", 5_000_000, "compare at most so many pairs in a cluster for its smallest similarity; larger ones have NA")
}

// judge turns flags into options; s are sketches, or nil for a corpus.
func (o *judgeOptions) judge(f *pflag.FlagSet, out *dedup.Options, s *dedup.Sketches) error {
	out.Threshold, out.Recall, out.Bands, out.Rows, out.BucketCap = o.threshold, o.recall, o.bands, o.rows, o.cap
	out.Method, out.MostPairs, out.Measure, out.Slots, out.Group, out.Margin = o.method, o.mostPairs, o.measure, o.slots, o.group, o.margin
	if s != nil {
		if out.Measure == "" && s.Params.Elements.K > 0 && sets(s.Params) {
			out.Measure = dedup.ANI
		}
		if out.Measure == dedup.ANI && !f.Changed("threshold") {
			out.Threshold = 0.95
		}
		switch {
		case (out.Measure == dedup.ANI || out.Measure == dedup.MaxContainment) && !sets(s.Params),
			out.Measure == dedup.ANI && s.Params.Elements.K == 0,
			out.Measure == dedup.MaxContainment && s.Params.Family != sketch.FracMinHash:
			return usagef("--measure %s: %s sketches of %s do not tell it", out.Measure, s.Params.Family, s.Params.Elements)
		}
	} else if o.measure != "" || o.k != 0 {
		return usagef("--measure and --kmer are for sketch files")
	}
	if out.Measure == "" {
		out.Measure = dedup.Jaccard
	}
	switch {
	case !(out.Threshold > 0 && out.Threshold <= 1):
		return usagef("--threshold %v: above 0, at most 1", out.Threshold)
	case !(o.recall > 0 && o.recall < 1):
		return usagef("--recall %v: between 0 and 1", o.recall)
	case (o.bands == 0) != (o.rows == 0):
		return usagef("--bands and --rows go together")
	case o.cap < 0 || o.cap == 1:
		return usagef("--bucket-cap %d: 0, or at least 2", o.cap)
	case !slices.Contains([]string{dedup.Jaccard, dedup.MaxContainment, dedup.ANI}, out.Measure):
		return usagef("--measure %s: jaccard, max-containment or ani", out.Measure)
	case !slices.Contains([]string{dedup.Components, dedup.Star, dedup.Complete}, o.method):
		return usagef("--clusters %s: components, star or complete", o.method)
	case !(o.margin >= 0 && o.margin <= 1):
		return usagef("--margin %v: 0 to 1", o.margin)
	}
	if err := o.columns(out, s != nil); err != nil {
		return err
	}
	if s == nil {
		return nil
	}
	out.Params = out.Banded(s.Params)
	if err := out.Complete(); err != nil {
		return usagef("%v", err)
	}
	return nil
}

// sets says whether sketches are sets of hashes.
func sets(p sketch.Params) bool { return p.Family == sketch.BottomK || p.Family == sketch.FracMinHash }

// columns finds the columns that the rule and the groups need.
func (o *judgeOptions) columns(out *dedup.Options, sketches bool) error {
	var err error
	if out.Rule, out.Column, err = dedup.ParseRule(o.rule); err != nil {
		return usagef("--keep %v", err)
	}
	if o.table != "" {
		if out.Table, err = dedup.ReadColumns(o.table); err != nil {
			return err
		}
	}
	for _, name := range []string{out.Column, out.Group} {
		switch {
		case name == "":
		case out.Table == nil && sketches:
			return usagef("--table is to say where column %q of the sketches is", name)
		case out.Table != nil && !out.Table.Has(name):
			return usagef("%s has no column %q", o.table, name)
		}
	}
	return nil
}
