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
	alike   bool // sketches are first brought to the largest scaled of all, not pair by pair
	noShort bool // records shorter than k have no sketch
	comma   bool // a comma stands before each record but the first
	tail    string
	head    func(g *grid, w io.Writer) error
	row     func(g *grid, dst []byte, i int, counts []distance.Count) []byte
	after   func(g *grid, o *distOptions, stderr io.Writer) error
}

var gridFormats = map[string]gridFormat{
	"tsv":           {head: tsvHead, row: tsvRow},
	"json":          {head: text("["), row: jsonRow, comma: true, tail: "\n]\n"},
	"edges":         {head: edgesHead, row: edgesRow},
	"matrix":        {dense: true, square: true, head: matrixHead, row: matrixRow},
	"phylip":        {dense: true, square: true, within: true, head: phylipHead, row: phylipRow},
	"npy":           {dense: true, square: true, head: npyHead, row: npyRow, after: npyLabels},
	"mash":          {noShort: true, square: true, head: text(""), row: mashRow},
	"mash-table":    {noShort: true, every: true, square: true, head: mashTableHead, row: mashTableRow},
	"mash-triangle": {noShort: true, dense: true, within: true, head: mashTriangleHead, row: mashTriangleRow},
	"mash-edges":    {noShort: true, within: true, head: text(""), row: mashEdgesRow},
	"sourmash":      {alike: true, dense: true, square: true, within: true, head: sourmashHead, row: sourmashRow},
	"sourmash-npy":  {alike: true, dense: true, square: true, within: true, head: npyHead, row: sourmashNpyRow, after: npyLabels},
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
	value func(p distance.Pair) float64
}

// columns are those of the native table between the names and the counts. The
// one of the measure has no function if it does not follow from a pair.
func (g *grid) columns() []column {
	if g.ofSlots() {
		return g.slotColumns()
	}
	cols := []column{{"jaccard", distance.Pair.Jaccard}}
	ofText, bottomk := g.class.Elements.Molecule == sketch.Text, g.class.Family == sketch.BottomK
	if ofText && g.o.ci {
		cols = append(cols,
			column{"jaccard_low", func(p distance.Pair) float64 { low, _ := p.JaccardInterval(confidence); return low }},
			column{"jaccard_high", func(p distance.Pair) float64 { _, high := p.JaccardInterval(confidence); return high }})
	}
	if !bottomk {
		cols = append(cols, column{"containment", distance.Pair.Containment}, column{"max_containment", distance.Pair.MaxContainment},
			column{"avg_containment", distance.Pair.AvgContainment})
	}
	if !ofText {
		cols = append(cols, g.sequenceColumns(bottomk)...)
	}
	if !slices.ContainsFunc(cols, func(c column) bool { return c.name == g.name }) {
		c := column{name: g.name}
		if e, ok := g.measure.(distance.PairEstimator); ok {
			c.value = func(p distance.Pair) float64 { return e.FromPair(p).Value }
		}
		cols = append(cols, c)
	}
	return cols
}

// sequenceColumns are those that need k-mers.
func (g *grid) sequenceColumns(bottomk bool) []column {
	var cols []column
	if bottomk {
		cols = append(cols, column{"distance", distance.Pair.Mash})
	}
	cols = append(cols, column{"ani", distance.Pair.ANI})
	if g.o.ci {
		cols = append(cols,
			column{"ani_low", func(p distance.Pair) float64 { low, _ := p.ANIRange(confidence); return low }},
			column{"ani_high", func(p distance.Pair) float64 { _, high := p.ANIRange(confidence); return high }})
	}
	if bottomk {
		cols = append(cols,
			column{"p_value", func(p distance.Pair) float64 { v, _ := p.PValue(); return v }},
			column{"log10_p", func(p distance.Pair) float64 { _, v := p.PValue(); return v }})
	}
	return cols
}

// values calls yield for the columns of a pair.
func (g *grid) values(cols []column, i int, c distance.Count, yield func(name string, v float64)) {
	if g.ofSlots() {
		g.slotValues(cols, i, int(c.Col), yield)
		return
	}
	p := g.pair(i, c)
	for _, col := range cols {
		if col.value != nil {
			yield(col.name, col.value(p))
		} else {
			yield(col.name, g.value(i, c))
		}
	}
}

func tsvHead(g *grid, w io.Writer) error {
	names := []string{"query", "reference"}
	for _, c := range g.columns() {
		names = append(names, c.name)
	}
	if !g.ofSlots() {
		names = append(names, "shared", "of")
	}
	return line(w, names)
}

func tsvRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	cols := g.columns()
	name := field(g.o.labelOf(g.rows[i].Meta))
	for _, c := range counts {
		dst = append(append(dst, name...), '\t')
		dst = append(dst, field(g.o.labelOf(g.cols[c.Col].Meta))...)
		g.values(cols, i, c, func(_ string, v float64) { dst = appendValue(append(dst, '\t'), v) })
		if !g.ofSlots() {
			dst = strconv.AppendUint(append(dst, '\t'), uint64(c.Shared), 10)
			dst = strconv.AppendUint(append(dst, '\t'), uint64(c.Of), 10)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// jsonRow prints an object a line.
func jsonRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	cols := g.columns()
	str := func(s string) []byte {
		b, _ := json.Marshal(s) // of a string it cannot fail
		return b
	}
	for _, c := range counts {
		dst = append(append(dst, ",\n{\"query\":"...), str(g.o.labelOf(g.rows[i].Meta))...)
		dst = append(append(dst, ",\"reference\":"...), str(g.o.labelOf(g.cols[c.Col].Meta))...)
		g.values(cols, i, c, func(name string, v float64) {
			dst = fmt.Appendf(dst, ",%q:", name)
			if math.IsNaN(v) {
				dst = append(dst, "null"...)
			} else {
				dst = appendValue(dst, v)
			}
		})
		if !g.ofSlots() {
			dst = fmt.Appendf(dst, ",\"shared\":%d,\"of\":%d", c.Shared, c.Of)
		}
		dst = append(dst, '}')
	}
	return dst
}

func edgesHead(g *grid, w io.Writer) error {
	return line(w, []string{"query", "reference", g.name})
}

func edgesRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	name := field(g.o.labelOf(g.rows[i].Meta))
	for _, c := range counts {
		dst = append(append(dst, name...), '\t')
		dst = append(append(dst, field(g.o.labelOf(g.cols[c.Col].Meta))...), '\t')
		dst = append(appendValue(dst, g.cell(i, c)), '\n')
	}
	return dst
}

// cell is what a matrix holds: the measure, or 1 minus it.
func (g *grid) cell(i int, c distance.Count) float64 {
	v := g.value(i, c)
	if g.o.oneMinus {
		return 1 - v
	}
	return v
}

func matrixHead(g *grid, w io.Writer) error {
	return line(w, append([]string{g.name}, labels(g, g.cols)...))
}

func matrixRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	dst = append(dst, field(g.o.labelOf(g.rows[i].Meta))...)
	for _, c := range counts {
		dst = appendValue(append(dst, '\t'), g.cell(i, c))
	}
	return append(dst, '\n')
}

func phylipHead(g *grid, w io.Writer) error {
	_, err := fmt.Fprintln(w, len(g.rows))
	return err
}

// phylipRow is a row of a relaxed PHYLIP matrix: names of any length, in which
// white space would end the name and becomes an underscore.
func phylipRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	dst = append(dst, strings.Join(strings.Fields(g.o.labelOf(g.rows[i].Meta)), "_")...)
	for _, c := range counts {
		dst = appendValue(append(dst, ' '), g.cell(i, c))
	}
	return append(dst, '\n')
}
