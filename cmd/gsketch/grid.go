// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"

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

	measure distance.Estimator // nil of signatures
	name    string             // of the measure
	similar bool               // larger values of the measure are closer
	mash    mashTable

	block    block  // of --block
	contents string // then: digest of all sketches
}

// defaultMeasure is what sketches are best at.
func defaultMeasure(p sketch.Params) string {
	switch {
	case p.Elements.Molecule == sketch.Text:
		return "jaccard"
	case p.Family == sketch.FracMinHash:
		return "max-containment"
	}
	return "mash"
}

// confidence of the intervals of --ci.
const confidence = 0.95

// prepare chooses the measure and checks that it is defined for all pairs.
func (g *grid) prepare() error {
	if g.ofSlots() {
		return g.prepareSlots()
	}
	name := g.o.measure
	if name == "" {
		name = defaultMeasure(g.class)
	}
	conf := 0.0
	if g.o.ci {
		conf = confidence
	}
	var err error
	if g.measure, err = distance.ByName(name, conf); err != nil {
		return usagef("%v", err)
	}
	g.name = g.measure.Name()
	g.similar = g.name != "distance"
	if g.class.Elements.Molecule == sketch.Text {
		if err := g.refuseGenomic(); err != nil {
			return err
		}
	}
	if g.o.flags.Changed("min-similarity") && !g.similar {
		return usagef("--min-similarity: %s is none; --measure takes another, --max-distance limits this one", g.name)
	}
	g.mash = newMashTable(g)
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

// items are all that are compared, each once.
func (g *grid) items() []sketch.Item {
	if g.within {
		return g.rows
	}
	return slices.Concat(g.rows, g.cols)
}

// pair is a row compared with a column.
func (g *grid) pair(i int, c distance.Count) distance.Pair {
	return distance.Counted(g.rows[i], g.cols[c.Col], c)
}

// value is the measure of a pair.
func (g *grid) value(i int, c distance.Count) float64 {
	if g.ofSlots() {
		return g.slotValue(i, int(c.Col))
	}
	if e, ok := g.measure.(distance.PairEstimator); ok {
		return e.FromPair(g.pair(i, c)).Value
	}
	return g.measure.Estimate(g.rows[i], g.cols[c.Col]).Value
}

// limited says whether pairs that share nothing are left out in any case.
func (g *grid) limited() bool {
	return g.o.minSim > 0 || g.o.flags.Changed("max-distance") && g.o.maxDist < 1 || g.o.flags.Changed("min-ani") && g.o.minANI > 0 || g.o.flags.Changed("max-p") && g.o.maxP < 1
}

// keep says whether a pair passes the limits. An undefined value passes none
// that is asked for.
func (g *grid) keep(i int, c distance.Count) bool {
	o := g.o
	if o.flags.Changed("min-similarity") && !(g.value(i, c) >= o.minSim) {
		return false
	}
	if o.flags.Changed("max-distance") && !(g.mash.distance(c) <= o.maxDist) {
		return false
	}
	if o.flags.Changed("min-ani") && !(g.pair(i, c).ANI() >= o.minANI) {
		return false
	}
	if o.flags.Changed("max-p") {
		if p, _ := g.pair(i, c).PValue(); !(p <= o.maxP) {
			return false
		}
	}
	return true
}

// best keeps the n closest pairs of a row, the closest first; ties go to the
// earlier column and undefined values come last.
func (g *grid) best(i int, counts []distance.Count, n int) []distance.Count {
	rank := make(map[uint32]float64, len(counts))
	for _, c := range counts {
		switch v := g.value(i, c); {
		case math.IsNaN(v):
			rank[c.Col] = math.Inf(1)
		case g.similar:
			rank[c.Col] = -v
		default:
			rank[c.Col] = v
		}
	}
	slices.SortStableFunc(counts, func(a, b distance.Count) int { return cmp.Compare(rank[a.Col], rank[b.Col]) })
	return counts[:min(n, len(counts))]
}

// choose leaves of a row what a format prints.
func (g *grid) choose(f gridFormat, i int, counts []distance.Count) []distance.Count {
	if g.within && !f.square && g.o.top > 0 { // all columns but itself
		counts = slices.DeleteFunc(counts, func(c distance.Count) bool { return int(c.Col) == i })
	}
	if !f.every && g.o.anyLimit() {
		counts = slices.DeleteFunc(counts, func(c distance.Count) bool { return !g.keep(i, c) })
	}
	if g.o.top > 0 {
		counts = g.best(i, counts, g.o.top)
	}
	return counts
}

func (o *distOptions) anyLimit() bool {
	return o.flags.Changed("min-similarity") || o.flags.Changed("max-distance") || o.flags.Changed("min-ani") || o.flags.Changed("max-p")
}

// write prints the grid: rows are counted and formatted in parallel and written
// in order.
func (g *grid) write(ctx context.Context, w io.Writer, f gridFormat, threads int) error {
	if err := f.head(g, w); err != nil {
		return err
	}
	o := distance.Options{Threads: threads, Sparse: !f.every && g.limited()}
	first := true
	do := func(i int, counts []distance.Count, buf []byte) ([]byte, error) {
		return f.row(g, buf[:0], i, g.choose(f, i, counts)), nil
	}
	emit := func(b []byte) error {
		if f.comma && first && len(b) > 0 {
			b, first = b[1:], false
		}
		_, err := w.Write(b)
		return err
	}
	if err := count(ctx, g, g.within && !f.square && g.o.top == 0, o, do, emit); err != nil || f.tail == "" {
		return err
	}
	_, err := io.WriteString(w, f.tail)
	return err
}

// count compares the rows with all columns, or in a triangle with those before
// them.
func count[T any](ctx context.Context, g *grid, triangle bool, o distance.Options, do func(int, []distance.Count, T) (T, error), emit func(T) error) error {
	switch {
	case g.ofSlots():
		return distance.Rows(ctx, len(g.rows), o.Threads, func(i int, reuse T) (T, error) { return do(i, g.places(i, triangle), reuse) }, emit)
	case triangle:
		return distance.Triangle(ctx, hashSets(g.rows), o, do, emit)
	}
	return distance.Rectangle(ctx, hashSets(g.rows), hashSets(g.cols), o, do, emit)
}

func hashSets(items []sketch.Item) []sketch.HashSet {
	sets := make([]sketch.HashSet, len(items))
	for i, it := range items {
		sets[i] = it.Sketch.(sketch.HashSet) // the estimator accepts nothing else
	}
	return sets
}
