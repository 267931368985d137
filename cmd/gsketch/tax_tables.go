// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/taxonomy"
)

// tableOptions are those of commands that read tables and write one.
type tableOptions struct {
	*common
	inputOptions
	taxonOptions
	output   string
	versions bool // identifiers keep their versions
}

// command adds the flags, and runs work with the output opened and the taxonomy
// read.
func (o *tableOptions) command(cmd *cobra.Command, work func(w io.Writer, t *taxonomy.Table, args []string, warn func(string)) error) *cobra.Command {
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
	o.taxonOptions.addFlags(f)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		warn := warner(cmd.ErrOrStderr())
		out, err := create(o.output, cmd.OutOrStdout(), o.force)
		if err != nil {
			return err
		}
		defer out.discard()
		o.ids.Versions = o.ids.Versions || o.versions
		t, err := o.table(warn)
		if err != nil {
			return err
		}
		if err := work(out, t, args, warn); err != nil {
			return err
		}
		return out.commit()
	}
	return cmd
}

func newTaxAnnotate(c *common) *cobra.Command {
	o := tableOptions{common: c}
	dir := ""
	cmd := &cobra.Command{
		Use:   "annotate [flags] --taxonomy LINEAGES TABLE.csv...",
		Short: "Add a column with the lineage to CSVs",
		Long: `Add a column with the lineage to a CSV of gather, prefetch or search, or any that
has a column name, match_name, ident or accession, as sourmash tax annotate does. Of
several CSVs, --output-dir DIR takes each as NAME.with-lineages.csv.`,
		Example: `  gsketch tax annotate --taxonomy lineages.csv gather.csv
  gsketch tax annotate --taxonomy lineages.csv --output-dir annotated gather.csv`,
	}
	cmd.Flags().StringVar(&dir, "output-dir", "", "write NAME.with-lineages.csv for each NAME.csv into this new directory")
	o.inputOptions.addFlags(cmd.Flags())
	return o.command(cmd, func(w io.Writer, t *taxonomy.Table, args []string, warn func(string)) error {
		inputs, err := o.expand(args, warn)
		if err != nil {
			return err
		}
		if dir == "" {
			if len(inputs) != 1 {
				return usagef("%d CSVs go to --output-dir DIR", len(inputs))
			}
			return o.annotate(inputs[0], t, w, warn)
		}
		tree, err := createTree(dir, o.force)
		if err != nil {
			return err
		}
		defer tree.discard()
		for _, in := range inputs {
			base, _, _ := strings.Cut(filepath.Base(in.path), ".csv")
			if err := tree.write(base+".with-lineages.csv", func(w io.Writer) error { return o.annotate(in, t, w, warn) }); err != nil {
				return err
			}
		}
		return tree.commit()
	})
}

func (o *tableOptions) annotate(in input, t *taxonomy.Table, w io.Writer, warn func(string)) error {
	var missing []string
	rows, err := opened(in.path, func(r io.Reader) (n int, err error) {
		n, missing, err = taxonomy.Annotate(r, in.path, t, w)
		return n, err
	})
	if err != nil || len(missing) == 0 {
		return in.wrap(err)
	}
	text := fmt.Sprintf("no lineage in the taxonomy for %d identifiers of %d rows: %s", len(missing), rows, some(missing))
	if o.failMissing {
		return in.wrap(sketch.BadInput(in.path, fmt.Errorf("%s (--fail-on-missing-taxonomy)", text)))
	}
	warn(in.path + ": " + text)
	return nil
}

func newTaxPrepare(c *common) *cobra.Command {
	o := tableOptions{common: c, taxonOptions: taxonOptions{withoutCheck: true}}
	return o.command(&cobra.Command{
		Use:   "prepare [flags] --taxonomy LINEAGES",
		Short: "Put tables of lineages into one",
		Long: `Put tables of lineages into one, a CSV with columns identifiers, superkingdom, ...,
strain; or make one of a dump of the NCBI. Of several tables the last one that knows
an identifier tells its lineage.`,
		Example: `  gsketch tax prepare --taxonomy lineages.csv
  gsketch tax prepare --taxonomy lineages.csv --taxonomy lineages.csv -o all.csv`,
		Args: cobra.NoArgs,
	}, func(w io.Writer, t *taxonomy.Table, _ []string, _ func(string)) error {
		return taxonomy.WriteTable(w, t)
	})
}

func newTaxSummarize(c *common) *cobra.Command {
	o := tableOptions{common: c, taxonOptions: taxonOptions{withoutCheck: true}}
	format := ""
	cmd := &cobra.Command{
		Use:   "summarize [flags] --taxonomy LINEAGES",
		Short: "Count the names and lineages of a taxonomy",
		Long: `Count the different names at each rank of a taxonomy; with --format csv, how many
identifiers each lineage has, as sourmash tax summarize -o does.`,
		Example: `  gsketch tax summarize --taxonomy lineages.csv
  gsketch tax summarize --taxonomy lineages.csv --format csv`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().StringVar(&format, "format", "tsv", "tsv: names by rank; csv: identifiers by lineage")
	return o.command(cmd, func(w io.Writer, t *taxonomy.Table, _ []string, _ func(string)) error {
		switch format {
		case "csv":
			return taxonomy.WriteLineageCounts(w, t)
		case "tsv":
		default:
			return usagef("--format %s: tsv or csv", format)
		}
		if err := line(w, []string{"rank", "names"}); err != nil {
			return err
		}
		if err := line(w, []string{"identifiers", strconv.Itoa(t.Len())}); err != nil {
			return err
		}
		for _, n := range t.Names() {
			if err := line(w, []string{n.Rank, strconv.Itoa(n.Names)}); err != nil {
				return err
			}
		}
		return nil
	})
}

func newTaxGrep(c *common) *cobra.Command {
	o := tableOptions{common: c, versions: true, taxonOptions: taxonOptions{withoutCheck: true}}
	var rank string
	var invert, ignoreCase, count bool
	cmd := &cobra.Command{
		Use:   "grep [flags] --taxonomy LINEAGES PATTERN",
		Short: "Find lineages by a pattern: a table of lineages, a picklist",
		Long: `Find the identifiers of which a name in the lineage matches a regular expression (RE2
syntax). What is written is a table of lineages, and a picklist for other commands:
--picklist FILE:ident:ident. Identifiers keep their versions.`,
		Example: `  gsketch tax grep --taxonomy lineages.csv -i iflaviridae
  gsketch tax grep --taxonomy lineages.csv --count --rank genus Lambdavirus`,
		Args: cobra.ExactArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&rank, "rank", "", "look at this rank alone")
	f.BoolVarP(&invert, "invert-match", "v", false, "find lineages that do not match")
	f.BoolVarP(&ignoreCase, "ignore-case", "i", false, "upper and lower case are the same")
	f.BoolVarP(&count, "count", "c", false, "write the number alone")
	return o.command(cmd, func(w io.Writer, t *taxonomy.Table, args []string, _ func(string)) error {
		pattern := args[0]
		if ignoreCase {
			pattern = "(?i)" + pattern
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			return usagef("%v", err)
		}
		at := t.Ranks.Index(rank)
		if rank != "" && at < 0 {
			return usagef("--rank %s: one of %s", rank, strings.Join(t.Ranks, ", "))
		}
		found := t.Grep(re, at, invert)
		if count {
			_, err := fmt.Fprintln(w, len(found))
			return err
		}
		return taxonomy.WriteGrep(w, t, found)
	})
}
