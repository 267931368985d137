// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/report"
	"github.com/gsketch/gsketch/sketch"
)

type plotOptions struct {
	clusterOptions
	kind        string
	title       string
	bands, rows int
}

// A drawing makes a figure of sketches; its page shows the interactive one.
type drawing func(ctx context.Context, o *plotOptions, g *grid) (report.Section, error)

var drawings = map[string]drawing{
	"heatmap":   drawHeat,
	"tree":      drawTree,
	"mds":       drawMap,
	"histogram": drawHistogram,
	"clusters":  drawClusters,
}

func newPlot(c *common) *cobra.Command {
	o := plotOptions{clusterOptions: clusterOptions{distOptions: distOptions{common: c, format: "tsv"}}}
	cmd := &cobra.Command{
		Use:   "plot [flags] -o FIGURE.svg|PAGE.html FILE...",
		Short: "Draw sketches: heat map, tree, map, histogram, cluster sizes",
		Long: `Draw sketches or raw files as SVG, or as one HTML page that needs no network.

Kinds: heatmap (all pairs, with the dendrogram of average linkage), tree (neighbour
joining, rooted at the midpoint, or --tree upgma), mds (a map by classical multidimensional scaling),
histogram (ANI of the pairs that share something), clusters (how many clusters of
each size at --threshold), and scurve (the probability to become a candidate
against similarity: for --bands and --rows, or, of a table that calibrate --curve
wrote, predicted and measured).`,
		Example: `  gsketch plot -o heatmap.svg genomes/*.fa
  gsketch plot --kind mds -o map.html sketches.parquet`,
		RunE: func(cmd *cobra.Command, args []string) error { return runPlot(cmd.Context(), cmd, args, &o) },
	}
	f := cmd.Flags()
	o.inputOptions.addFlags(f)
	o.selectOptions.addFlags(f, "inputs")
	f.StringVarP(&o.output, "output", "o", "", "output file; its suffix chooses: .svg or .html")
	f.StringVar(&o.kind, "kind", "heatmap", "what is drawn: heatmap, tree, mds, histogram, clusters, scurve")
	f.StringVar(&o.title, "title", "", "heading of the figure (default: says what it is)")
	f.StringVar(&o.measure, "measure", "", "what is compared: "+strings.Join(distance.Names, ", ")+" (default: mash, or max-containment for FracMinHash)")
	f.StringVar(&o.tree, "tree", "nj", "--kind tree: nj (neighbour joining) or upgma")
	f.Float64Var(&o.threshold, "threshold", 0.05, "--kind clusters and mds: largest distance within a cluster, 0..1")
	f.IntVar(&o.bands, "bands", 20, "--kind scurve: bands, from 1")
	f.IntVar(&o.rows, "rows", 5, "--kind scurve: rows of a band, from 1")
	return cmd
}

func runPlot(ctx context.Context, cmd *cobra.Command, args []string, o *plotOptions) error {
	suffix := filepath.Ext(o.output)
	if suffix != ".svg" && suffix != ".html" {
		return usagef("-o %q: name a .svg or .html file", o.output)
	}
	draw, known := drawings[o.kind]
	if !known && o.kind != "scurve" {
		return usagef("--kind %s: one of %s, scurve", o.kind, strings.Join(slices.Sorted(maps.Keys(drawings)), ", "))
	}
	if o.tree != "nj" && o.tree != "upgma" {
		return usagef("--tree %s: upgma or nj", o.tree)
	}
	if o.kind == "scurve" && (len(o.lists) > 0 || len(args) > 1 || len(args) == 1 && (cmd.Flags().Changed("bands") || cmd.Flags().Changed("rows"))) {
		return usagef("--kind scurve is of --bands and --rows, or of one table of calibrate --curve")
	}
	if err := o.check(); err != nil {
		return err
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	var section report.Section
	if o.kind == "scurve" {
		section, err = o.drawCurve(args)
	} else {
		var g *grid
		if g, err = o.grid(ctx, args, warner(cmd.ErrOrStderr())); err == nil {
			section, err = draw(ctx, o, g)
		}
	}
	if err != nil {
		return err
	}
	if err := writeFigure(out, suffix, section); err != nil {
		return err
	}
	return out.commit()
}

// writeFigure writes a section as an SVG alone or as a page.
func writeFigure(w io.Writer, suffix string, s report.Section) error {
	if suffix == ".html" {
		title := ""
		if s.Heat != nil {
			title = s.Heat.Heading
		} else {
			title = s.Figure.Title
		}
		return report.Page{Title: title, Sections: []report.Section{s}}.WriteHTML(w)
	}
	f := s.Figure
	if s.Heat != nil {
		f = report.HeatMap(*s.Heat)
	}
	_, err := f.WriteTo(w)
	return err
}

func (o *plotOptions) heading(def string) string {
	if o.title != "" {
		return o.title
	}
	return def
}

func (o *plotOptions) drawCurve(tables []string) (report.Section, error) {
	if o.bands < 1 || o.rows < 1 {
		return report.Section{}, usagef("--bands %d --rows %d: each at least 1", o.bands, o.rows)
	}
	if len(tables) > 0 {
		curves, err := readCurves(tables[0])
		return report.Section{Figure: curveFigure(o.title, curves)}, err
	}
	d := drawnCurve{family: sketch.KPerm, bands: o.bands, rows: o.rows}
	s := d.predicted(fmt.Sprintf("%d bands of %d rows: threshold %.3f", o.bands, o.rows, lsh.Threshold(o.bands, o.rows)))
	f := report.Lines(o.heading("Probability to become a candidate"), "Jaccard similarity", "probability", 0, 1, []report.Series{s})
	return report.Section{Figure: f}, nil
}
