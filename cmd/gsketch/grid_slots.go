// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"slices"
	"strings"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/simhash"
	"github.com/gsketch/gsketch/sketch"
)

// The measures of signatures beside the Jaccard index.
const (
	weightedJaccard = "weighted-jaccard"
	cosine          = "cosine"
	hamming         = "hamming"
)

// ani is the measure of slots of k-mers that follows from the Jaccard index.
const ani = "ani"

// measures are all that --measure knows.
var measures = append(slices.Clone(distance.Names), weightedJaccard, cosine, hamming)

// slotMeasures are those that sketches of slots have, the default first; none
// for hash sets.
func slotMeasures(p sketch.Params) []string {
	switch p.Full().Family {
	case sketch.KPerm, sketch.OPH:
		if p.Elements.K > 0 && p.Elements.Molecule != sketch.Text {
			return []string{"jaccard", ani}
		}
		return []string{"jaccard"}
	case sketch.ICWS:
		return []string{weightedJaccard}
	case sketch.SimHash:
		return []string{cosine, hamming}
	}
	return nil
}

// ofSlots says whether what is compared is signatures.
func (g *grid) ofSlots() bool { return slotMeasures(g.class) != nil }

// prepareSlots is prepare for signatures, all of which have the parameters
// g.class.
func (g *grid) prepareSlots() error {
	fit := slotMeasures(g.class)
	if g.name = g.o.measure; g.name == "" {
		g.name = fit[0]
	}
	if !slices.Contains(fit, g.name) {
		return usagef("--measure %s: %s sketches have %s", g.name, g.class.Family, strings.Join(fit, ", "))
	}
	g.similar = g.name != hamming
	if g.o.flags.Changed("min-similarity") && !g.similar {
		return usagef("--min-similarity: %s is none", g.name)
	}
	return g.refuseGenomic()
}

// refuseGenomic refuses what speaks of mutations in k-mers.
func (g *grid) refuseGenomic() error {
	const why = "the sketches give no Mash distance, p-value or ANI"
	for _, name := range []string{"max-distance", "min-ani", "max-p"} {
		if g.o.flags.Changed(name) {
			return usagef("--%s: %s; --min-similarity limits the measure", name, why)
		}
	}
	if g.o.format == "mash" || strings.HasPrefix(g.o.format, "mash-") || g.ofSlots() && strings.HasPrefix(g.o.format, "sourmash") {
		return usagef("--format %s: %s", g.o.format, why)
	}
	return nil
}

// places lists the columns of a row, all or in a triangle those before it.
func (g *grid) places(i int, triangle bool) []distance.Count {
	n := len(g.cols)
	if triangle {
		n = i
	}
	counts := make([]distance.Count, n)
	for j := range counts {
		counts[j].Col = uint32(j)
	}
	return counts
}

// similarity compares two signatures; confidence 0 asks for no interval.
func (g *grid) similarity(i, j int, confidence float64) sketch.Similarity {
	a, b := g.rows[i].Sketch.(sketch.Estimable), g.cols[j].Sketch.(sketch.Estimable)
	s, err := a.Similarity(b, confidence)
	if err != nil { // of equal parameters it does not fail
		nan := math.NaN()
		return sketch.Similarity{Value: nan, Variance: nan, Low: nan, High: nan}
	}
	return s
}

// slotValue is the measure of a pair.
func (g *grid) slotValue(i, j int) float64 {
	v := g.similarity(i, j, 0).Value
	switch g.name {
	case hamming:
		return g.differing(i, j)
	case ani:
		return g.identity(v)
	}
	return v
}

// identity is the ANI at a Jaccard index.
func (g *grid) identity(j float64) float64 { return distance.BinomialANI(j, g.class.Elements.K) }

// differing is the Hamming distance of two fingerprints; NaN where one is of an
// empty set, which has no direction.
func (g *grid) differing(i, j int) float64 {
	a, b := g.rows[i].Sketch.(*simhash.Sketch), g.cols[j].Sketch.(*simhash.Sketch)
	if a.Empty() || b.Empty() {
		return math.NaN()
	}
	return float64(a.Fingerprint().Distance(b.Fingerprint()))
}

// slotColumns are the columns of the native table: the similarity, its interval,
// the same as ANI if that is asked for, and of fingerprints the bits that differ.
// slotValues gives their values.
func (g *grid) slotColumns() []column {
	name := strings.ReplaceAll(slotMeasures(g.class)[0], "-", "_")
	cols := []column{{name: name}}
	if g.o.ci {
		cols = append(cols, column{name: name + "_low"}, column{name: name + "_high"})
	}
	if g.name == ani {
		cols = append(cols, column{name: ani})
		if g.o.ci {
			cols = append(cols, column{name: "ani_low"}, column{name: "ani_high"})
		}
	}
	if g.class.Family == sketch.SimHash {
		cols = append(cols, column{name: hamming})
	}
	return cols
}

func (g *grid) slotValues(cols []column, i, j int, yield func(name string, v float64)) {
	conf := 0.0
	if g.o.ci {
		conf = confidence
	}
	s := g.similarity(i, j, conf)
	values := []float64{s.Value}
	if g.o.ci {
		values = append(values, s.Low, s.High)
	}
	if g.name == ani {
		for _, v := range values { // ranges over those of the similarity
			values = append(values, g.identity(v))
		}
	}
	if g.class.Family == sketch.SimHash {
		values = append(values, g.differing(i, j))
	}
	for n, c := range cols {
		yield(c.name, values[n])
	}
}
