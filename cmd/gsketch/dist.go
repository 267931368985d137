// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/sketch"
)

type distOptions struct {
	*common
	inputOptions
	selectOptions
	references []string
	refList    []string
	output     string
	html       string
	format     string
	json       bool
	measure    string
	oneMinus   bool
	ci         bool
	flat       bool
	maxDist    float64
	minSim     float64
	minANI     float64
	maxP       float64
	top        int
	block      string
	merge      bool
	comments   bool
}

func newDist(c *common) *cobra.Command {
	o := distOptions{common: c}
	cmd := &cobra.Command{
		Use:   "dist [flags] FILE... [-r REFERENCE...]",
		Short: "Compare sketches or raw files: pairs, matrices",
		Long: `Compare sketches or raw files. Without -r all pairs within are compared, each
once; with -r every input with every reference.

Bottom-k sketches give the Jaccard index and the distance and p-value of Mash,
FracMinHash sketches containment, both average nucleotide identity (ANI, a fraction;
docs/estimators.md says how good); of texts there is neither distance nor ANI. Of
slots, kperm, oph and bbit give the Jaccard index (of k-mers also --measure ani), icws the weighted one, simhash the cosine and the Hamming
distance. Sizes and scaled of hashes are reconciled by downsampling; whatever else
differs is an error. Undefined values are NA.

Formats: tsv (with a header), json, edges, matrix (square, labelled), phylip,
npy (numpy, with OUTPUT.labels.txt); mash, mash-table, mash-triangle and
mash-edges are byte for byte those of mash dist, dist -t, triangle and
triangle -E; sourmash is the CSV of sourmash compare.`,
		Example: `  gsketch dist genomes/*.fa
  gsketch dist --measure ani --format matrix sketches.parquet`,
		RunE: func(cmd *cobra.Command, args []string) error { return runDist(cmd.Context(), cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringArrayVarP(&o.references, "reference", "r", nil, "file to compare the inputs with (repeatable)")
	f.StringArrayVar(&o.refList, "reference-list", nil, "file that names references, one path a line (repeatable)")
	o.inputOptions.addFlags(f)
	o.selectOptions.addFlags(f, "references (of the inputs where there are none)")
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
	f.StringVar(&o.html, "html", "", "also write a page with the table and, within one list, a heat map (no network needed)")
	f.StringVar(&o.format, "format", "tsv", "format of the output: "+strings.Join(formatNames(), ", "))
	f.BoolVar(&o.json, "json", false, "the same as --format json")
	f.StringVar(&o.measure, "measure", "", "what goes into matrices and limits: "+strings.Join(measures, ", ")+" (default: mash, or max-containment for FracMinHash; of texts and slots the first their family has, and for sourmash formats, jaccard, or angular with abundances)")
	f.BoolVar(&o.oneMinus, "one-minus", false, "matrices hold 1 minus the measure: a distance from a similarity")
	f.BoolVar(&o.ci, "ci", false, "give the 95 % confidence interval of ANI, or of the similarity (slots, texts)")
	f.Float64Var(&o.maxDist, "max-distance", 1, "leave out pairs with a larger Mash distance, 0..1")
	f.Float64Var(&o.minSim, "min-similarity", 0, "leave out pairs with a lower value of the measure, where it is a similarity, 0..1")
	f.Float64Var(&o.minANI, "min-ani", 0, "leave out pairs with a lower ANI, 0..1")
	f.Float64Var(&o.maxP, "max-p", 1, "leave out pairs with a larger p-value, 0..1")
	f.IntVar(&o.top, "top", 0, "of each input, only so many best pairs; 0 is all")
	f.StringVar(&o.block, "block", "", "compute one block of all pairs as a job of its own: I,J/N, 0 <= J <= I < N, of N groups of sketches (formats tsv, edges, mash-edges)")
	f.BoolVar(&o.merge, "merge", false, "the inputs are all blocks of a job: join them into what one run would have written")
	f.BoolVar(&o.comments, "comment-labels", false, "label sketches with their comments, as mash -C does")
	return cmd
}

func runDist(ctx context.Context, cmd *cobra.Command, args []string, o *distOptions) error {
	warn := warner(cmd.ErrOrStderr())
	if err := o.check(); err != nil {
		return err
	}
	form := gridFormats[o.format]
	if o.merge {
		return o.mergeBlocks(cmd, args, warn)
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	page, err := createPage(cmd, o.html, o.output, o.format, o.force)
	if err != nil {
		return err
	}
	defer page.discard()
	g, err := o.grid(ctx, args, warn)
	if err != nil {
		return err
	}
	if o.block != "" {
		if err := g.writeBlock(ctx, out, form, o.threads); err != nil {
			return err
		}
		return out.commit()
	}
	if err := g.write(ctx, page.beside(out), form, o.threads); err != nil {
		return err
	}
	if err := out.flush(); err != nil {
		return err
	}
	if page != nil {
		shown, err := g.page(ctx)
		if err != nil {
			return err
		}
		if err := page.commit(shown); err != nil {
			return err
		}
	}
	if form.after != nil {
		if err := form.after(g, o, cmd.ErrOrStderr()); err != nil {
			return err
		}
	}
	return out.commit()
}

// mergeBlocks joins the blocks that the arguments name.
func (o *distOptions) mergeBlocks(cmd *cobra.Command, args []string, warn func(string)) error {
	inputs, err := o.expand(args, warn)
	if err != nil {
		return err
	}
	paths := make([]string, len(inputs))
	for i, in := range inputs {
		paths[i] = in.path
	}
	if err := keepInputs([]string{o.output}, inputs); err != nil {
		return err
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := mergeBlocks(paths, out); err != nil {
		return err
	}
	return out.commit()
}

func (o *distOptions) check() error {
	if o.json {
		if o.flags.Changed("format") && o.format != "json" {
			return usagef("--json and --format %s exclude each other", o.format)
		}
		o.format = "json"
	}
	form, ok := gridFormats[o.format]
	if !ok {
		return usagef("--format %s: one of %s", o.format, strings.Join(formatNames(), ", "))
	}
	if o.measure != "" && o.measure != "distance" && !slices.Contains(measures, o.measure) {
		return usagef("--measure %s: one of %s", o.measure, strings.Join(measures, ", "))
	}
	for _, lim := range []struct {
		name  string
		value float64
	}{{"min-similarity", o.minSim}, {"max-distance", o.maxDist}, {"min-ani", o.minANI}, {"max-p", o.maxP}} {
		if !(lim.value >= 0 && lim.value <= 1) {
			return usagef("--%s %v: 0 to 1", lim.name, lim.value)
		}
		if form.dense && o.flags.Changed(lim.name) {
			return usagef("--%s: a %s has a cell for every pair", lim.name, o.format)
		}
	}
	if o.top < 0 {
		return usagef("--top %d: at least 0", o.top)
	}
	if form.dense && o.top > 0 {
		return usagef("--top: a %s has a cell for every pair", o.format)
	}
	if o.html != "" && (o.block != "" || o.merge) {
		return usagef("--html is of a whole comparison, without --block and --merge")
	}
	if o.block != "" {
		if _, err := parseBlock(o.block); err != nil {
			return err
		}
	}
	if o.block != "" && (form.square || form.dense || form.tail != "" || o.top > 0 || len(o.references)+len(o.refList) > 0) {
		return usagef("--block goes with the formats tsv, edges and mash-edges, without -r and --top")
	}
	if o.format == "npy" && o.output == "-" {
		return usagef("--format npy needs -o FILE: the labels go to FILE.labels.txt")
	}
	return nil
}

// grid loads the two sides of the comparison.
func (o *distOptions) grid(ctx context.Context, args []string, warn func(string)) (*grid, error) {
	inputs, err := o.expand(args, warn)
	if err != nil {
		return nil, err
	}
	if err := keepInputs([]string{o.output, o.html}, inputs); err != nil {
		return nil, err
	}
	within := len(o.references)+len(o.refList) == 0
	loadQueries := load
	if within {
		loadQueries = o.loadPicked
	}
	if o.block != "" && !o.pick.given() && !o.flags.Changed("size") && !o.flags.Changed("scaled") {
		loadQueries = loadUnread
	}
	queries, err := loadQueries(inputs, o.threads, warn)
	if err != nil {
		return nil, err
	}
	var references []source
	if !within {
		side := inputOptions{lists: o.refList, recursive: o.recursive}
		named, err := side.expand(o.references, warn)
		if err != nil {
			return nil, err
		}
		if err := keepInputs([]string{o.output, o.html}, named); err != nil {
			return nil, err
		}
		if references, err = o.loadPicked(named, o.threads, warn); err != nil {
			return nil, err
		}
	}
	// References first: raw queries are sketched as they are.
	all := append(slices.Clone(references), queries...)
	families, err := o.families()
	if err != nil {
		return nil, err
	}
	cl, err := o.choose(all, families)
	if err != nil {
		return nil, err
	}
	like, err := o.like(all, cl)
	if err != nil {
		return nil, err
	}
	form := gridFormats[o.format]
	o.noShort = form.noShort
	g := &grid{o: o, class: cl, within: within}
	if g.rows, err = o.items(ctx, queries, cl, like, o.threads, warn); err != nil {
		return nil, err
	}
	g.cols = g.rows
	if !g.within {
		if g.cols, err = o.ofReferences().items(ctx, references, cl, like, o.threads, warn); err != nil {
			return nil, err
		}
	}
	if o.block != "" {
		if err := g.readBlock(); err != nil {
			return nil, err
		}
	}
	warnOfFewHashes("sketches", g.items(), warn)
	if within && o.block == "" && !form.dense && len(g.rows) == 1 {
		warn("one sketch alone: there is nothing to compare it with; name more files")
	}
	if form.within && !g.within {
		return nil, usagef("--format %s is of all pairs within; without -r", o.format)
	}
	if form.alike {
		if err := g.downsample(); err != nil {
			return nil, err
		}
		if o.measure == "" {
			if o.measure, err = g.sourmashMeasure(); err != nil {
				return nil, err
			}
		}
	}
	return g, g.prepare()
}

// families orders the families that the measure accepts by how well they serve
// it: ANI is better taken from FracMinHash, all else from bottom-k; signatures are
// compared where there is nothing else.
func (o *distOptions) families() ([]string, error) {
	order := []string{sketch.BottomK, sketch.FracMinHash}
	if o.ci || o.measure == ani {
		slices.Reverse(order)
	}
	slots := []string{sketch.KPerm, sketch.OPH, sketch.BBit, sketch.ICWS, sketch.SimHash}
	switch o.measure {
	case "":
		return append(order, slots...), nil
	case weightedJaccard:
		return []string{sketch.ICWS, sketch.BBit}, nil
	case cosine, hamming:
		return []string{sketch.SimHash}, nil
	}
	e, err := distance.ByName(o.measure, 0)
	if err != nil {
		return nil, usagef("--measure %v", err)
	}
	var fit []string
	for _, family := range order {
		p := sketch.Params{Family: family, Elements: sketch.DNAElements(o.k), Weighted: true}
		if e.Accepts(p, p) == nil {
			fit = append(fit, family)
		}
	}
	if o.measure == "jaccard" || o.measure == ani {
		fit = append(fit, sketch.KPerm, sketch.OPH, sketch.BBit)
	}
	return fit, nil
}

// labelOf is what a sketch is called in the output.
func (o *distOptions) labelOf(m sketch.Meta) string {
	if o.comments {
		return m.Comment
	}
	return m.Label()
}
