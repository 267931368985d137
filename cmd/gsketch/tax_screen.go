// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/taxonomy"
)

// taxScreen is a screening that reports taxa.
type taxScreen struct {
	taxonOptions
	format string
	dump   *taxonomy.Tree
	of     []taxonomy.TaxID // by reference; 0 is none
}

func newTaxScreen(c *common) *cobra.Command {
	o := containOptions{lookupOptions: lookupOptions{common: c}}
	x := taxScreen{}
	cmd := &cobra.Command{
		Use:   "screen [flags] -r REFERENCES --ncbi DIR SAMPLE...",
		Short: "Count the hashes that samples share with references, by taxon",
		Long: `Look for the hashes of references in samples, raw (streamed once) or sketched, and
count them by taxon: a hash belongs to the lowest taxon that all references with it
belong to. clade is the hashes found at a taxon and below, taxon those of the taxon
itself, clade_in_db and taxon_in_db how many the references have.

The taxid of a reference is that of --map, or what follows the word taxid in its
comment. --format mash is the table of mash taxscreen, of one sample (or --merge).`,
		Example: `  gsketch tax screen -r genomes.msh --ncbi taxdump --map taxids.txt reads.fq
  gsketch tax screen -r genomes.msh --ncbi taxdump --map taxids.txt --format mash reads.fq`,
		RunE: func(cmd *cobra.Command, args []string) error {
			warn := warner(cmd.ErrOrStderr())
			if x.format != "tsv" && x.format != "mash" {
				return usagef("--format %s: tsv or mash", x.format)
			}
			if x.ncbi == "" {
				return usagef("say where nodes.dmp and names.dmp are: --ncbi DIR")
			}
			o.format = "mash" // bottom-k sketches before others
			return o.run(cmd.Context(), cmd, args, x.containFormat(warn))
		},
	}
	o.lookupOptions.addFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&x.format, "format", "tsv", "format of the output: tsv, mash")
	f.StringVar(&o.merge, "merge", "", "one sample of all files together, under this name")
	x.addTreeFlags(f)
	return cmd
}

func (x *taxScreen) containFormat(warn func(string)) containFormat {
	samples := 0
	return containFormat{
		check: func(s *screening) error { return x.find(s, warn) },
		head: func(_ *screening, w io.Writer) error {
			if x.format == "mash" {
				return nil
			}
			return line(w, strings.Fields("query percent clade taxon clade_in_db taxon_in_db rank taxid name"))
		},
		sample: func(s *screening, one sample, w io.Writer) error {
			if samples++; x.format == "mash" && samples > 1 {
				return usagef("--format mash is of one sample; --merge NAME makes one of all files")
			}
			return x.rows(one, w)
		},
	}
}

// find reads the taxonomy and the taxids of the references.
func (x *taxScreen) find(s *screening, warn func(string)) (err error) {
	if x.dump, err = x.tree(); err != nil {
		return err
	}
	var ids map[string]taxonomy.TaxID
	if x.taxids != "" {
		if ids, err = x.names(); err != nil {
			return err
		}
	}
	var none, unknown []string
	for _, r := range s.refs {
		name := r.Meta.Label()
		id, ok := ids[name]
		if !ok {
			id = taxidIn(r.Meta.Comment)
		}
		switch {
		case id == 0:
			none = append(none, name)
		case !x.dump.Has(id):
			unknown = append(unknown, fmt.Sprintf("%s (%d)", name, id))
			id = 0
		}
		x.of = append(x.of, id)
	}
	if len(none) > 0 {
		warn(fmt.Sprintf("%d references have a taxid neither in --map nor in their comment: %s", len(none), some(none)))
	}
	if len(unknown) > 0 {
		warn(fmt.Sprintf("%d references have a taxid that nodes.dmp does not know: %s", len(unknown), some(unknown)))
	}
	if len(none)+len(unknown) == len(s.refs) {
		return usagef("no reference has a taxid")
	}
	return nil
}

// taxidIn is the number behind the last word taxid of a comment; 0 if there is
// none.
func taxidIn(comment string) taxonomy.TaxID {
	words := strings.Fields(comment)
	for i := len(words) - 2; i >= 0; i-- {
		if words[i] == "taxid" {
			if n, err := strconv.ParseUint(words[i+1], 10, 32); err == nil {
				return taxonomy.TaxID(n)
			}
		}
	}
	return 0
}

func (x *taxScreen) rows(s sample, w io.Writer) error {
	groups := map[taxonomy.TaxID]*taxonomy.HashGroup{}
	s.seen.Each(func(copies uint64, references []int) {
		var taxon taxonomy.TaxID
		for _, r := range references {
			taxon = x.dump.Common(taxon, x.of[r])
		}
		g := groups[taxon]
		if g == nil {
			g = &taxonomy.HashGroup{Taxon: taxon}
			groups[taxon] = g
		}
		g.All++
		if copies > 0 {
			g.Seen++
		}
	})
	var list []taxonomy.HashGroup
	for _, g := range groups {
		list = append(list, *g)
	}
	slices.SortFunc(list, func(a, b taxonomy.HashGroup) int { return int(a.Taxon) - int(b.Taxon) })
	report := x.dump.Report(list)
	if x.format == "mash" {
		return report.WriteMash(w)
	}
	name := field(s.item.Meta.Label())
	if name == "" {
		name = field(s.paths[0])
	}
	for _, c := range report.Taxa {
		cells := []string{name, string(appendValue(nil, 100*float64(c.Clade)/float64(report.Seen)))}
		for _, n := range []uint64{c.Clade, c.Taxon, c.CladeInDB, c.TaxonInDB} {
			cells = append(cells, strconv.FormatUint(n, 10))
		}
		if err := line(w, append(cells, c.Rank, strconv.FormatUint(uint64(c.ID), 10), strings.Repeat("  ", c.Depth)+c.Name)); err != nil {
			return err
		}
	}
	return nil
}
