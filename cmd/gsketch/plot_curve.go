// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/calibrate"
	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/report"
	"github.com/gsketch/gsketch/sketch"
)

// A drawnCurve is an S-curve with the points that were measured.
type drawnCurve struct {
	name        string
	family      string
	bits        int
	bands, rows int
	points      []report.Point
}

func cellsOf(p sketch.Params) paramsCells {
	c := paramsCells{p.Elements.Recipe, p.Family, "NA", strconv.Itoa(p.Size)}
	if p.Bits > 0 {
		c.bits = strconv.Itoa(p.Bits)
	}
	return c
}

// drawn is a curve as it is drawn.
func drawn(c calibrate.Curve) drawnCurve {
	d := drawnCurve{name: cellsOf(c.Params).bands(c.Banding), family: c.Params.Family, bits: c.Params.Bits, bands: c.Banding.Bands, rows: c.Banding.Rows}
	for _, p := range c.Points {
		d.points = append(d.points, measuredPoint(p.Similarity, p.Measured.Value, p.Measured.Low, p.Measured.High, p.Predicted, p.Pairs))
	}
	return d
}

func measuredPoint(x, y, low, high, predicted float64, pairs int) report.Point {
	return report.Point{X: x, Y: y, Low: low, High: high,
		Label: fmt.Sprintf("%d pairs of similarity %.3f: %.4f became candidates, predicted %.4f", pairs, x, y, predicted)}
}

// predicted is the curve of a banding in 200 steps.
func (d drawnCurve) predicted(name string) report.Series {
	s := report.Series{Name: name, Line: true}
	p := sketch.Params{Family: d.family, Bits: d.bits}
	for i := range 201 {
		x := float64(i) / 200
		s.Points = append(s.Points, report.Point{X: x, Y: lsh.Probability(calibrate.Agreement(x, p), d.bands, d.rows)})
	}
	return s
}

// curveFigure draws predicted curves and measured points.
func curveFigure(heading string, curves []drawnCurve) *report.Figure {
	var series []report.Series
	for _, d := range curves {
		series = append(series, d.predicted(d.name+": predicted"), report.Series{Name: "measured", Points: d.points, Follows: len(curves) > 1})
	}
	if heading == "" {
		heading = "Probability to become a candidate"
	}
	return report.Lines(heading, "Jaccard similarity", "probability", 0, 1, series)
}

// mostCurves bounds the curves of one figure, which would cover each other.
const mostCurves = 6

// readCurves reads the table of calibrate --curve.
func readCurves(path string) ([]drawnCurve, error) {
	s, err := stream.Open(path, stream.Options{Warn: func(string) {}})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	in := bufio.NewScanner(io.LimitReader(s, 64<<20))
	in.Buffer(nil, 1<<20)
	var all []drawnCurve
	var header []string
	var at uint64
	fail := func(err error) ([]drawnCurve, error) {
		return nil, &sketch.InputError{Path: path, Record: at, Offset: -1, Err: err}
	}
	for in.Scan() {
		at++
		cells := strings.Split(strings.TrimSuffix(in.Text(), "\r"), "\t")
		if header == nil {
			if header = cells; !slices.Equal(header, append(slices.Clone(settingColumns), curveColumns...)) {
				return fail(errors.New("is no table of calibrate --curve"))
			}
			continue
		}
		if len(cells) != len(header) {
			return fail(fmt.Errorf("%d cells under %d columns", len(cells), len(header)))
		}
		d, err := parseCurve(cells)
		if err != nil {
			return fail(err)
		}
		if n := len(all); n > 0 && all[n-1].name == d.name {
			all[n-1].points = append(all[n-1].points, d.points...)
			continue
		}
		if len(all) == mostCurves {
			return fail(fmt.Errorf("more than %d settings: too many for one figure, take the lines of some", mostCurves))
		}
		all = append(all, d)
	}
	if err := in.Err(); err != nil {
		at++
		return fail(err)
	}
	if len(all) == 0 {
		return nil, sketch.BadInput(path, errors.New("no curve in it"))
	}
	return all, nil
}

// parseCurve reads a line of the table: a setting and one point.
func parseCurve(cells []string) (drawnCurve, error) {
	d := drawnCurve{family: cells[2]}
	var err error
	whole := func(i int, least, most int) int {
		n, e := strconv.Atoi(cells[i])
		if (e != nil || n < least || n > most) && err == nil {
			err = fmt.Errorf("%s %q: %d to %d", append(slices.Clone(settingColumns), curveColumns...)[i], cells[i], least, most)
		}
		return n
	}
	share := func(i int) float64 {
		v, e := strconv.ParseFloat(cells[i], 64)
		if (e != nil || !(v >= 0 && v <= 1)) && err == nil {
			err = fmt.Errorf("%s %q: 0 to 1", curveColumns[i-len(settingColumns)], cells[i])
		}
		return v
	}
	if cells[3] != "NA" {
		d.bits = whole(3, 1, 32)
	}
	whole(4, 1, sketch.MaxSlots)
	d.bands, d.rows = whole(5, 1, sketch.MaxSlots), whole(6, 1, sketch.MaxSlots)
	p := measuredPoint(share(9), share(12), share(13), share(14), share(15), whole(10, 1, math.MaxInt))
	d.points = []report.Point{p}
	d.name = paramsCells{cells[1], cells[2], cells[3], cells[4]}.bands(calibrate.Banding{Bands: d.bands, Rows: d.rows})
	if cells[0] != "document" {
		d.name = cells[0] + ", " + d.name
	}
	return d, err
}
