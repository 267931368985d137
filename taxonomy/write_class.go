// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"fmt"
	"io"
	"strings"

	"github.com/gsketch/gsketch/internal/python"
)

// WriteClasses writes the csv_summary of sourmash tax genome.
func WriteClasses(w io.Writer, all []*Class, ranks Ranks) error {
	out := rowWriter{w: w, delimiter: ','}
	out.row(strings.Split("query_name,status,rank,fraction,lineage,query_md5,query_filename,f_weighted_at_rank,bp_match_at_rank,query_ani_at_rank", ",")...)
	for _, c := range all {
		out.row(c.Name, string(c.Status), ranks[c.Rank], python.Float(c.Fraction), c.Lineage.String(), c.MD5, c.Source,
			python.Float(c.Weighted), count(c.Share.Bases), cell(c.ANI))
	}
	return out.err
}

// WriteClassesHuman writes a table to read.
func WriteClassesHuman(w io.Writer, all []*Class) error {
	for _, c := range all {
		if _, err := fmt.Fprintf(w, "sample name    status    proportion   cANI   lineage\n-----------    ------    ----------   ----   -------\n%-15s   %s    %s     %s  %s\n",
			c.Name, c.Status, percent(c.Weighted), identityText(c.Share), c.Lineage); err != nil {
			return err
		}
	}
	return nil
}

// WriteClassesKrona writes the input of Krona of classes at one rank.
func WriteClassesKrona(w io.Writer, all []*Class, ranks Ranks, rank int) error {
	out := rowWriter{w: w, delimiter: '\t'}
	out.row(append([]string{"fraction"}, ranks[:rank+1]...)...)
	for _, c := range all {
		out.row(append([]string{python.Float(c.Fraction)}, strings.Split(c.Lineage.Names(";"), ";")...)...)
	}
	return out.err
}

// WriteClassesLineages writes the lineages of classes as a table that
// ReadLineages reads; strains are left out.
func WriteClassesLineages(w io.Writer, all []*Class, ranks Ranks) error {
	out := rowWriter{w: w, delimiter: ','}
	header := []string{"ident"}
	for _, rank := range ranks {
		if rank != "strain" {
			header = append(header, rank)
		}
	}
	out.row(header...)
	for _, c := range all {
		row := make([]string, len(header))
		row[0] = c.Name
		for i, t := range c.Lineage {
			if i+1 < len(row) {
				row[i+1] = t.Name
			}
		}
		out.row(row...)
	}
	return out.err
}
