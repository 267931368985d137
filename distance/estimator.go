// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"fmt"
	"math"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// An Estimate is one value of a pair. NaN is "undefined"; Low and High are NaN
// unless an interval was asked for and there is one.
type Estimate struct {
	Value, Low, High float64
	Shared, Of       uint64
}

// An Estimator compares two sketches. Accepts is asked once per pair of
// collections; Estimate is called per pair and neither fails nor allocates,
// given sketches that Accepts has passed.
type Estimator interface {
	Name() string // column header: "distance", "containment", ...
	Accepts(a, b sketch.Params) error
	Estimate(a, b sketch.Item) Estimate
}

// A PairEstimator is an Estimator whose value follows from the counts of a
// Pair, as AllPairs gives them. Only Angular and DiceANI are none.
type PairEstimator interface {
	Estimator
	FromPair(p Pair) Estimate
}

// Names are the estimators that ByName knows.
var Names = []string{"jaccard", "mash", "containment", "max-containment", "avg-containment", "ani",
	"jaccard-ani", "containment-ani", "max-containment-ani", "avg-containment-ani", "dice-ani", "angular"}

// estimators are those of Names whose value follows from a Pair.
var estimators = map[string]counted{
	"jaccard":             {name: "jaccard", value: Pair.Jaccard},
	"mash":                {name: "distance", kmers: true, value: Pair.Mash},
	"containment":         {name: "containment", family: sketch.FracMinHash, value: Pair.Containment},
	"max-containment":     {name: "max_containment", family: sketch.FracMinHash, value: Pair.MaxContainment},
	"avg-containment":     {name: "avg_containment", family: sketch.FracMinHash, value: Pair.AvgContainment},
	"ani":                 {name: "ani", kmers: true, value: Pair.ANI, interval: Pair.ANIRange},
	"jaccard-ani":         {name: "jaccard_ani", family: sketch.FracMinHash, kmers: true, value: Pair.JaccardANI},
	"containment-ani":     {name: "containment_ani", family: sketch.FracMinHash, kmers: true, value: Pair.ContainmentANI, interval: Pair.ANIInterval},
	"max-containment-ani": {name: "max_containment_ani", family: sketch.FracMinHash, kmers: true, value: Pair.MaxContainmentANI, interval: Pair.MaxANIInterval},
	"avg-containment-ani": {name: "avg_containment_ani", family: sketch.FracMinHash, kmers: true, value: Pair.AvgContainmentANI},
}

// ByName returns an estimator: one of Names, or "distance" for mash.
// confidence, as 0.95, asks for an interval where there is one (ani, and ANI from
// one containment); 0 asks for none.
func ByName(name string, confidence float64) (Estimator, error) {
	if confidence < 0 || confidence >= 1 || math.IsNaN(confidence) {
		return nil, fmt.Errorf("confidence %v is outside [0, 1)", confidence)
	}
	switch name {
	case "angular":
		return angular{}, nil
	case "dice-ani":
		return dice{}, nil
	case "distance":
		name = "mash"
	}
	e, ok := estimators[name]
	if !ok {
		return nil, fmt.Errorf("no estimator %q; there are %s", name, strings.Join(Names, ", "))
	}
	e.confidence = confidence
	return e, nil
}

// ANI is the average nucleotide identity in [0, 1] that fits the family:
// MaxContainmentANI of FracMinHash sketches, BinomialANI of bottom-k sketches.
func (p Pair) ANI() float64 {
	if p.Scaled == 0 {
		return p.BinomialANI()
	}
	return p.MaxContainmentANI()
}

// counted is an estimator whose value is a method of Pair.
type counted struct {
	name     string
	family   string // the one it needs; empty if any hash set will do
	kmers    bool   // it needs elements of a known length
	value    func(Pair) float64
	interval func(p Pair, confidence float64) (low, high float64) // nil if there is none

	confidence float64 // 0: no interval wanted
}

func (e counted) Name() string { return e.name }

func (e counted) Accepts(a, b sketch.Params) error {
	if err := acceptsHashSets(e.name, a, b); err != nil {
		return err
	}
	if e.family != "" && a.Family != e.family {
		return fmt.Errorf("%s needs %s sketches, not %s: %w", e.name, e.family, a.Family, sketch.ErrIncompatible)
	}
	if e.kmers && a.Elements.K < 1 {
		return fmt.Errorf("%s needs k-mers, not %s: %w", e.name, a.Elements, sketch.ErrIncompatible)
	}
	return nil
}

func acceptsHashSets(name string, a, b sketch.Params) error {
	if err := a.Comparable(b); err != nil {
		return err
	}
	if a.Family != sketch.BottomK && a.Family != sketch.FracMinHash {
		return fmt.Errorf("%s needs %s or %s sketches, not %s: %w",
			name, sketch.BottomK, sketch.FracMinHash, a.Family, sketch.ErrIncompatible)
	}
	return nil
}

func (e counted) Estimate(a, b sketch.Item) Estimate { return e.FromPair(Compare(a, b)) }

func (e counted) FromPair(p Pair) Estimate {
	est := Estimate{Value: e.value(p), Low: math.NaN(), High: math.NaN(), Shared: p.Shared, Of: p.Of}
	if e.interval != nil && e.confidence > 0 {
		est.Low, est.High = e.interval(p, e.confidence)
	}
	return est
}

// angular is Angular as an Estimator.
type angular struct{}

func (angular) Name() string { return "angular" }

func (angular) Accepts(a, b sketch.Params) error {
	if err := acceptsHashSets("angular", a, b); err != nil {
		return err
	}
	if !a.Weighted || !b.Weighted {
		return fmt.Errorf("angular needs sketches with abundances: %w", sketch.ErrIncompatible)
	}
	return nil
}

func (angular) Estimate(a, b sketch.Item) Estimate {
	p := Compare(a, b)
	return Estimate{
		Value: Angular(a.Sketch.(sketch.Abundant), b.Sketch.(sketch.Abundant)),
		Low:   math.NaN(), High: math.NaN(),
		Shared: p.Shared, Of: p.Of,
	}
}
