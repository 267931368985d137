// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// A Grid is what is tried: each of its units, recipes and sketches with each
// banding and threshold.
type Grid struct {
	Units      []string // as shingle.ParseUnits reads them
	Elements   []sketch.Elements
	Sketches   []sketch.Params // family, hash, size, bits, filling; the elements are those of Elements
	Bandings   []Banding       // none: those that Recall asks for, and the one of equal weights
	Thresholds []float64       // in (0, 1]
	Recall     float64         // wanted of candidates, in (0, 1)
	Seeds      int             // hash functions that each setting is tried with, at least 1
	Signatures bool            // candidates are verified by their signatures, not by their exact sets
	Confidence float64         // of intervals, in (0, 1)
}

// A Banding is a number of bands and of rows of each.
type Banding struct{ Bands, Rows int }

// A Setting is one of a Grid.
type Setting struct {
	Unit      string
	Params    sketch.Params
	Banding   Banding
	Threshold float64
}

// Check says whether a grid can be tried.
func (g *Grid) Check() error {
	switch {
	case len(g.Units) == 0 || len(g.Elements) == 0 || len(g.Sketches) == 0 || len(g.Thresholds) == 0:
		return errors.New("nothing is to be tried")
	case g.Seeds < 1 || g.Seeds > 1000:
		return fmt.Errorf("%d seeds: 1 to 1000", g.Seeds)
	case !(g.Recall > 0 && g.Recall < 1):
		return fmt.Errorf("recall %v: between 0 and 1", g.Recall)
	case !(g.Confidence > 0 && g.Confidence < 1):
		return fmt.Errorf("confidence %v: between 0 and 1", g.Confidence)
	}
	for _, u := range g.Units {
		if _, err := shingle.ParseUnits(u); err != nil {
			return err
		}
	}
	for _, t := range g.Thresholds {
		if !(t > 0 && t <= 1) {
			return fmt.Errorf("threshold %v: above 0, at most 1", t)
		}
	}
	for _, p := range g.Filled() {
		if err := p.Validate(); err != nil {
			return err
		}
		if !slices.Contains([]string{sketch.KPerm, sketch.OPH, sketch.BBit}, p.Family) || p.Family == sketch.OPH && p.Densify == "" {
			return fmt.Errorf("%s: kperm, bbit, or oph with filled bins", p)
		}
		if err := g.checkBandings(p.Size); err != nil {
			return err
		}
	}
	return nil
}

// Filled are all kinds of sketches that are tried, with their elements.
func (g *Grid) Filled() []sketch.Params {
	var all []sketch.Params
	for _, p := range g.Sketches {
		for _, p.Elements = range g.Elements {
			all = append(all, p)
		}
	}
	return all
}

// checkBandings says whether at least one banding fits each size.
func (g *Grid) checkBandings(size int) error {
	for _, b := range g.Bandings {
		if b.Bands < 1 || b.Rows < 1 || b.Bands > sketch.MaxSlots || b.Rows > sketch.MaxSlots {
			return fmt.Errorf("%d bands of %d rows: each at least 1", b.Bands, b.Rows)
		}
		if b.Bands*b.Rows > size {
			return fmt.Errorf("%d bands of %d rows need %d slots; there are %d", b.Bands, b.Rows, b.Bands*b.Rows, size)
		}
	}
	for _, t := range g.Thresholds {
		if _, err := g.bandings(size, t); err != nil {
			return err
		}
	}
	return nil
}

// bandings are those to try for a threshold: the cheapest that find pairs at
// the threshold with the wanted probability, with half and with a tenth of its
// misses, and the one that weighs both kinds of errors alike.
func (g *Grid) bandings(size int, threshold float64) ([]Banding, error) {
	if len(g.Bandings) > 0 {
		return g.Bandings, nil
	}
	var all []Banding
	for _, part := range []float64{1, 0.5, 0.1} {
		b, r, err := lsh.ForRecall(threshold, 1-(1-g.Recall)*part, size)
		if err != nil && len(all) == 0 {
			return nil, err
		}
		if x := (Banding{b, r}); err == nil && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	b, r, err := lsh.Optimal(threshold, size, 0.5, 0.5)
	if x := (Banding{b, r}); err == nil && !slices.Contains(all, x) {
		all = append(all, x)
	}
	return all, err
}

// Agreement is the probability that a slot of two sketches agrees.
func Agreement(jaccard float64, p sketch.Params) float64 {
	return Design{Family: p.Family, Measure: Jaccard, Bits: p.Bits}.share(jaccard)
}
