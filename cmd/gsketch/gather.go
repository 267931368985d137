// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/sketch"
)

type gatherOptions struct {
	lookupOptions
	format    string
	merge     string
	directory string
	threshold string
	flat      bool
	ci        bool
	save      saveOptions
}

func newGather(c *common) *cobra.Command {
	o := gatherOptions{lookupOptions: lookupOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "gather [flags] -r GENOMES SAMPLE...",
		Short: "Find the fewest genomes that explain each metagenome",
		Long: `Find the fewest genomes that explain each metagenome: the reference that holds
most of the sample comes first, then the one that holds most of what is left, and
so on (a greedy minimum set cover, the algorithm and the numbers of sourmash
gather). Samples are raw or sketched; FracMinHash sketches are compared. With
abundances (raw samples have them), unique_weighted is the share of the sample's
k-mers, copies counted.

--format sourmash is the CSV of sourmash gather.`,
		Example: `  gsketch gather -r sketches.parquet --scaled 100 reads.fq
  gsketch gather -r sketches.parquet --format sourmash -o gather.csv reads.fq`,
		RunE: func(cmd *cobra.Command, args []string) error { return runGather(cmd.Context(), cmd, args, &o) },
	}
	o.lookupOptions.addFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "tsv", "format of the output: tsv, sourmash")
	f.StringVar(&o.merge, "merge", "", "one sample of all files together, under this name")
	f.StringVar(&o.directory, "output-dir", "", "write for each sample NAME.MD5.csv, NAME.MD5.matches.sig and NAME.MD5.unassigned.sig into this directory, as sourmash multigather -U")
	f.StringVar(&o.threshold, "threshold-bp", "50000", "stop where a reference adds fewer bases (hashes times scaled)")
	f.BoolVar(&o.flat, "ignore-abundance", false, "count each k-mer once")
	f.BoolVar(&o.ci, "ci", false, "give the 95 % confidence intervals of ANI")
	o.save.addFlags(f)
	return cmd
}

func runGather(ctx context.Context, cmd *cobra.Command, args []string, o *gatherOptions) error {
	warn := warner(cmd.ErrOrStderr())
	if o.format != "tsv" && o.format != "sourmash" {
		return usagef("--format %s: tsv or sourmash", o.format)
	}
	threshold, err := parseBases(o.threshold)
	if err != nil {
		return err
	}
	g := &gathering{o: o, threshold: threshold, log: cmd.ErrOrStderr()}
	refs, samples, out, err := o.open(cmd, args, true, warn)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := g.load(ctx, refs, samples, warn); err != nil {
		return err
	}
	if o.directory == "" && o.format == "tsv" {
		if err := g.head(out); err != nil {
			return err
		}
	}
	if o.directory != "" {
		if err := os.MkdirAll(o.directory, 0o777); err != nil {
			return &outputError{o.directory, reason(err)}
		}
	}
	if err := g.reader.each(ctx, samples, o.threads, warn, func(x sample) error { return g.sample(x, out) }); err != nil {
		return err
	}
	if err := o.save.write(o.common); err != nil {
		return err
	}
	return out.commit()
}

// parseBases reads a number of bases, 0 included.
func parseBases(s string) (float64, error) {
	if s == "0" {
		return 0, nil
	}
	n, err := parseSize(s, basesUnit)
	if err != nil {
		return 0, usagef("--threshold-bp %s: %v", s, err)
	}
	return float64(n), nil
}

// A gathering is references that are to explain samples.
type gathering struct {
	o         *gatherOptions
	reader    sampleReader
	threshold float64
	log       io.Writer
	refs      []sketch.Item
	sets      []sketch.Abundant
	paths     []string // of the file of each reference
	headed    bool     // the CSV has its header
}

func (g *gathering) load(ctx context.Context, refs, samples []source, warn func(string)) error {
	o := g.o
	all := append(append([]source{}, refs...), samples...)
	cl, err := o.choose(all, []string{sketch.FracMinHash})
	if err != nil {
		return err
	}
	like, err := o.like(all, cl)
	if err != nil {
		return err
	}
	raw := like
	raw.Weighted = !o.flat
	g.reader = sampleReader{o: &o.selectOptions, class: cl, like: raw, merge: o.merge}
	if g.refs, g.paths, err = o.ofReferences().originals(ctx, refs, cl, like, o.threads, warn); err != nil {
		return err
	}
	for _, it := range g.refs {
		g.sets = append(g.sets, it.Sketch.(sketch.Abundant))
	}
	warnOfFewHashes("references", g.refs, warn)
	return nil
}

// flattened drops the abundances of a sketch.
func (o *selectOptions) flattened(it sketch.Item) (sketch.Item, error) {
	set := it.Sketch.(sketch.Abundant)
	p := set.Params()
	if !p.Weighted {
		return it, nil
	}
	p.Weighted = false
	flat, err := sketch.NewSet(p, set.Hashes(), nil, set.Bound())
	return sketch.Item{Meta: it.Meta, Sketch: flat}, err
}

// sample explains one sample.
func (g *gathering) sample(x sample, out io.Writer) error {
	o := g.o
	query := x.item
	if o.flat {
		var err error
		if query, err = o.flattened(query); err != nil {
			return err
		}
	}
	covers, err := distance.Gather(query.Sketch.(sketch.Abundant), g.sets, g.threshold)
	if err != nil {
		return err
	}
	if query.Meta.Label() == "" {
		query.Meta.Source = x.paths[0]
	}
	var matches []sketch.Item
	for _, c := range covers {
		matches = append(matches, g.refs[c.Reference])
	}
	if len(covers) == 0 {
		o.note(g.log, "%s: no reference has %.0f bases of it (--threshold-bp); nothing is found", query.Meta.Label(), g.threshold)
	}
	if o.directory != "" {
		return g.writeSample(query, covers, matches)
	}
	if err := g.rows(query, covers, out); err != nil {
		return err
	}
	return o.save.addLeft(query, matches)
}

func (g *gathering) head(w io.Writer) error {
	names := "query reference rank intersect_bp unique_bp remaining_bp containment unique_to_query unique_weighted reverse_containment average_abundance median_abundance ani"
	if g.o.ci {
		names += " ani_low ani_high"
	}
	return line(w, strings.Fields(names))
}

func (g *gathering) rows(query sketch.Item, covers []distance.Cover, w io.Writer) error {
	if g.o.format == "sourmash" {
		if len(covers) > 0 && !g.headed { // without a match sourmash writes an empty file
			g.headed = true
			if err := gatherCSVHead(w, g.o.ci); err != nil {
				return err
			}
		}
		return g.csvRows(query, covers, w)
	}
	for rank, c := range covers {
		q := float64(c.Query)
		dst := append([]byte(field(query.Meta.Label())), '\t')
		dst = append(dst, field(g.refs[c.Reference].Meta.Label())...)
		dst = fmt.Appendf(dst, "\t%d\t%d\t%d\t%d", rank, c.Pair.Shared*c.Scaled, c.Unique*c.Scaled, c.Remaining*c.Scaled)
		values := []float64{c.Pair.ReverseContainment(), float64(c.Unique) / q, float64(c.Weight) / float64(c.TotalWeight), c.Pair.Containment(), c.Mean, c.Median, c.Pair.ReverseContainmentANI()}
		if g.o.ci {
			low, high := reversed(c.Pair).ANIInterval(confidence)
			values = append(values, low, high)
		}
		for _, v := range values {
			dst = appendValue(append(dst, '\t'), v)
		}
		if _, err := w.Write(append(dst, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// reversed is the pair seen from the other set.
func reversed(p distance.Pair) distance.Pair {
	p.A, p.B, p.LengthA, p.LengthB = p.B, p.A, p.LengthB, p.LengthA
	return p
}

// writeSample writes the files of one sample into the output directory.
func (g *gathering) writeSample(query sketch.Item, covers []distance.Cover, matches []sketch.Item) error {
	digest, err := sig.Digest(query.Sketch.(sketch.HashSet))
	if err != nil {
		return err
	}
	base := filepath.Join(g.o.directory, filepath.Base(query.Meta.Source)+"."+digest)
	out, err := create(base+".csv", nil, g.o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := gatherCSVHead(out, g.o.ci); err != nil {
		return err
	}
	if err := g.csvRows(query, covers, out); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	if err := writeSketches(base+".matches.sig", matches, nil, g.o.force); err != nil {
		return err
	}
	_, left, err := divide(query, matches)
	if err != nil {
		return err
	}
	left.Meta = sketch.Meta{}
	return writeSketches(base+".unassigned.sig", []sketch.Item{left}, nil, g.o.force)
}
