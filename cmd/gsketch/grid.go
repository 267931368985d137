// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"math"
	"sort"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/sketch"
)

// A grid is the comparison of rows (queries) with columns (references); both
// are the same list if it is within one collection.
type grid struct {
	o      *distOptions
	class  sketch.Params
	rows   []sketch.Item
	cols   []sketch.Item
	within bool

	measure distance.Estimator
	similar bool // larger values of the measure are closer
}

// A cell is a pair of a row with a column.
type cell struct {
	col  int
	pair distance.Pair
	dist float64 // Mash distance, NaN if undefined
	est  distance.Estimate
}

// defaultMeasure is what a family is best at.
func defaultMeasure(family string) string {
	if family == sketch.FracMinHash {
		return "max-containment"
	}
	return "mash"
}

// confidence of the intervals of --ci.
const confidence = 0.95

// prepare chooses the measure and checks that it is defined for all pairs.
func (g *grid) prepare() error {
	name := g.o.measure
	if name == "" {
		name = defaultMeasure(g.class.Family)
	}
	conf := 0.0
	if g.o.ci {
		conf = confidence
	}
	var err error
	if g.measure, err = distance.ByName(name, conf); err != nil {
		return usagef("%v", err)
	}
	g.similar = g.measure.Name() != "distance"
	seen := map[sketch.Params]bool{}
	for _, side := range [][]sketch.Item{g.rows, g.cols} {
		for _, it := range side {
			p := it.Sketch.Params()
			if seen[p] {
				continue
			}
			seen[p] = true
			if err := g.measure.Accepts(g.rows[0].Sketch.Params(), p); err != nil {
				return err
			}
		}
	}
	return nil
}

// cell compares row i with column j.
func (g *grid) cell(i, j int, f gridFormat) cell {
	a, b := g.rows[i], g.cols[j]
	if f.reverse {
		a, b = b, a
	}
	c := cell{col: j, pair: distance.Compare(a, b)}
	if e, ok := g.measure.(distance.PairEstimator); ok {
		c.est = e.FromPair(c.pair)
	} else {
		c.est = g.measure.Estimate(a, b)
	}
	c.dist = c.pair.Mash()
	return c
}

// keep says whether a pair passes the limits. An undefined value passes none
// that is asked for.
func (g *grid) keep(c cell) bool {
	o := g.o
	if o.flags.Changed("max-distance") && !(c.dist <= o.maxDist) {
		return false
	}
	if o.flags.Changed("min-ani") && !(c.pair.ANI() >= o.minANI) {
		return false
	}
	if o.flags.Changed("max-p") {
		if p, _ := c.pair.PValue(); !(p <= o.maxP) {
			return false
		}
	}
	return true
}

// best keeps the n closest cells, the closest first; ties go to the earlier
// column and undefined values come last.
func (g *grid) best(cells []cell, n int) []cell {
	rank := func(c cell) float64 {
		switch v := c.est.Value; {
		case math.IsNaN(v):
			return math.Inf(1)
		case g.similar:
			return -v
		default:
			return v
		}
	}
	sort.SliceStable(cells, func(i, j int) bool { return rank(cells[i]) < rank(cells[j]) })
	return cells[:min(n, len(cells))]
}

// row computes the cells of row i that a format prints.
func (g *grid) row(dst []cell, i int, f gridFormat) []cell {
	n := len(g.cols)
	if g.within && !f.square && g.o.top == 0 {
		n = i
	}
	for j := range n {
		if g.within && !f.square && j == i {
			continue
		}
		if c := g.cell(i, j, f); f.every || g.keep(c) {
			dst = append(dst, c)
		}
	}
	if g.o.top > 0 {
		dst = g.best(dst, g.o.top)
	}
	return dst
}

// write prints the grid: rows are computed and formatted in parallel and
// written in order.
func (g *grid) write(ctx context.Context, w io.Writer, f gridFormat, threads int) error {
	if err := f.head(g, w); err != nil {
		return err
	}
	first := true
	err := inOrder(ctx, len(g.rows), threads, func() func(int) []byte {
		var cells []cell
		return func(i int) []byte {
			cells = g.row(cells[:0], i, f)
			return f.row(g, nil, i, cells)
		}
	}, func(b []byte) error {
		if f.comma && first && len(b) > 0 {
			b, first = b[1:], false
		}
		_, err := w.Write(b)
		return err
	})
	if err != nil || f.tail == "" {
		return err
	}
	_, err = io.WriteString(w, f.tail)
	return err
}
