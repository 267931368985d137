// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/cluster"
	"github.com/gsketch/gsketch/distance"
)

type clusterOptions struct {
	distOptions
	method    string
	tree      string
	threshold float64
}

func newCluster(c *common) *cobra.Command {
	o := clusterOptions{distOptions: distOptions{common: c, format: "tsv"}}
	cmd := &cobra.Command{
		Use:   "cluster [flags] FILE...",
		Short: "Group sketches at a threshold, or make a tree of them",
		Long: `Group sketches or raw files whose distance is at most a threshold, or make a
tree of them in Newick form.

Methods: single (connected components), complete (no two members farther apart),
average, and greedy (each in turn joins the nearest representative within reach
or becomes one: no member is farther from its representative). The distance is
that of Mash; of texts and with another measure, 1 minus it. Single and greedy
need no matrix and serve collections of any size.`,
		Example: `  gsketch cluster --threshold 0.05 sketches.parquet
  gsketch cluster --tree nj genomes/*.fa`,
		RunE: func(cmd *cobra.Command, args []string) error { return runCluster(cmd.Context(), cmd, args, &o) },
	}
	f := cmd.Flags()
	o.inputOptions.addFlags(f)
	o.selectOptions.addFlags(f, "inputs")
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
	f.StringVar(&o.measure, "measure", "", "what is compared: "+strings.Join(measures, ", ")+" (default: as of gsketch dist)")
	f.StringVar(&o.method, "method", "single", "how clusters are made: single, complete, average, greedy")
	f.StringVar(&o.tree, "tree", "", "make a tree instead: upgma or nj (neighbour joining)")
	f.Float64Var(&o.threshold, "threshold", 0.05, "largest distance within a cluster, 0..1")
	return cmd
}

func runCluster(ctx context.Context, cmd *cobra.Command, args []string, o *clusterOptions) error {
	if !slices.Contains([]string{"single", "complete", "average", "greedy"}, o.method) {
		return usagef("--method %s: single, complete, average or greedy", o.method)
	}
	if !slices.Contains([]string{"", "upgma", "nj"}, o.tree) {
		return usagef("--tree %s: upgma or nj", o.tree)
	}
	if !(o.threshold >= 0 && o.threshold <= 1) {
		return usagef("--threshold %v: 0 to 1", o.threshold)
	}
	if err := o.check(); err != nil {
		return err
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	g, err := o.grid(ctx, args, warner(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	if g.name == hamming {
		return usagef("--measure %s: the threshold is of distances between 0 and 1; cosine gives one", hamming)
	}
	if o.tree != "" {
		err = o.writeTree(ctx, g, out)
	} else {
		err = o.writeClusters(ctx, g, out)
	}
	if err != nil {
		return err
	}
	return out.commit()
}

// far is the distance of a pair.
func (g *grid) far(i int, c distance.Count) float64 {
	if g.similar {
		return 1 - g.value(i, c)
	}
	return g.mash.distance(c)
}

// matrix is the distances of all pairs.
func (g *grid) matrix(ctx context.Context) (*cluster.Matrix, error) {
	m, err := cluster.NewMatrix(len(g.rows))
	if err != nil {
		return nil, usagef("%v; --method single and greedy need none", err)
	}
	err = count(ctx, g, true, distance.Options{Threads: g.o.threads}, func(i int, counts []distance.Count, _ error) (error, error) {
		row := m.Row(i)
		for _, c := range counts {
			d := g.far(i, c)
			if math.IsNaN(d) {
				return nil, usagef("%s and %s have no distance: both sketches are empty", g.rows[i].Meta.Label(), g.cols[c.Col].Meta.Label())
			}
			row[c.Col] = d
		}
		return nil, nil
	}, func(error) error { return nil })
	return m, err
}

// neighbours lists, for each sketch, those within the threshold.
func (o *clusterOptions) neighbours(ctx context.Context, g *grid) ([][]cluster.Neighbour, error) {
	near := make([][]cluster.Neighbour, len(g.rows))
	type reach []cluster.Neighbour
	i := 0
	err := count(ctx, g, true, distance.Options{Threads: o.threads, Sparse: o.threshold < 1}, func(i int, counts []distance.Count, _ reach) (reach, error) {
		var r reach
		for _, c := range counts {
			if d := g.far(i, c); d <= o.threshold {
				r = append(r, cluster.Neighbour{Item: int(c.Col), Distance: d})
			}
		}
		return r, nil
	}, func(r reach) error {
		for _, n := range r {
			near[i] = append(near[i], n)
			near[n.Item] = append(near[n.Item], cluster.Neighbour{Item: i, Distance: n.Distance})
		}
		i++
		return nil
	})
	return near, err
}

func (o *clusterOptions) writeClusters(ctx context.Context, g *grid, w io.Writer) error {
	var labels, reps []int
	switch o.method {
	case "single", "greedy":
		near, err := o.neighbours(ctx, g)
		if err != nil {
			return err
		}
		if o.method == "greedy" {
			rep := cluster.Greedy(near, nil)
			labels = cluster.Number(rep)
			reps = representatives(labels, rep)
			break
		}
		u := cluster.NewUnionFind(len(g.rows))
		for i, ns := range near {
			for _, n := range ns {
				u.Union(uint32(i), uint32(n.Item))
			}
		}
		labels = u.Labels()
		reps = firsts(labels)
	default:
		m, err := g.matrix(ctx)
		if err != nil {
			return err
		}
		merges, err := cluster.Linkage(m, cluster.Method(o.method))
		if err != nil {
			return err
		}
		labels = cluster.Cut(merges, m.Len(), o.threshold)
		reps = cluster.Medoids(labels, m)
	}
	return o.clusterTable(g, labels, reps, w)
}

// firsts are the first members of clusters.
func firsts(labels []int) []int {
	var reps []int
	for i, l := range labels {
		if l == len(reps) {
			reps = append(reps, i)
		}
	}
	return reps
}

// representatives are those of clusters, given that of each item.
func representatives(labels, rep []int) []int {
	reps := firsts(labels)
	for i, l := range labels {
		reps[l] = rep[i]
	}
	return reps
}

func (o *clusterOptions) clusterTable(g *grid, labels, reps []int, w io.Writer) error {
	sizes := make([]int, len(reps))
	for _, l := range labels {
		sizes[l]++
	}
	if err := line(w, []string{"name", "cluster", "size", "representative", "distance"}); err != nil {
		return err
	}
	for i, l := range labels {
		rep := reps[l]
		d := 0.0
		if rep != i {
			c := distance.Count{Col: uint32(rep)}
			if !g.ofSlots() {
				p := distance.Compare(g.rows[i], g.rows[rep])
				c.Shared, c.Of = uint32(p.Shared), uint32(p.Of)
			}
			d = g.far(i, c)
		}
		if err := line(w, []string{field(o.labelOf(g.rows[i].Meta)), strconv.Itoa(l), strconv.Itoa(sizes[l]), field(o.labelOf(g.rows[rep].Meta)), string(appendValue(nil, d))}); err != nil {
			return err
		}
	}
	return nil
}

func (o *clusterOptions) writeTree(ctx context.Context, g *grid, w io.Writer) error {
	m, err := g.matrix(ctx)
	if err != nil {
		return err
	}
	make := cluster.UPGMA
	if o.tree == "nj" {
		make = cluster.NeighborJoining
	}
	tree, err := make(m)
	if err != nil {
		return err
	}
	names := []string{}
	for _, it := range g.rows {
		names = append(names, o.labelOf(it.Meta))
	}
	_, err = fmt.Fprintln(w, tree.Newick(names))
	return err
}
