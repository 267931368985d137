// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/taxonomy"
)

type taxMetagenomeOptions struct {
	*common
	inputOptions
	taxonOptions
	output       string
	format       string
	rank         string
	lingroup     string
	weighted     bool
	unweighted   bool
	summaries    []*taxonomy.Summary
	groups       *taxonomy.Groups
	writeOptions taxonomy.WriteOptions
}

func newTaxMetagenome(c *common) *cobra.Command {
	o := taxMetagenomeOptions{common: c}
	cmd := &cobra.Command{
		Use:   "metagenome [flags] --taxonomy LINEAGES GATHER.csv...",
		Short: "Summarise what gather found in metagenomes, by rank",
		Long: `Summarise what gather found in metagenomes at every rank: fraction is the share of
the sample's k-mers that a lineage explains, weighted the same with copies counted,
bp the bases, ani fraction^(1/k). What no match with a lineage explains is
unclassified.

--format csv_summary, human, krona, lineage_summary, kreport, bioboxes and lingroup
are those of sourmash tax metagenome; the last three are of one sample. krona and
lineage_summary want --rank. They count each k-mer once, human and kreport copies;
--use-abundance and --ignore-abundance say otherwise.`,
		Example: `  gsketch tax metagenome --taxonomy lineages.csv gather.csv
  gsketch tax metagenome --taxonomy lineages.csv --format krona --rank family gather.csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return runTaxMetagenome(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
	f.StringVar(&o.format, "format", "tsv", "format of the output: tsv, csv_summary, human, krona, lineage_summary, kreport, bioboxes, lingroup")
	f.StringVar(&o.rank, "rank", "", "the rank of human (default species), krona and lineage_summary; with --lins a position from 0")
	f.StringVar(&o.lingroup, "lingroup", "", "with --lins: CSV of groups, with columns name and lin; csv_summary tells of these alone")
	f.BoolVar(&o.weighted, "use-abundance", false, "count copies in every format")
	f.BoolVar(&o.unweighted, "ignore-abundance", false, "count each k-mer once in every format")
	o.taxonOptions.addFlags(f)
	o.inputOptions.addFlags(f)
	return cmd
}

// A taxFormat writes summaries. Those of one sample take no more.
type taxFormat struct {
	write  func(o *taxMetagenomeOptions, w io.Writer) error
	single bool
	ranked bool // needs a rank
	copies bool // counts copies unless told otherwise
}

var taxFormats = map[string]taxFormat{
	"tsv":             {write: taxRows},
	"csv_summary":     {write: ofSummaries(taxonomy.WriteSummary)},
	"krona":           {write: ofSummaries(taxonomy.WriteKrona), ranked: true},
	"lineage_summary": {write: ofSummaries(taxonomy.WriteLineageSummary), ranked: true},
	"human":           {write: ofSummaries(taxonomy.WriteHuman), copies: true},
	"kreport": {single: true, copies: true, write: func(o *taxMetagenomeOptions, w io.Writer) error {
		return taxonomy.WriteKreport(w, o.summaries[0], o.writeOptions)
	}},
	"bioboxes": {single: true, write: func(o *taxMetagenomeOptions, w io.Writer) error { return taxonomy.WriteBioboxes(w, o.summaries[0]) }},
	"lingroup": {single: true, write: func(o *taxMetagenomeOptions, w io.Writer) error {
		return taxonomy.WriteGroups(w, o.summaries[0], o.groups)
	}},
}

func ofSummaries(write func(io.Writer, []*taxonomy.Summary, taxonomy.WriteOptions) error) func(*taxMetagenomeOptions, io.Writer) error {
	return func(o *taxMetagenomeOptions, w io.Writer) error { return write(w, o.summaries, o.writeOptions) }
}

func (o *taxMetagenomeOptions) check() (taxFormat, error) {
	form, ok := taxFormats[o.format]
	switch {
	case !ok:
		return form, usagef("--format %s: one of %s", o.format, strings.Join(slices.Sorted(maps.Keys(taxFormats)), ", "))
	case form.ranked && o.rank == "":
		return form, usagef("--format %s wants --rank", o.format)
	case o.weighted && o.unweighted:
		return form, usagef("--use-abundance and --ignore-abundance exclude each other")
	case o.lingroup != "" && !o.lins:
		return form, usagef("--lingroup goes with --lins")
	case o.format == "lingroup" && o.lingroup == "":
		return form, usagef("--format lingroup wants --lins and --lingroup FILE")
	case (o.lins || o.ictv) && (o.format == "kreport" || o.format == "bioboxes"):
		return form, usagef("--format %s is of the standard ranks", o.format)
	}
	return form, nil
}

func runTaxMetagenome(cmd *cobra.Command, args []string, o *taxMetagenomeOptions) error {
	warn := warner(cmd.ErrOrStderr())
	form, err := o.check()
	if err != nil {
		return err
	}
	inputs, err := o.expand(args, warn)
	if err != nil {
		return err
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	table, err := o.table(warn)
	if err != nil {
		return err
	}
	if o.groups, err = readGroups(o.lingroup); err != nil {
		return err
	}
	if o.rank != "" && !table.Has(o.rank) {
		return usagef("--rank %s: the taxonomy has no such rank; it has %s", o.rank, strings.Join(table.Ranks, ", "))
	}
	queries, err := o.queries(inputs, table, warn)
	if err != nil {
		return err
	}
	if form.single && len(queries) > 1 {
		return usagef("--format %s is of one sample; there are %d", o.format, len(queries))
	}
	if o.weighted && !slices.ContainsFunc(queries, (*taxonomy.Query).HasCopies) {
		return usagef("--use-abundance: the samples have no abundances")
	}
	if o.summaries, err = summaries(queries, table.Ranks, warn); err != nil {
		return err
	}
	o.writeOptions = taxonomy.WriteOptions{Rank: o.rank, Weighted: o.weighted || form.copies && !o.unweighted, Groups: o.groups}
	if o.rank == "" {
		o.writeOptions.Rank = "species"
		if o.lins {
			o.writeOptions.Rank = table.Ranks[len(table.Ranks)-1]
		}
	}
	if err := form.write(o, out); err != nil {
		return usageUnlessOutput(err)
	}
	return out.commit()
}

func readGroups(path string) (*taxonomy.Groups, error) {
	if path == "" {
		return nil, nil
	}
	return opened(path, func(r io.Reader) (*taxonomy.Groups, error) { return taxonomy.ReadGroups(r, path) })
}

// summaries of all queries; a query without a lineage is told of.
func summaries(queries []*taxonomy.Query, ranks taxonomy.Ranks, warn func(string)) ([]*taxonomy.Summary, error) {
	var all []*taxonomy.Summary
	for _, q := range queries {
		s, err := taxonomy.Summarize(q, ranks)
		if err != nil {
			return nil, badTax(err)
		}
		if !slices.ContainsFunc(s.ByRank, func(x []taxonomy.Share) bool { return x != nil }) {
			warn(q.Name + ": no match has a lineage")
		}
		for _, m := range q.Matches {
			if m.Unique >= 1 {
				warn(q.Name + ": " + m.Name + " explains all of it; are they the same?")
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// taxRows is the native table.
func taxRows(o *taxMetagenomeOptions, w io.Writer) error {
	if err := line(w, strings.Fields("query rank fraction weighted bp ani lineage")); err != nil {
		return err
	}
	for _, s := range o.summaries {
		for rank, shares := range s.ByRank {
			for _, x := range shares {
				if _, err := w.Write(appendShare([]byte(field(s.Name)+"\t"+s.Ranks[rank]), x)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// appendShare appends the cells from fraction on.
func appendShare(dst []byte, x taxonomy.Share) []byte {
	dst = appendValue(append(dst, '\t'), x.Fraction)
	dst = appendValue(append(dst, '\t'), x.Weighted)
	dst = strconv.AppendUint(append(dst, '\t'), x.Bases, 10)
	dst = appendValue(append(dst, '\t'), x.ANI)
	return append(append(append(dst, '\t'), field(x.Lineage.String())...), '\n')
}
