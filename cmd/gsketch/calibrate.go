// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/calibrate"
	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// corpusOptions are the flags of the documents of a corpus, of which some are
// drawn.
type corpusOptions struct {
	inputOptions
	textOptions
	seed      uint64
	documents int
}

func (o *corpusOptions) addFlags(f *pflag.FlagSet, documents int, drawn string) {
	o.anyFile, o.unit = true, shingle.Documents
	o.inputOptions.addFlags(f)
	f.Lookup("recursive").Usage = "of a directory, take all files in it"
	f.StringVar(&o.input, "input", "", "what the inputs are: text (a file is a document), jsonl, parquet, set (default: jsonl or parquet by content)")
	f.StringVar(&o.norm, "norm", "1", "normalisation of texts: 0 or 1, then options as in 1/nfkc/html/punct=drop")
	f.StringVar(&o.hash, "hash", shingle.XXH3, "hash of elements of texts: xxh3-64, sha1, murmur3x64")
	f.StringVar(&o.idField, "id-field", "id", `jsonl, parquet: field or column of the name; "" names documents by file and line`)
	f.StringVar(&o.textField, "text-field", "text", "jsonl, parquet: field or column of the text")
	f.IntVar(&o.documents, "documents", documents, drawn)
	f.Uint64Var(&o.seed, "seed", 1, "seed of what is drawn")
}

// corpus opens the inputs.
func (o *corpusOptions) corpus(cmd *cobra.Command, args []string, threads int) (calibrate.Corpus, error) {
	c := calibrate.Corpus{Threads: threads, Seed: o.seed}
	inputs, err := o.expand(args, warner(cmd.ErrOrStderr()))
	if err != nil {
		return c, err
	}
	if err := checkReadable(inputs, false); err != nil {
		return c, err
	}
	kind, err := o.kind(cmd.Flags(), inputs[0].path)
	if err != nil {
		return c, err
	}
	if kind == sketch.DNA {
		return c, usagef("%s: is that text? say --input text (a file is a document), jsonl, parquet or set", inputs[0].path)
	}
	x, err := o.texts(kind)
	if err != nil {
		return c, err
	}
	c.Paths, c.Options = paths(inputs), x.Corpus
	c.Options.Warn = warner(cmd.ErrOrStderr())
	return c, nil
}

type calibrateOptions struct {
	*common
	corpusOptions
	slotOptions
	output     string
	html       string
	curve      string
	labels     string
	shingles   []string
	units      []string
	families   []string
	sizes      []int
	bandings   []string
	thresholds []float64
	recall     float64
	seeds      int
	verify     string
	confidence float64
}

func newCalibrate(c *common) *cobra.Command {
	o := calibrateOptions{common: c}
	cmd := &cobra.Command{
		Use:   "calibrate [flags] CORPUS...",
		Short: "Choose sketch sizes, widths and bands, by what they find",
		Long: `Try settings of near-duplicate search on a sample of a corpus and say what each
finds, misses and wrongly joins, how many candidates it makes in the whole corpus,
and which is to be taken. What is to be found are the pairs of the sample as
similar as the threshold, all of which are compared exactly; or, with --labels, the
pairs that people say are the same (calibrate sample makes the list).

Every combination of the units, shingles, families, sizes, bandings and thresholds
that are given is tried. Without --banding these are chosen for --recall.`,
		Example: `  gsketch calibrate --threshold 0.7,0.8 --shingle words=3,words=5 corpus.jsonl
  gsketch calibrate --labels labelled.tsv --html page.html corpus.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args)+len(o.lists) == 0 {
				return cmd.Help()
			}
			return runCalibrate(cmd, args, &o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "-", `output table; "-" is standard output`)
	f.StringVar(&o.html, "html", "", "write a page with the table and the S-curves, too")
	f.StringVar(&o.curve, "curve", "", "write the points of the S-curves, predicted and measured, as a table (gsketch plot --kind scurve draws it)")
	f.StringVar(&o.labels, "labels", "", "labelled pairs, tab-separated or Parquet: columns a, b, label (same, different) and, if wanted, stratum")
	f.StringSliceVar(&o.shingles, "shingle", []string{"words=5"}, "elements of texts, comma-separated: words=N, uax29=N, tokens=N, chars=N, bytes=N in a row")
	f.StringArrayVar(&o.units, "unit", []string{shingle.Documents}, "what is compared: document, section, paragraph, passage=WORDS[,STEP] (repeatable)")
	f.StringSliceVar(&o.families, "family", []string{sketch.OPH}, "families of sketches, comma-separated: oph, kperm, bbit")
	f.IntSliceVarP(&o.sizes, "size", "s", []int{defaultSlots}, "slots of a sketch, comma-separated")
	f.StringSliceVar(&o.bandings, "banding", nil, "bands x rows, comma-separated, as 20x5,16x8 (default: some that --recall asks for)")
	f.Float64SliceVarP(&o.thresholds, "threshold", "T", []float64{0.8}, "similarity from which texts are near-duplicates, above 0 to 1, comma-separated")
	f.Float64Var(&o.recall, "recall", 0.95, "wanted share of pairs at the threshold that are found, between 0 and 1")
	f.IntVar(&o.seeds, "seeds", 1, "hash functions that each setting is tried with; results are means")
	f.StringVar(&o.verify, "verify", "exact", "how candidates are verified: exact (Jaccard index of all elements) or signature (its estimate)")
	f.Float64Var(&o.confidence, "confidence", 0.95, "confidence of intervals, between 0 and 1")
	o.corpusOptions.addFlags(f, 3000, fmt.Sprintf("documents to draw and compare, 2..%d", calibrate.MostItems))
	f.StringVar(&o.layout, "sets", corpus.MembersOnly, "set: a line is a set of members, or its name and members (id-members), or a member in columns (rows)")
	f.StringVar(&o.separator, "separator", "", "set: character between members or columns (default: white space; of rows a tab or a comma)")
	f.StringSliceVar(&o.columns, "columns", nil, "set: numbers or names of the columns of rows: set and member (default 1,2)")
	o.slotOptions.addFlags(f)
	cmd.AddCommand(newSample(c), newLab(c), newBounds(c))
	return cmd
}

// grid is what is to be tried.
func (o *calibrateOptions) grid(sets bool) (calibrate.Grid, error) {
	g := calibrate.Grid{Units: o.units, Thresholds: o.thresholds, Recall: o.recall, Seeds: o.seeds, Signatures: o.verify == "signature", Confidence: o.confidence}
	recipes := []shingle.Recipe{{Kind: shingle.Set}}
	if !sets {
		recipes = nil
		for _, s := range o.shingles {
			r, err := shingle.Parse(s + "/norm=" + o.norm)
			if err != nil {
				return g, usagef("--shingle %s --norm %s: %v", s, o.norm, err)
			}
			if r.Without != "" {
				return g, usagef("--norm %s: nothing is left out", o.norm)
			}
			recipes = append(recipes, r)
		}
	} else if !slices.Equal(o.units, []string{shingle.Documents}) {
		return g, usagef("--unit has no effect on sets")
	}
	for _, r := range recipes {
		g.Elements = append(g.Elements, r.Elements())
	}
	for _, b := range o.bandings {
		bands, rows, ok := strings.Cut(b, "x")
		x, err1 := strconv.Atoi(bands)
		y, err2 := strconv.Atoi(rows)
		if !ok || err1 != nil || err2 != nil {
			return g, usagef("--banding %s: bands x rows, as 20x5", b)
		}
		g.Bandings = append(g.Bandings, calibrate.Banding{Bands: x, Rows: y})
	}
	for _, family := range o.families {
		for _, size := range o.sizes {
			p := sketch.Params{Family: family, Hash: sketch.Hash{Algorithm: o.hash, Bits: 64}, Size: size}
			switch family {
			case sketch.OPH:
				if p.Densify = o.densify; p.Densify == "none" {
					return g, usagef("--densify none: empty bins agree with each other and cannot be banded")
				}
			case sketch.KPerm, sketch.BBit:
				p.Hash.Permutation, p.Hash.Seed = o.permutation, defaultPermutations
				if family == sketch.BBit {
					p.Bits = o.bits
				}
			}
			g.Sketches = append(g.Sketches, p)
		}
	}
	if err := g.Check(); err != nil {
		return g, usagef("%v", err)
	}
	return g, nil
}

func runCalibrate(cmd *cobra.Command, args []string, o *calibrateOptions) error {
	switch {
	case o.verify != "exact" && o.verify != "signature":
		return usagef("--verify %s: exact or signature", o.verify)
	case o.documents < 2 || o.documents > calibrate.MostItems:
		return usagef("--documents %d: 2 to %d", o.documents, calibrate.MostItems)
	}
	c, err := o.corpus(cmd, args, o.threads)
	if err != nil {
		return err
	}
	sets := c.Options.Kind == corpus.Sets
	g, err := o.grid(sets)
	if err != nil {
		return err
	}
	if err := (ingest.Texts{Corpus: c.Options}).Validate(ingest.Plan{Params: g.Filled()}); err != nil {
		return usagef("%v", err)
	}
	files, err := o.create(cmd)
	if err != nil {
		return err
	}
	defer files.discard()
	var labels []calibrate.Label
	if o.labels != "" {
		if labels, err = calibrate.ReadLabels(o.labels); err != nil {
			return err
		}
	}
	r, err := calibrate.Sweep(cmd.Context(), c, o.documents, g, labels, func(what string) {
		o.note(cmd.ErrOrStderr(), "trying %s", what)
	})
	if err != nil {
		return err
	}
	if err := files.write(r, &g); err != nil {
		return err
	}
	o.conclude(cmd, r)
	return nil
}

// conclude says what was looked at and what is recommended.
func (o *calibrateOptions) conclude(cmd *cobra.Command, r *calibrate.Result) {
	w := cmd.ErrOrStderr()
	o.note(w, "%d of %d documents were drawn", r.Drawn, r.Documents)
	if o.labels != "" {
		o.note(w, "labels: %d pairs the same, %d different, %d without a verdict, which are left out", r.Labels.Same, r.Labels.Different, r.Labels.Left)
	}
	none := ""
	for _, x := range r.Outcomes {
		about := fmt.Sprintf("threshold %v, %s", x.Threshold, x.Params.Elements.Recipe)
		switch {
		case x.Pairs == 0 && x.Kind == calibrate.All && about != none:
			none = about
			o.note(w, "%s: the sample has no such pair, so that nothing can be recommended; draw more documents", about)
		case x.Recommended:
			o.note(w, "recommended at threshold %v: %s", x.Threshold, recommendation(x))
		}
	}
}

// recommendation spells the flags of a setting, and its recall.
func recommendation(x calibrate.Outcome) string {
	p := x.Params
	s := fmt.Sprintf("--family %s -s %d --bands %d --rows %d", p.Family, p.Size, x.Banding.Bands, x.Banding.Rows)
	if p.Bits > 0 {
		s += fmt.Sprintf(" --bits %d", p.Bits)
	}
	if x.Unit != shingle.Documents {
		s += " --unit " + x.Unit
	}
	if name, _, ok := strings.Cut(p.Elements.Recipe, "/"); ok {
		s += " --shingle " + name
	}
	interval := "no interval: too few families"
	if !math.IsNaN(x.Recall.Low) {
		interval = fmt.Sprintf("interval %.3f to %.3f", x.Recall.Low, x.Recall.High)
	}
	if !x.Assured {
		interval += "; not assured: draw or label more, or take more bands"
	}
	return fmt.Sprintf("%s (recall %.3f, expected %.3f, %s; joined %.3f)", s, x.Recall.Value, x.Expected, interval, x.JoinedShare.Value)
}
