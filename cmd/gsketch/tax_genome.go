// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/taxonomy"
)

type taxGenomeOptions struct {
	*common
	inputOptions
	taxonOptions
	output      string
	format      string
	rank        string
	lingroup    string
	containment float64
	ani         float64
}

func newTaxGenome(c *common) *cobra.Command {
	o := taxGenomeOptions{common: c}
	cmd := &cobra.Command{
		Use:   "genome [flags] --taxonomy LINEAGES GATHER.csv...",
		Short: "Call genomes after the lineage that explains most of them",
		Long: `Call each genome after the lineage that explains most of it, at the lowest rank at
which that is enough: --containment-threshold of its k-mers, or --ani-threshold. If
it is at none, the highest rank is given with the status below_threshold.

--format csv_summary, human, krona and lineage_csv are those of sourmash tax genome;
krona wants --rank. lineage_csv is a taxonomy for further runs.`,
		Example: `  gsketch tax genome --taxonomy lineages.csv gather.csv
  gsketch tax genome --taxonomy lineages.csv --rank family --format csv_summary -o classes.csv gather.csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return runTaxGenome(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
	f.StringVar(&o.format, "format", "tsv", "format of the output: tsv, csv_summary, human, krona, lineage_csv")
	f.StringVar(&o.rank, "rank", "", "look at this rank alone; with --lins a position from 0")
	f.StringVar(&o.lingroup, "lingroup", "", "with --lins: CSV of groups, with columns name and lin, which are the only classes")
	f.Float64Var(&o.containment, "containment-threshold", 0.1, "least share of a genome's k-mers that a lineage explains, 0..1")
	f.Float64Var(&o.ani, "ani-threshold", 0, "least identity instead, 0..1; 0 is not to look at it")
	o.taxonOptions.addFlags(f)
	o.inputOptions.addFlags(f)
	return cmd
}

func runTaxGenome(cmd *cobra.Command, args []string, o *taxGenomeOptions) error {
	warn := warner(cmd.ErrOrStderr())
	switch {
	case !(o.containment >= 0 && o.containment <= 1):
		return usagef("--containment-threshold %v: 0 to 1", o.containment)
	case !(o.ani >= 0 && o.ani <= 1):
		return usagef("--ani-threshold %v: 0 to 1", o.ani)
	case o.format == "krona" && o.rank == "":
		return usagef("--format krona wants --rank")
	case o.lingroup != "" && !o.lins:
		return usagef("--lingroup goes with --lins")
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
	how := taxonomy.ClassifyOptions{Rank: -1, Containment: o.containment, ANI: o.ani}
	if o.rank != "" {
		if how.Rank = table.Ranks.Index(o.rank); how.Rank < 0 || !table.Has(o.rank) {
			return usagef("--rank %s: the taxonomy has no such rank; it has %s", o.rank, strings.Join(table.Ranks, ", "))
		}
	}
	if how.Groups, err = readGroups(o.lingroup); err != nil {
		return err
	}
	queries, err := o.queries(inputs, table, warn)
	if err != nil {
		return err
	}
	var classes []*taxonomy.Class
	for _, q := range queries {
		c, err := taxonomy.Classify(q, table.Ranks, how)
		if err != nil {
			warn("left out: " + err.Error())
			continue
		}
		classes = append(classes, c)
	}
	if len(classes) == 0 {
		return badTax(fmt.Errorf("%s: none of %d genomes can be classified", inputs[0].path, len(queries)))
	}
	if err := o.write(out, classes, table.Ranks, how.Rank); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	if n := len(queries) - len(classes); n > 0 {
		return fmt.Errorf("%w: %d of %d genomes have no lineage (see the warnings)", errPartial, n, len(queries))
	}
	return nil
}

func (o *taxGenomeOptions) write(w io.Writer, classes []*taxonomy.Class, ranks taxonomy.Ranks, rank int) error {
	switch o.format {
	case "tsv":
		return classRows(w, classes, ranks)
	case "csv_summary":
		return taxonomy.WriteClasses(w, classes, ranks)
	case "human":
		return taxonomy.WriteClassesHuman(w, classes)
	case "krona":
		return taxonomy.WriteClassesKrona(w, classes, ranks, rank)
	case "lineage_csv":
		return taxonomy.WriteClassesLineages(w, classes, ranks)
	}
	return usagef("--format %s: one of tsv, csv_summary, human, krona, lineage_csv", o.format)
}

func classRows(w io.Writer, classes []*taxonomy.Class, ranks taxonomy.Ranks) error {
	if err := line(w, strings.Fields("query status rank fraction weighted bp ani lineage")); err != nil {
		return err
	}
	for _, c := range classes {
		if _, err := w.Write(appendShare([]byte(field(c.Name)+"\t"+string(c.Status)+"\t"+ranks[c.Rank]), c.Share)); err != nil {
			return err
		}
	}
	return nil
}

// badTax makes an error about what is in a table of gather one of bad input.
func badTax(err error) error { return sketch.BadInput("gather", err) }
