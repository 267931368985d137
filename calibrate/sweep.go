// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"context"
	"errors"
	"fmt"

	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// All is the Kind of an Outcome that is about pairs of all kinds.
const All = "all"

// An Outcome is what a setting found, missed and wrongly joined. Numbers of
// pairs found are means over the seeds.
type Outcome struct {
	Setting
	Kind string // All, or a kind of labelled pairs

	Pairs       int     // near-duplicates: of at least the threshold, or by label
	Found       float64 // of them, candidates
	Recall      Share   // Found of Pairs
	Expected    float64 // of Recall, by the probability of each pair; NaN for no pairs
	Joined      float64 // of Found, those that verification keeps, too
	JoinedShare Share   // Joined of Pairs

	// Without labels: documents (or units) of the sample that would be removed,
	// and of them those whose Jaccard index with the one that is kept in their
	// place is below the threshold. With labels: labelled pairs that would be
	// joined, and of them those that are different by label.
	Removed       float64
	FalseRemovals float64
	FalseShare    Share // FalseRemovals of Removed, without labels; of the pairs labelled different, with labels

	Candidates       float64 // pairs of the sample that share a band; of Kind All
	CorpusCandidates float64 // the same, scaled to the pairs of the corpus
	BandRows         float64 // entries of the index of the corpus
	Recommended      bool
	Assured          bool // of what is recommended: the low end of the interval of its recall is as high as wanted
}

// A Share is a part of a whole with its confidence interval; NaN where it has
// none.
type Share struct {
	Value, Low, High float64
	Method           string // Bootstrap, Binomial or ""
}

// How the interval of a Share is found.
const (
	Bootstrap = "bootstrap" // families of near-duplicates drawn again 1000 times
	Binomial  = "binomial"  // Wilson 1927, or Clopper and Pearson 1934 for few
)

// A Result is what a Sweep found.
type Result struct {
	Outcomes  []Outcome
	Curves    []Curve
	Documents int // of the corpus
	Drawn     int // of the sample
	Samples   []SampleSize
	Labels    Labelled
}

// A SampleSize says how many texts of a unit the sample has.
type SampleSize struct {
	Unit     string
	Elements sketch.Elements
	Texts    int // with elements
	Empty    int // without
	Sharing  int // pairs that have an element in common
}

// Labelled says how many labelled pairs were used.
type Labelled struct{ Same, Different, Left int }

// Sweep draws n documents of a corpus, compares all of them exactly, and tries
// each setting of a grid on them. Where labels are given, what is to be found is
// what they call the same, and their documents are looked at besides those drawn;
// otherwise it is the pairs of the sample whose exact Jaccard index, of the elements of the
// setting, is at least the threshold.
//
// note, if it is not nil, is told of each unit and recipe before it is tried.
func Sweep(ctx context.Context, c Corpus, n int, g Grid, labels []Label, note func(string)) (*Result, error) {
	if err := g.Check(); err != nil {
		return nil, err
	}
	all, docs, drawn, err := draw(ctx, c, n, asked(labels))
	if err != nil {
		return nil, err
	}
	if drawn < 2 {
		return nil, sketch.BadInput(c.Paths[0], fmt.Errorf("%d documents: there is no pair", drawn))
	}
	r := &Result{Documents: all, Drawn: drawn, Labels: count(labels)}
	if labels != nil && r.Labels.Same == 0 {
		return nil, errors.New("no pair is labelled the same: recall says nothing")
	}
	for _, unit := range g.Units {
		units, err := shingle.ParseUnits(unit)
		if err != nil {
			return nil, err
		}
		for _, e := range g.Elements {
			if note != nil {
				note(fmt.Sprintf("%s, %s", unit, e.Recipe))
			}
			s := &sweep{grid: &g, corpus: c, docs: docs, labels: labels, unit: unit, result: r}
			if err := s.run(ctx, units, e, drawn); err != nil {
				return nil, err
			}
		}
	}
	r.recommend(&g)
	return r, nil
}

// A sweep tries all settings that have one unit and one kind of elements.
type sweep struct {
	*items
	grid   *Grid
	corpus Corpus
	docs   []document
	labels []Label
	unit   string
	result *Result
	truths []*truth // of each threshold
	bins   *bins
}

func (s *sweep) run(ctx context.Context, units shingle.Units, e sketch.Elements, drawn int) error {
	var err error
	if s.items, err = newItems(ctx, s.docs, drawn, units, e, s.grid.Sketches[0].Hash, s.corpus.Threads); err != nil {
		return err
	}
	if s.drawn < 2 {
		return sketch.BadInput(s.corpus.Paths[0], fmt.Errorf("%s, %s: %d texts with elements: there is no pair", s.unit, e.Recipe, s.drawn))
	}
	if err := s.compare(ctx, s.corpus.Threads); err != nil {
		return err
	}
	s.bins = newBins(s.items)
	s.result.Samples = append(s.result.Samples, SampleSize{s.unit, e, s.drawn, s.empty, s.bins.sharing})
	for _, t := range s.grid.Thresholds {
		if s.labels != nil {
			s.truths = append(s.truths, s.labelTruth(t))
		} else {
			s.truths = append(s.truths, s.exactTruth(t))
		}
	}
	for _, p := range s.grid.Sketches {
		p.Elements = e
		if err := s.try(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// try tries the bandings of one kind of sketch.
func (s *sweep) try(ctx context.Context, p sketch.Params) error {
	trials, err := s.trials(p)
	if err != nil {
		return err
	}
	for seed := range s.grid.Seeds {
		q := p
		q.Hash.Seed += uint64(seed)
		signatures, err := s.sign(ctx, s.docs, q, s.corpus.Threads)
		if err != nil {
			return err
		}
		for _, t := range trials {
			found, err := candidates(signatures, q, t.banding)
			if err != nil {
				return err
			}
			t.take(found, s.bins)
			for _, x := range t.tallies {
				if err := x.take(s, found, signatures); err != nil {
					return err
				}
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	for _, t := range trials {
		s.result.Curves = append(s.result.Curves, t.curve(s, p))
	}
	for i := range s.grid.Thresholds {
		for _, t := range trials {
			for _, x := range t.tallies {
				if x.truth == s.truths[i] {
					s.result.Outcomes = append(s.result.Outcomes, x.outcomes(s, t, p)...)
				}
			}
		}
	}
	return nil
}

// A trial is a banding under way, over all seeds.
type trial struct {
	banding    Banding
	tallies    []*tally // one of each threshold that it is tried for
	candidates int      // of the drawn items
	met        []int    // candidates of each bin of similarity
}

func (s *sweep) trials(p sketch.Params) ([]*trial, error) {
	var all []*trial
	of := map[Banding]*trial{}
	for i, threshold := range s.grid.Thresholds {
		list, err := s.grid.bandings(p.Size, threshold)
		if err != nil {
			return nil, err
		}
		for _, b := range list {
			t, ok := of[b]
			if !ok {
				t = &trial{banding: b, met: make([]int, len(s.bins.pairs))}
				of[b] = t
				all = append(all, t)
			}
			t.tallies = append(t.tallies, newTally(s.truths[i]))
		}
	}
	return all, nil
}

// take counts the candidates of one seed.
func (t *trial) take(found pairSet, b *bins) {
	found.each(b.items.drawn, func(i, j int) {
		t.candidates++
		t.met[b.of(i, j)]++
	})
}
