// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gsketch/gsketch/internal/interval"
	"github.com/gsketch/gsketch/sketch"
)

// outcomes are those of pairs of all kinds and of each kind.
func (x *tally) outcomes(s *sweep, t *trial, p sketch.Params) []Outcome {
	kinds := []string{All}
	if x.labelled {
		for _, pair := range x.pairs {
			if !slices.Contains(kinds, pair.kind) {
				kinds = append(kinds, pair.kind)
			}
		}
		slices.Sort(kinds[1:])
	}
	seeds := float64(s.grid.Seeds)
	texts := float64(s.drawn) / float64(s.result.Drawn) * float64(s.result.Documents) // of the corpus
	scale := texts * (texts - 1) / (float64(s.drawn) * float64(s.drawn-1))
	var all []Outcome
	for _, kind := range kinds {
		o := Outcome{Setting: Setting{s.unit, p, t.banding, x.threshold}, Kind: kind, Candidates: math.NaN(), CorpusCandidates: math.NaN()}
		o.Expected = x.expected(s, p, t.banding, kind)
		x.count(&o, s)
		if kind == All {
			o.Candidates = float64(t.candidates) / seeds
			o.CorpusCandidates = o.Candidates * scale
		}
		o.BandRows = texts * float64(t.banding.Bands)
		all = append(all, o)
	}
	return all
}

// count fills in the numbers of pairs of a kind, or of all.
func (x *tally) count(o *Outcome, s *sweep) {
	seeds := float64(s.grid.Seeds)
	families, kept := make([]tested, x.families), make([]tested, x.families)
	var found, joined, wrong, different int // pairs, over all seeds; different is of one
	for n, pair := range x.pairs {
		switch {
		case o.Kind != All && pair.kind != o.Kind:
			continue
		case !pair.same:
			different++
			wrong += x.joined[n]
			continue
		}
		o.Pairs++
		found += x.found[n]
		joined += x.joined[n]
		if !x.labelled {
			families[pair.family].add(x.found[n], s.grid.Seeds)
			kept[pair.family].add(x.joined[n], s.grid.Seeds)
		}
	}
	o.Found, o.Joined = float64(found)/seeds, float64(joined)/seeds
	if x.labelled {
		o.Recall = binomial(o.Found, float64(o.Pairs), s.grid.Confidence)
		o.Removed, o.FalseRemovals = float64(joined+wrong)/seeds, float64(wrong)/seeds
		o.JoinedShare = binomial(o.Joined, float64(o.Pairs), s.grid.Confidence)
		o.FalseShare = binomial(o.FalseRemovals, float64(different), s.grid.Confidence)
		return
	}
	o.Removed, o.FalseRemovals = float64(x.removed)/seeds, float64(x.wrong)/seeds
	o.FalseShare = binomial(o.FalseRemovals, o.Removed, s.grid.Confidence)
	o.Recall = bootstrap(families, s.grid.Confidence)
	o.JoinedShare = bootstrap(kept, s.grid.Confidence)
}

// binomial is found of n with the interval of independent trials.
func binomial(found, n, confidence float64) Share {
	if n == 0 {
		return Share{math.NaN(), math.NaN(), math.NaN(), ""}
	}
	low, high := interval.Proportion(found, n, confidence)
	return Share{found / n, low, high, Binomial}
}

// tested is a family of pairs, as many as of over all seeds, with what was found
// of them.
type tested struct{ found, of float64 }

func (t *tested) add(found, of int) {
	t.found += float64(found)
	t.of += float64(of)
}

// fewest families of which an interval is given: of fewer, drawing again says
// too little.
const fewest = 5

// bootstrap is the share found of all pairs, with the percentiles of 1000 draws
// of as many families with repetition (Efron 1979, doi:10.1214/aos/1176344552).
// Pairs of a family are found or missed together, so that families are what is
// drawn. Where nearly all is found draws say nothing of what is rare: the low
// end is at most that of as many families all found, by Clopper and Pearson.
func bootstrap(families []tested, confidence float64) Share {
	var all tested
	for _, f := range families {
		all.found, all.of = all.found+f.found, all.of+f.of
	}
	if all.of == 0 {
		return Share{math.NaN(), math.NaN(), math.NaN(), ""}
	}
	s := Share{all.found / all.of, math.NaN(), math.NaN(), ""}
	if len(families) < fewest {
		return s
	}
	r := rand.New(rand.NewPCG(1, 1))
	draws := make([]float64, 1000)
	for i := range draws {
		var x tested
		for range families {
			f := families[r.IntN(len(families))]
			x.found, x.of = x.found+f.found, x.of+f.of
		}
		draws[i] = x.found / x.of
	}
	slices.Sort(draws)
	tail := (1 - confidence) / 2
	at := func(q float64) float64 { return draws[min(int(q*float64(len(draws))), len(draws)-1)] }
	n := float64(len(families))
	low, _ := interval.Proportion(n, n, confidence)
	s.Low, s.High, s.Method = min(at(tail), low, s.Value), max(at(1-tail), s.Value), Bootstrap
	return s
}

// recommend marks one of the outcomes that are about the same pairs, those of a
// threshold, unit and recipe (with labels, all), as the one that is to be taken:
// of those whose recall is assured, else of those whose recall is likely to be
// as wanted, the one with the fewest false removals, then the fewest candidates
// in the corpus, then the fewest entries of its index, then the smallest
// sketches; else the one with the highest recall.
func (r *Result) recommend(g *Grid) {
	type question struct {
		threshold float64
		unit      string
		elements  sketch.Elements
	}
	labelled := r.Labels.Same > 0
	best := map[question]*Outcome{}
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		if o.Kind != All || o.Pairs == 0 {
			continue
		}
		key := question{o.Threshold, o.Unit, o.Params.Elements}
		if labelled {
			key = question{}
		}
		if b, ok := best[key]; !ok || better(o, b, g.Recall, labelled) {
			best[key] = o
		}
	}
	for _, o := range best {
		o.Recommended = true
		o.Assured = o.reaches(g.Recall, labelled) == assured
	}
}

// better says whether a is rather to be taken than b.
func better(a, b *Outcome, wanted float64, labelled bool) bool {
	x, y := a.reaches(wanted, labelled), b.reaches(wanted, labelled)
	if x != y {
		return x > y
	}
	if x == short {
		if x, y := a.likely(labelled), b.likely(labelled); x != y {
			return x > y
		}
	}
	return cmp.Or(
		cmp.Compare(a.FalseRemovals, b.FalseRemovals),
		cmp.Compare(a.CorpusCandidates, b.CorpusCandidates),
		cmp.Compare(a.BandRows, b.BandRows),
		cmp.Compare(a.Params.SlotBytes(), b.Params.SlotBytes()),
	) < 0
}

// How surely a recall is as wanted.
const (
	short   = iota // it is not likely
	likely         // what was found is, and what is expected
	assured        // so is the low end of the interval
)

func (o *Outcome) reaches(wanted float64, labelled bool) int {
	low := o.Recall.Low
	if labelled {
		low = o.JoinedShare.Low
	}
	switch {
	case !(o.likely(labelled) >= wanted):
		return short
	case !(low >= wanted):
		return likely
	}
	return assured
}

// likely is the recall to reckon with: the smaller one of what was found and what
// is expected; with labels, what was joined.
func (o *Outcome) likely(labelled bool) float64 {
	if labelled {
		return o.JoinedShare.Value
	}
	return min(o.Recall.Value, o.Expected)
}
