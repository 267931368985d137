// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/internal/python"
)

// A rowWriter writes lines as Python's csv module and keeps the first error.
type rowWriter struct {
	w         io.Writer
	delimiter byte
	err       error
}

func (o *rowWriter) row(cells ...string) {
	if o.err == nil {
		_, o.err = o.w.Write(python.AppendRow(nil, o.delimiter, cells))
	}
}

// cell is a float as sourmash writes it: nothing for what is not defined.
func cell(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return python.Float(v)
}

func count(n uint64) string { return strconv.FormatUint(n, 10) }

// WriteOptions say what of a summary is written.
type WriteOptions struct {
	Rank     string  // Krona, LineageSummary, Human: the rank
	Weighted bool    // count copies
	Groups   *Groups // Summary: of LIN, these alone
}

// rank is the place of o.Rank, at which all summaries must tell something.
func (o WriteOptions) rank(all []*Summary) (int, error) {
	for _, s := range all {
		i := s.Ranks.Index(o.Rank)
		if i < 0 {
			return 0, fmt.Errorf("no rank %q; one of %s", o.Rank, strings.Join(s.Ranks, ", "))
		}
		if s.ByRank[i] == nil {
			return 0, fmt.Errorf("%s: no match has a %s", s.Name, o.Rank)
		}
	}
	return all[0].Ranks.Index(o.Rank), nil
}

func (s Share) by(weighted bool) float64 {
	if weighted {
		return s.Weighted
	}
	return s.Fraction
}

// WriteSummary writes the csv_summary of sourmash tax metagenome: all ranks.
func WriteSummary(w io.Writer, all []*Summary, o WriteOptions) error {
	out := rowWriter{w: w, delimiter: ','}
	header := strings.Split("query_name,rank,fraction,lineage,query_md5,query_filename,f_weighted_at_rank,bp_match_at_rank,query_ani_at_rank,total_weighted_hashes", ",")
	if o.Groups != nil {
		header = append(header, "lingroup")
	}
	out.row(header...)
	for _, s := range all {
		for rank, shares := range s.ByRank {
			if o.Groups != nil && !o.Groups.ranks[rank] {
				continue
			}
			if o.Weighted {
				shares = byWeight(shares)
			}
			shares = slices.Clone(shares)
			slices.SortStableFunc(shares, func(a, b Share) int { // what nobody explains goes last
				return cmp.Compare(min(1, len(b.Lineage)), min(1, len(a.Lineage)))
			})
			for _, x := range shares {
				row := []string{s.Name, s.Ranks[rank], python.Float(x.Fraction), x.Lineage.String(), s.MD5, s.Source,
					python.Float(x.Weighted), count(x.Bases), cell(x.ANI), count(s.TotalWeight)}
				if o.Groups != nil {
					group := o.Groups.names[x.Lineage.Names(";")]
					if group == "" && len(x.Lineage) > 0 {
						continue
					}
					row = append(row, group)
				}
				out.row(row...)
			}
		}
	}
	return out.err
}

// WriteLineageSummary writes a line for each lineage at o.Rank and a column for
// each query.
func WriteLineageSummary(w io.Writer, all []*Summary, o WriteOptions) error {
	rank, err := o.rank(all)
	if err != nil {
		return err
	}
	header := []string{"lineage"}
	table := map[string][]string{}
	for i, s := range all {
		header = append(header, s.Name)
		sums := map[string]float64{}
		for _, x := range s.ByRank[rank] {
			sums[x.Lineage.String()] += x.by(o.Weighted)
		}
		for lineage, sum := range sums {
			if table[lineage] == nil {
				table[lineage] = append([]string{lineage}, slices.Repeat([]string{"0"}, len(all))...)
			}
			table[lineage][i+1] = python.Float(sum)
		}
	}
	out := rowWriter{w: w, delimiter: '\t'}
	out.row(header...)
	nobody := Lineage(nil).String()
	for _, lineage := range sortedKeys(table) {
		if lineage != nobody {
			out.row(table[lineage]...)
		}
	}
	if row := table[nobody]; row != nil {
		out.row(row...)
	}
	return out.err
}

// WriteKrona writes the input of Krona (Ondov et al. 2011,
// doi:10.1186/1471-2105-12-385) at o.Rank: the mean over the queries.
func WriteKrona(w io.Writer, all []*Summary, o WriteOptions) error {
	rank, err := o.rank(all)
	if err != nil {
		return err
	}
	type item struct {
		lineage string
		sum     float64
	}
	var items []item
	place := map[string]int{}
	for _, s := range all {
		for _, x := range s.ByRank[rank] {
			lineage := x.Lineage.String()
			i, ok := place[lineage]
			if !ok {
				i = len(items)
				place[lineage] = i
				items = append(items, item{lineage: lineage})
			}
			items[i].sum += x.by(o.Weighted)
		}
	}
	var left float64
	for i := range items {
		items[i].sum /= float64(len(all))
		if items[i].lineage == Lineage(nil).String() {
			left = items[i].sum
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(b.sum, a.sum) })
	out := rowWriter{w: w, delimiter: '\t'}
	out.row(append([]string{"fraction"}, all[0].Ranks[:rank+1]...)...)
	nobody := Lineage(nil).String()
	for _, it := range items {
		if it.lineage != nobody {
			out.row(append([]string{python.Float(it.sum)}, strings.Split(it.lineage, ";")...)...)
		}
	}
	if left > 0 {
		out.row(append([]string{python.Float(left)}, slices.Repeat([]string{nobody}, rank+1)...)...)
	}
	return out.err
}
