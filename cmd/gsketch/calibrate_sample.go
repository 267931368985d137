// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/calibrate"
	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

type sampleOptions struct {
	*common
	corpusOptions
	calibrate.DrawOptions
	output string
}

func newSample(c *common) *cobra.Command {
	o := sampleOptions{common: c}
	cmd := &cobra.Command{
		Use:   "sample [flags] -o PAIRS.tsv CORPUS...",
		Short: "Draw pairs of documents for people to label",
		Long: `Draw pairs of documents of a corpus, some of each stratum, into a table with an
empty column label. Write same, different or unsure into it, and give the table to
gsketch calibrate --labels.

Strata: exact (equal bytes), formatting (equal but for white space, punctuation,
case and markup of letters), boilerplate (similar only by what many documents
have), edited (similar), partial (one is contained in the other), translation (the
same numbers and links in other words), borderline (half as similar as the
threshold), different (drawn at random). A pair is in the first one that it fits.`,
		Example: `  gsketch calibrate sample -o pairs.tsv corpus.jsonl
  gsketch calibrate sample --each 50 --threshold 0.7 -o pairs.parquet corpus.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return runSample(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "-", `output table; .parquet writes Parquet, all else is tab-separated; "-" is standard output`)
	f.StringVar(&o.shingle, "shingle", "words=5", "elements of texts: words=N, uax29=N, tokens=N, chars=N, bytes=N in a row")
	f.IntVar(&o.Each, "each", 20, "pairs of a stratum, 1..10000; there may be fewer")
	f.Float64VarP(&o.Threshold, "threshold", "T", 0.8, "Jaccard index from which texts are similar, above 0 to 1")
	f.Float64Var(&o.Frequent, "frequent", 0.01, "elements that more than this share of documents have (and more than 10) are boilerplate, between 0 and 1")
	f.IntVar(&o.Characters, "characters", 2000, "of a longer text, show so many characters, those that it shares most; 0 is all")
	o.corpusOptions.addFlags(f, 100_000, "documents to draw, among which pairs are looked for, at least 2")
	return cmd
}

func runSample(cmd *cobra.Command, args []string, o *sampleOptions) error {
	switch {
	case o.Each < 1 || o.Each > 10_000:
		return usagef("--each %d: 1 to 10000", o.Each)
	case !(o.Threshold > 0 && o.Threshold <= 1):
		return usagef("--threshold %v: above 0, at most 1", o.Threshold)
	case !(o.Frequent > 0 && o.Frequent < 1):
		return usagef("--frequent %v: between 0 and 1", o.Frequent)
	case o.Characters < 0:
		return usagef("--characters %d: at least 0", o.Characters)
	case o.documents < 2:
		return usagef("--documents %d: at least 2", o.documents)
	}
	recipe, err := shingle.Parse(o.shingle + "/norm=" + o.norm)
	if err != nil {
		return usagef("--shingle %s --norm %s: %v", o.shingle, o.norm, err)
	}
	c, err := o.corpus(cmd, args, o.threads)
	if err != nil {
		return err
	}
	if c.Options.Kind == corpus.Sets {
		return usagef("pairs of texts are drawn, not of sets")
	}
	o.Elements, o.Hash, o.Documents = recipe.Elements(), sketch.Hash{Algorithm: o.hash, Bits: 64}, o.documents
	check := sketch.Params{Family: sketch.FracMinHash, Elements: o.Elements, Hash: o.Hash, Scaled: 1}
	if err := (ingest.Texts{Corpus: c.Options}).Validate(ingest.Plan{Params: []sketch.Params{check}}); err != nil {
		return usagef("%v", err)
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	d, err := calibrate.Draw(cmd.Context(), c, o.DrawOptions)
	if err != nil {
		return err
	}
	write := d.WriteText
	if strings.EqualFold(filepath.Ext(o.output), ".parquet") {
		write = d.WriteParquet
	}
	if err := write(out); errors.Is(err, calibrate.ErrName) {
		return usagef("%v", err)
	} else if err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	o.note(cmd.ErrOrStderr(), "%d pairs of %d documents, among %d drawn of them: %s", len(d.Pairs), d.Documents, d.Drawn, perStratum(d))
	return nil
}

// perStratum says how many pairs of each stratum there are.
func perStratum(d *calibrate.Drawing) string {
	n := map[string]int{}
	for _, p := range d.Pairs {
		n[p.Stratum]++
	}
	var all []string
	for _, s := range calibrate.Strata {
		all = append(all, fmt.Sprintf("%s %d", s, n[s]))
	}
	return strings.Join(all, ", ")
}
