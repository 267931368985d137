// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/taxonomy"
)

func newTax(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tax",
		Short: "Lineages of what was found: summaries by rank, classes, Kraken-style reports",
		Long: `Lineages of what was found. metagenome and genome read the CSV of gsketch gather
--format sourmash (or of sourmash gather) and look its matches up in a taxonomy;
screen counts the hashes that a sample shares with references, by taxon.

A taxonomy is a CSV as sourmash has it (ident, superkingdom, ..., species[, strain,
taxpath]), a CSV that annotate has made, or a dump of the NCBI (nodes.dmp and
names.dmp in --ncbi DIR) with --map FILE, which says which name has which taxid. Of
several tables the last one that knows an identifier tells its lineage.`,
	}
	cmd.AddCommand(newTaxMetagenome(c), newTaxGenome(c), newTaxScreen(c), newTaxAnnotate(c), newTaxPrepare(c), newTaxSummarize(c), newTaxGrep(c))
	return cmd
}

// taxonOptions name a taxonomy.
type taxonOptions struct {
	tables       []string
	ncbi         string
	taxids       string
	ids          taxonomy.Identifiers
	lins, ictv   bool
	keepFirst    bool
	failMissing  bool
	withoutCheck bool // the command looks no match up
}

func (o *taxonOptions) addFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.tables, "taxonomy", nil, "CSV of lineages, compressed or not (repeatable)")
	o.addTreeFlags(f)
	f.BoolVar(&o.ids.Whole, "keep-full-identifiers", false, "an identifier is the whole name of a match, not its first word")
	f.BoolVar(&o.ids.Versions, "keep-identifier-versions", false, "an identifier keeps what follows its first point: GCF_000005845.2")
	f.BoolVar(&o.lins, "lins", false, "the taxonomy is of Life Identification Numbers, in a column lin")
	f.BoolVar(&o.ictv, "ictv", false, "the taxonomy has the ranks of the ICTV: realm, ..., species, name")
	f.BoolVar(&o.keepFirst, "keep-first", false, "of several lineages of an identifier in one table take the first; otherwise they are an error")
	if !o.withoutCheck {
		f.BoolVar(&o.failMissing, "fail-on-missing-taxonomy", false, "a match without a lineage is an error, not a warning")
	}
}

func (o *taxonOptions) addTreeFlags(f *pflag.FlagSet) {
	f.StringVar(&o.ncbi, "ncbi", "", "directory with nodes.dmp and names.dmp of the NCBI taxonomy")
	f.StringVar(&o.taxids, "map", "", "with --ncbi: lines of a taxid and a name, or a table with columns accession.version and taxid")
}

// table reads the taxonomy.
func (o *taxonOptions) table(warn func(string)) (*taxonomy.Table, error) {
	if o.lins && o.ictv || o.ncbi != "" && (o.lins || o.ictv) {
		return nil, usagef("--lins, --ictv and --ncbi exclude one another")
	}
	if (o.ncbi == "") == (len(o.tables) == 0) {
		return nil, usagef("say the taxonomy: --taxonomy FILE, or --ncbi DIR and --map FILE")
	}
	if o.ncbi != "" {
		return o.fromTree(warn)
	}
	kind := taxonomy.OfRanks
	if o.ictv {
		kind = taxonomy.OfViruses
	} else if o.lins {
		kind = taxonomy.OfPositions
	}
	var all *taxonomy.Table
	for _, path := range o.tables {
		t, err := opened(path, func(r io.Reader) (*taxonomy.Table, error) {
			return taxonomy.ReadLineages(r, path, taxonomy.LineageOptions{Kind: kind, Identifiers: o.ids, KeepFirst: o.keepFirst})
		})
		if err == nil && all != nil {
			if t, err = t.Over(all); err != nil {
				err = sketch.BadInput(path, err)
			}
		}
		if err != nil {
			return nil, err
		}
		all = t
	}
	return all, nil
}

// tree reads the dump of the NCBI.
func (o *taxonOptions) tree() (*taxonomy.Tree, error) {
	nodes, names := filepath.Join(o.ncbi, "nodes.dmp"), filepath.Join(o.ncbi, "names.dmp")
	return opened(nodes, func(a io.Reader) (*taxonomy.Tree, error) {
		return opened(names, func(b io.Reader) (*taxonomy.Tree, error) { return taxonomy.ReadTree(a, b, nodes, names) })
	})
}

func (o *taxonOptions) names() (map[string]taxonomy.TaxID, error) {
	return opened(o.taxids, func(r io.Reader) (map[string]taxonomy.TaxID, error) { return taxonomy.ReadTaxIDs(r, o.taxids) })
}

func (o *taxonOptions) fromTree(warn func(string)) (*taxonomy.Table, error) {
	if o.taxids == "" {
		return nil, usagef("--ncbi DIR needs --map FILE, which says which name has which taxid")
	}
	tree, err := o.tree()
	if err != nil {
		return nil, err
	}
	ids, err := o.names()
	if err != nil {
		return nil, err
	}
	t, missing, err := tree.Table(ids, o.ids)
	if err != nil {
		return nil, sketch.BadInput(o.taxids, err)
	}
	if len(missing) > 0 {
		warn(fmt.Sprintf("%s: %d names have a taxid that nodes.dmp does not know: %s", o.taxids, len(missing), some(missing)))
	}
	if t.Len() == 0 {
		return nil, sketch.BadInput(o.taxids, fmt.Errorf("no name in it has a taxid of %s", o.ncbi))
	}
	return t, nil
}

// opened reads a file, decompressed.
func opened[T any](path string, read func(io.Reader) (T, error)) (T, error) {
	s, err := stream.Open(path, stream.Options{Threads: 1, Warn: func(string) {}})
	if err != nil {
		var none T
		return none, err
	}
	defer s.Close()
	return read(s)
}

// missing tells of matches without a lineage.
func (o *taxonOptions) missing(queries []*taxonomy.Query, warn func(string)) error {
	idents, rows := taxonomy.Missing(queries, o.ids)
	if rows == 0 {
		return nil
	}
	text := fmt.Sprintf("%d matches have no lineage in the taxonomy: %s", rows, some(idents))
	if o.failMissing {
		return sketch.BadInput(strings.Join(append(o.tables, o.taxids), ""), fmt.Errorf("%s (--fail-on-missing-taxonomy)", text))
	}
	warn(text)
	return nil
}

// some lists the first names.
func some(names []string) string {
	shown := make([]string, 0, 11)
	for i, n := range names {
		if i == 10 {
			shown = append(shown, fmt.Sprintf("and %d more", len(names)-10))
			break
		}
		if n == "" {
			n = "(no name)"
		}
		shown = append(shown, n)
	}
	return strings.Join(shown, ", ")
}

// queries reads the CSVs of gather; a query belongs to one file.
func (o *taxonOptions) queries(inputs []input, t *taxonomy.Table, warn func(string)) ([]*taxonomy.Query, error) {
	var all []*taxonomy.Query
	from := map[string]string{}
	for _, in := range inputs {
		qs, err := opened(in.path, func(r io.Reader) ([]*taxonomy.Query, error) { return taxonomy.ReadGather(r, in.path, t) })
		if err != nil {
			return nil, in.wrap(err)
		}
		for _, q := range qs {
			if before, ok := from[q.Name]; ok {
				return nil, in.wrap(sketch.BadInput(in.path, fmt.Errorf("query %q is in %s, too", q.Name, before)))
			}
			from[q.Name] = in.path
		}
		all = append(all, qs...)
	}
	return all, o.missing(all, warn)
}
