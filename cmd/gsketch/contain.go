// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/report"
	"github.com/gsketch/gsketch/sketch"
)

type containOptions struct {
	lookupOptions
	format    string
	html      string
	merge     string
	winner    bool
	all       bool
	minShare  float64
	minANI    float64
	maxP      float64
	minShared uint64
	save      saveOptions
	threshold string
	shardOptions
}

func newContain(c *common) *cobra.Command {
	o := containOptions{lookupOptions: lookupOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "contain [flags] -r GENOMES SAMPLE...",
		Short: "Find which genomes are inside reads, metagenomes or assemblies",
		Long: `Find which genomes (references, raw or sketched) are inside samples: reads,
metagenomes or assemblies, raw (streamed once, never held) or sketched. Each file
is a sample unless --merge NAME makes one of all.

A row tells of one reference in one sample: containment is the share of the
reference's k-mers that the sample has, reverse_containment that of the sample in
the reference, ani the identity it stands for, shared of how many hashes were
found, median_multiplicity how deep, p_value the chance of as many by accident.
References without a shared hash have no row unless --all.

Of a 10 kb virus, scaled = 1000 keeps ten hashes: sketch small references with
--scaled 100 or finer. --format mash is the table of mash screen (bottom-k
sketches), --format sourmash that of sourmash prefetch (FracMinHash).

Proteins are looked for in DNA with --translate, which reads the six frames of
samples; references are proteins, raw (--molecule protein) or sketched.

References on several machines are looked for shard by shard, each in the same
samples and with --shard I/N; --merge-shards joins what the jobs wrote into what
one would have written. For --winner-take-all, run it once more with the
references that were found.`,
		Example: `  gsketch contain -r genomes/lambda.fa --scaled 100 reads.fq
  gsketch contain -r sketches.parquet --winner-take-all reads.fq`,
		RunE: func(cmd *cobra.Command, args []string) error { return runContain(cmd.Context(), cmd, args, &o) },
	}
	o.lookupOptions.addFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "tsv", "format of the output: tsv, mash, sourmash")
	f.StringVar(&o.html, "html", "", "also write the table as a page that sorts and searches it (no network needed)")
	f.StringVar(&o.merge, "merge", "", "one sample of all files together, under this name")
	f.BoolVar(&o.winner, "winner-take-all", false, "give each hash to the reference with the highest containment alone; among equals to the longer, then to the first")
	f.BoolVar(&o.all, "all", false, "a row for every reference, found or not")
	f.Float64Var(&o.minShare, "min-containment", 0, "leave out references of which less is found, 0..1")
	f.Float64Var(&o.minANI, "min-ani", 0, "leave out references with a lower identity, 0..1")
	f.Float64Var(&o.maxP, "max-p", 1, "leave out references with a larger p-value, 0..1")
	f.Uint64Var(&o.minShared, "min-shared", 1, "leave out references with fewer shared hashes")
	f.StringVar(&o.threshold, "threshold-bp", "50000", "--format sourmash: leave out references with fewer shared bases")
	o.save.addFlags(f)
	o.shardOptions.addFlags(f)
	return cmd
}

func runContain(ctx context.Context, cmd *cobra.Command, args []string, o *containOptions) error {
	form, ok := containFormats[o.format]
	if !ok {
		return usagef("--format %s: one of tsv, mash, sourmash", o.format)
	}
	return o.run(ctx, cmd, args, form)
}

func (o *containOptions) run(ctx context.Context, cmd *cobra.Command, args []string, form containFormat) error {
	warn := warner(cmd.ErrOrStderr())
	for _, lim := range []struct {
		name  string
		value float64
	}{{"min-containment", o.minShare}, {"min-ani", o.minANI}, {"max-p", o.maxP}} {
		if !(lim.value >= 0 && lim.value <= 1) {
			return usagef("--%s %v: 0 to 1", lim.name, lim.value)
		}
	}
	if err := o.checkShards(); err != nil {
		return err
	}
	if o.join {
		return o.mergeShards(cmd, args, warn)
	}
	o.others = []string{o.html}
	refs, samples, out, err := o.open(cmd, args, true, warn)
	if err != nil {
		return err
	}
	defer out.discard()
	page, err := createPage(cmd, o.html, o.output, o.format, o.force)
	if err != nil {
		return err
	}
	defer page.discard()
	table := page.beside(out)
	s, err := o.screen(ctx, refs, samples, warn)
	if err != nil {
		return err
	}
	s.log = cmd.ErrOrStderr()
	if err := form.check(s); err != nil {
		return err
	}
	if o.shard != "" {
		err = s.writeShard(ctx, samples, form, warn, table)
	} else if err = form.head(s, table); err == nil {
		err = s.reader.each(ctx, samples, o.threads, warn, func(x sample) error { return form.sample(s, x, table) })
	}
	if err != nil {
		return err
	}
	if err := out.flush(); err != nil {
		return err
	}
	if err := o.save.write(o.common); err != nil {
		return err
	}
	if err := page.commit(report.Page{
		Title: fmt.Sprintf("%d genomes looked for in %d samples", len(s.refs), len(samples)),
		Lead:  []string{"Parameters: " + s.reader.class.String()},
	}); err != nil {
		return err
	}
	return out.commit()
}

// A screening is references to be found in samples.
type screening struct {
	o       *containOptions
	reader  sampleReader
	refs    []sketch.Item
	lengths []uint64
	log     io.Writer
}

// screen loads and indexes the references.
func (o *containOptions) screen(ctx context.Context, refs, samples []source, warn func(string)) (*screening, error) {
	families := []string{sketch.FracMinHash, sketch.BottomK}
	for _, s := range samples {
		if !s.raw() || o.format == "sourmash" {
			// What a bottom-k sketch of a whole sample has of a small genome is
			// next to nothing; docs/containment.md shows it.
			families = families[:1]
			break
		}
	}
	if o.format == "mash" {
		families = []string{sketch.BottomK, sketch.FracMinHash}
	}
	all := append(append([]source{}, refs...), samples...)
	cl, err := o.choose(all, families)
	if err != nil {
		return nil, err
	}
	like, err := o.like(all, cl)
	if err != nil {
		return nil, err
	}
	s := &screening{o: o, reader: sampleReader{o: &o.selectOptions, class: cl, like: like, merge: o.merge}}
	if s.refs, err = o.ofReferences().items(ctx, refs, cl, like, o.threads, warn); err != nil {
		return nil, err
	}
	for _, it := range s.refs {
		s.lengths = append(s.lengths, it.Meta.Length)
	}
	warnOfFewHashes("references", s.refs, warn)
	if o.format != "sourmash" {
		s.reader.panel, err = distance.NewPanel(hashSets(s.refs))
	}
	return s, err
}

type containFormat struct {
	check  func(*screening) error
	head   func(*screening, io.Writer) error
	sample func(*screening, sample, io.Writer) error
}

var containFormats = map[string]containFormat{
	"tsv":      {check: allowed, head: containHead, sample: containRows},
	"mash":     {check: bottomkOnly, head: func(*screening, io.Writer) error { return nil }, sample: mashScreenRows},
	"sourmash": {check: prefetchable, head: prefetchHead, sample: prefetchRows},
}

func allowed(*screening) error { return nil }

func bottomkOnly(s *screening) error {
	if s.reader.class.Family != sketch.BottomK {
		return usagef("--format mash is of bottom-k sketches; the references have %s", s.reader.class.Family)
	}
	return nil
}

func prefetchable(s *screening) error {
	if s.o.winner {
		return usagef("--winner-take-all is not of sourmash prefetch; see gsketch gather")
	}
	return nil
}

func containHead(s *screening, w io.Writer) error {
	names := "query reference containment reverse_containment ani ani_low ani_high p_value log10_p shared of median_multiplicity"
	if s.o.winner {
		names += " equal_to"
	}
	return line(w, strings.Fields(names))
}
