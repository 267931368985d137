// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math"
	"path"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/mds"

	"github.com/gsketch/gsketch/cluster"
	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/report"
)

// maxDrawn bounds what is drawn item by item: beyond, neither a heat map nor a
// tree can be read.
const maxDrawn = 3000

// drawn is the matrix of distances of sketches few enough to be drawn.
func (g *grid) drawn(ctx context.Context) (*cluster.Matrix, error) {
	if n := len(g.rows); n > maxDrawn {
		return nil, usagef("%d sketches: at most %d can be drawn; --kind histogram and clusters have no limit", n, maxDrawn)
	}
	return g.matrix(ctx)
}

// names labels the sketches of a figure: as in tables, without the directories
// that all have.
func (g *grid) names() []string {
	names := labels(g, g.rows)
	common := path.Dir(names[0]) + "/"
	for _, n := range names {
		for !strings.HasPrefix(n, common) {
			if common = path.Dir(strings.TrimSuffix(common, "/")) + "/"; common == "./" || common == "//" {
				return names
			}
		}
	}
	for i, n := range names {
		names[i] = strings.TrimPrefix(n, common)
	}
	return names
}

// distanceName is what 1 - measure is called.
func (g *grid) distanceName() string {
	if g.similar {
		return "1 - " + g.measure.Name()
	}
	return "Mash distance"
}

func drawHeat(ctx context.Context, o *plotOptions, g *grid) (report.Section, error) {
	m, err := g.drawn(ctx)
	if err != nil {
		return report.Section{}, err
	}
	h, err := g.heat(m)
	h.Heading = o.heading(fmt.Sprintf("%s of %d sketches", h.Name, m.Len()))
	return report.Section{Heat: &h}, err
}

// heat is the heat map of a matrix: near is dark.
func (g *grid) heat(m *cluster.Matrix) (report.Heat, error) {
	merges, err := cluster.Linkage(m, cluster.Average)
	h := report.Heat{Name: g.distanceName(), Labels: g.names(), Value: m.At, High: 1}
	// Sketches that share nothing are at 1, far from all others: the colours
	// are for those.
	high := 0.0
	for i := range m.Len() {
		for _, d := range m.Row(i) {
			if d < 1 {
				high = max(high, d)
			} else {
				h.Beyond = "1: nothing shared"
			}
		}
	}
	if high > 0 {
		h.High = math.Ceil(high*100) / 100
	}
	for _, x := range merges {
		h.Joins = append(h.Joins, report.Join{A: x.A, B: x.B, Height: x.Height})
	}
	return h, err
}

// page is that of dist --html: a heat map if there is one list that is small
// enough to be drawn.
func (g *grid) page(ctx context.Context) (report.Page, error) {
	p := report.Page{Title: fmt.Sprintf("%d sketches compared", len(g.rows)), Lead: []string{"Parameters: " + g.class.String()}}
	if !g.within {
		p.Title = fmt.Sprintf("%d sketches compared with %d", len(g.rows), len(g.cols))
		return p, nil
	}
	if len(g.rows) > maxDrawn || len(g.rows) < 2 {
		return p, nil
	}
	m, err := g.matrix(ctx)
	if err != nil {
		return p, err
	}
	h, err := g.heat(m)
	h.Heading = h.Name
	p.Sections = []report.Section{{Heading: "Heat map", Heat: &h}}
	return p, err
}

func drawTree(ctx context.Context, o *plotOptions, g *grid) (report.Section, error) {
	m, err := g.drawn(ctx)
	if err != nil {
		return report.Section{}, err
	}
	make, name := cluster.NeighborJoining, "neighbour joining (rooted at the midpoint)"
	if o.tree == "upgma" {
		make, name = cluster.UPGMA, "UPGMA"
	}
	t, err := make(m)
	if err != nil {
		return report.Section{}, err
	}
	heading := o.heading(fmt.Sprintf("Tree of %[2]d sketches by %[1]s of %[3]s", name, m.Len(), g.distanceName()))
	return report.Section{Figure: report.Phylogram(heading, node(cluster.Midpoint(t), 0, g.names()))}, nil
}

// node is a tree with names, for the drawing.
func node(t *cluster.Tree, length float64, names []string) report.Node {
	n := report.Node{Length: length}
	if len(t.Children) == 0 {
		n.Label = names[t.Item]
	}
	for _, c := range t.Children {
		n.Children = append(n.Children, node(c.To, c.Length, names))
	}
	return n
}

// drawMap places the sketches by classical multidimensional scaling (Torgerson
// 1952, doi:10.1007/BF02288916), clusters at the threshold in colours.
func drawMap(ctx context.Context, o *plotOptions, g *grid) (report.Section, error) {
	m, err := g.drawn(ctx)
	if err != nil {
		return report.Section{}, err
	}
	merges, err := cluster.Linkage(m, cluster.Single)
	if err != nil {
		return report.Section{}, err
	}
	kinds := coloured(cluster.Cut(merges, m.Len(), o.threshold))
	at := scaled2(m)
	names := g.names()
	dots := make([]report.Dot, m.Len())
	for i := range dots {
		dots[i] = report.Dot{X: at(i, 0), Y: at(i, 1), Label: names[i], Kind: kinds[i]}
	}
	heading := o.heading(fmt.Sprintf("Map of %d sketches, by %s; clusters up to %v in colours", m.Len(), g.distanceName(), o.threshold))
	return report.Section{Figure: report.Map(heading, dots)}, nil
}

// coloured numbers the clusters of more than one member anew; -1 is of none.
func coloured(clusters []int) []int {
	size := map[int]int{}
	for _, c := range clusters {
		size[c]++
	}
	number := map[int]int{}
	kinds := make([]int, len(clusters))
	for i, c := range clusters {
		if size[c] == 1 {
			kinds[i] = -1
			continue
		}
		if _, ok := number[c]; !ok {
			number[c] = len(number)
		}
		kinds[i] = number[c]
	}
	return kinds
}

// scaled2 returns coordinates in the plane; a dimension that the distances do
// not need is 0. Signs are chosen so that the largest coordinate of each is
// positive.
func scaled2(m *cluster.Matrix) func(i, dim int) float64 {
	n := m.Len()
	d := mat.NewSymDense(n, nil)
	for i := range n {
		for j, v := range m.Row(i) {
			d.SetSym(i, j, v)
		}
	}
	var dst mat.Dense
	k, _ := mds.TorgersonScaling(&dst, nil, d)
	sign := [2]float64{1, 1}
	for dim := range min(k, 2) {
		far := 0.0
		for i := range n {
			if v := dst.At(i, dim); math.Abs(v) > math.Abs(far)*(1+1e-9) {
				far = v
			}
		}
		if far < 0 {
			sign[dim] = -1
		}
	}
	return func(i, dim int) float64 {
		if dim >= k {
			return 0
		}
		return sign[dim] * dst.At(i, dim)
	}
}

func drawHistogram(ctx context.Context, o *plotOptions, g *grid) (report.Section, error) {
	var anis []float64
	err := distance.Triangle(ctx, hashSets(g.rows), distance.Options{Threads: o.threads, Sparse: true}, func(i int, counts []distance.Count, _ []float64) ([]float64, error) {
		var row []float64
		for _, c := range counts {
			if c.Shared > 0 {
				row = append(row, g.pair(i, c).ANI())
			}
		}
		return row, nil
	}, func(row []float64) error {
		anis = append(anis, row...)
		return nil
	})
	low := 1.0
	for _, v := range anis {
		low = min(low, v)
	}
	low = math.Floor(low*50) / 50
	heading := o.heading(fmt.Sprintf("ANI of the %d pairs that share something, of %d sketches", len(anis), len(g.rows)))
	return report.Section{Figure: report.Histogram(heading, "ANI", anis, min(low, 0.98), 1, 50)}, err
}

func drawClusters(ctx context.Context, o *plotOptions, g *grid) (report.Section, error) {
	near, err := o.neighbours(ctx, g)
	if err != nil {
		return report.Section{}, err
	}
	u := cluster.NewUnionFind(len(g.rows))
	for i, ns := range near {
		for _, n := range ns {
			u.Union(uint32(i), uint32(n.Item))
		}
	}
	var sizes []int
	for _, l := range u.Labels() {
		if l == len(sizes) {
			sizes = append(sizes, 0)
		}
		sizes[l]++
	}
	heading := o.heading(fmt.Sprintf("%d clusters of %d sketches at %s up to %v", len(sizes), len(g.rows), g.distanceName(), o.threshold))
	return report.Section{Figure: report.Sizes(heading, "sketches in a cluster", sizes)}, nil
}
