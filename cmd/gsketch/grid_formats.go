// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/sketch"
)

// A gridFormat is one way to print a grid.
type gridFormat struct {
	dense   bool // a cell for every pair: limits make no sense
	every   bool // limits are the format's own business
	square  bool // all columns of each row, the diagonal included
	within  bool // only for comparisons within one list
	reverse bool // a cell is of its column in its row, not of its row in its column
	comma   bool // a comma stands before each record but the first
	tail    string
	head    func(g *grid, w io.Writer) error
	row     func(g *grid, dst []byte, i int, cells []cell) []byte
	after   func(g *grid, o *distOptions, stderr io.Writer) error
}

var gridFormats = map[string]gridFormat{
	"tsv":           {head: tsvHead, row: tsvRow},
	"json":          {head: text("["), row: jsonRow, comma: true, tail: "\n]\n"},
	"edges":         {head: edgesHead, row: edgesRow},
	"matrix":        {dense: true, square: true, head: matrixHead, row: matrixRow},
	"phylip":        {dense: true, square: true, within: true, head: phylipHead, row: phylipRow},
	"npy":           {dense: true, square: true, head: npyHead, row: npyRow, after: npyLabels},
	"mash":          {square: true, head: text(""), row: mashRow},
	"mash-table":    {every: true, square: true, head: mashTableHead, row: mashTableRow},
	"mash-triangle": {dense: true, within: true, head: mashTriangleHead, row: mashTriangleRow},
	"mash-edges":    {within: true, head: text(""), row: mashEdgesRow},
	"sourmash":      {dense: true, square: true, within: true, reverse: true, head: sourmashHead, row: sourmashRow},
	"sourmash-npy":  {dense: true, square: true, within: true, reverse: true, head: npyHead, row: sourmashNpyRow, after: npyLabels},
}

func formatNames() []string {
	return []string{"tsv", "json", "edges", "matrix", "phylip", "npy", "mash", "mash-table", "mash-triangle", "mash-edges", "sourmash", "sourmash-npy"}
}

func text(s string) func(*grid, io.Writer) error {
	return func(_ *grid, w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func line(w io.Writer, cells []string) error {
	_, err := io.WriteString(w, strings.Join(cells, "\t")+"\n")
	return err
}

func labels(g *grid, items []sketch.Item) []string {
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = field(g.o.labelOf(it.Meta))
	}
	return names
}

// A column of the native table.
type column struct {
	name  string
	value func(c cell) float64
}

func pairColumn(name string, f func(distance.Pair) float64) column {
	return column{name, func(c cell) float64 { return f(c.pair) }}
}

// columns are those of the native table between the names and the counts.
func (g *grid) columns() []column {
	cols := []column{pairColumn("jaccard", distance.Pair.Jaccard)}
	if g.class.Family == sketch.FracMinHash {
		cols = append(cols, pairColumn("containment", distance.Pair.Containment),
			pairColumn("max_containment", distance.Pair.MaxContainment), pairColumn("avg_containment", distance.Pair.AvgContainment),
			pairColumn("ani", distance.Pair.ANI))
		if g.o.ci {
			cols = append(cols,
				pairColumn("ani_low", func(p distance.Pair) float64 { low, _ := p.MaxANIInterval(confidence); return low }),
				pairColumn("ani_high", func(p distance.Pair) float64 { _, high := p.MaxANIInterval(confidence); return high }))
		}
	} else {
		cols = append(cols, column{"distance", func(c cell) float64 { return c.dist }},
			pairColumn("ani", distance.Pair.ANI),
			pairColumn("p_value", func(p distance.Pair) float64 { v, _ := p.PValue(); return v }),
			pairColumn("log10_p", func(p distance.Pair) float64 { _, v := p.PValue(); return v }))
	}
	name := g.measure.Name()
	if !slices.ContainsFunc(cols, func(c column) bool { return c.name == name }) {
		cols = append(cols, column{name, func(c cell) float64 { return c.est.Value }})
	}
	return cols
}

func tsvHead(g *grid, w io.Writer) error {
	names := []string{"query", "reference"}
	for _, c := range g.columns() {
		names = append(names, c.name)
	}
	return line(w, append(names, "shared", "of"))
}

func tsvRow(g *grid, dst []byte, i int, cells []cell) []byte {
	cols := g.columns()
	name := field(g.o.labelOf(g.rows[i].Meta))
	for _, c := range cells {
		dst = append(append(dst, name...), '\t')
		dst = append(dst, field(g.o.labelOf(g.cols[c.col].Meta))...)
		for _, col := range cols {
			dst = appendValue(append(dst, '\t'), col.value(c))
		}
		dst = strconv.AppendUint(append(dst, '\t'), c.pair.Shared, 10)
		dst = strconv.AppendUint(append(dst, '\t'), c.pair.Of, 10)
		dst = append(dst, '\n')
	}
	return dst
}

// jsonRow prints an object a line.
func jsonRow(g *grid, dst []byte, i int, cells []cell) []byte {
	cols := g.columns()
	str := func(s string) []byte {
		b, _ := json.Marshal(s) // of a string it cannot fail
		return b
	}
	for _, c := range cells {
		dst = append(append(dst, ",\n{\"query\":"...), str(g.o.labelOf(g.rows[i].Meta))...)
		dst = append(append(dst, ",\"reference\":"...), str(g.o.labelOf(g.cols[c.col].Meta))...)
		for _, col := range cols {
			dst = append(dst, fmt.Sprintf(",%q:", col.name)...)
			if v := col.value(c); math.IsNaN(v) {
				dst = append(dst, "null"...)
			} else {
				dst = appendValue(dst, v)
			}
		}
		dst = append(dst, fmt.Sprintf(",\"shared\":%d,\"of\":%d}", c.pair.Shared, c.pair.Of)...)
	}
	return dst
}

func edgesHead(g *grid, w io.Writer) error {
	return line(w, []string{"query", "reference", g.measure.Name()})
}

func edgesRow(g *grid, dst []byte, i int, cells []cell) []byte {
	name := field(g.o.labelOf(g.rows[i].Meta))
	for _, c := range cells {
		dst = append(append(dst, name...), '\t')
		dst = append(append(dst, field(g.o.labelOf(g.cols[c.col].Meta))...), '\t')
		dst = append(appendValue(dst, g.value(c)), '\n')
	}
	return dst
}

// value is what a matrix holds: the measure, or 1 minus it.
func (g *grid) value(c cell) float64 {
	if g.o.oneMinus {
		return 1 - c.est.Value
	}
	return c.est.Value
}

func matrixHead(g *grid, w io.Writer) error {
	return line(w, append([]string{g.measure.Name()}, labels(g, g.cols)...))
}

func matrixRow(g *grid, dst []byte, i int, cells []cell) []byte {
	dst = append(dst, field(g.o.labelOf(g.rows[i].Meta))...)
	for _, c := range cells {
		dst = appendValue(append(dst, '\t'), g.value(c))
	}
	return append(dst, '\n')
}

func phylipHead(g *grid, w io.Writer) error {
	_, err := fmt.Fprintln(w, len(g.rows))
	return err
}

// phylipRow is a row of a relaxed PHYLIP matrix: names of any length, in which
// white space would end the name and becomes an underscore.
func phylipRow(g *grid, dst []byte, i int, cells []cell) []byte {
	dst = append(dst, strings.Join(strings.Fields(g.o.labelOf(g.rows[i].Meta)), "_")...)
	for _, c := range cells {
		dst = appendValue(append(dst, ' '), g.value(c))
	}
	return append(dst, '\n')
}
