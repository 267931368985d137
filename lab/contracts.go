// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"fmt"
	"math"
	"strings"

	"github.com/gsketch/gsketch/lsh"
)

// A Contract is a law that every experiment keeps. Check computes what the
// law speaks of anew, by other means than Run, and says what differs.
type Contract struct {
	Name  string
	Check func(x *Experiment) error
}

// Contracts are the eleven laws.
var Contracts = []Contract{
	{"shingle-set ledger", ledger},
	{"exact Jaccard accounting", accounting},
	{"signature agreement", agreement},
	{"all-row band collisions", collisions},
	{"probability formula", probability},
	{"threshold formula", threshold},
	{"candidate flags", flags},
	{"pair-count arithmetic", arithmetic},
	{"identical documents", identical},
	{"dissimilar documents", dissimilar},
	{"boilerplate-polluted documents", polluted},
}

// A Verdict is what became of one contract.
type Verdict struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
	Reason string `json:"reason,omitempty"`
}

// Audit checks all contracts.
func Audit(x *Experiment) []Verdict {
	all := make([]Verdict, len(Contracts))
	for i, c := range Contracts {
		all[i] = Verdict{Name: c.Name, Passed: true}
		if err := c.Check(x); err != nil {
			all[i] = Verdict{Name: c.Name, Reason: err.Error()}
		}
	}
	return all
}

// plain is the set of shingles as the words themselves.
func plain(words []string, width int) map[string]bool {
	set := map[string]bool{}
	for i := 0; i+width <= len(words); i++ {
		set[strings.Join(words[i:i+width], " ")] = true
	}
	return set
}

// The shingles that were hashed are as many as those of the words themselves:
// none was lost, none counted twice, no two met in a hash.
func ledger(x *Experiment) error {
	for _, d := range []struct {
		name  string
		words []string
		got   int
	}{
		{"original", x.Texts.Original, x.Near.ShinglesA},
		{"near copy", x.Texts.Near, x.Near.ShinglesB},
		{"original, beside the background", x.Texts.Original, x.Background.ShinglesA},
		{"background", x.Texts.Background, x.Background.ShinglesB},
	} {
		if want := len(plain(d.words, x.Settings.Width)); d.got != want {
			return fmt.Errorf("%s: %d shingles, its words have %d", d.name, d.got, want)
		}
	}
	return nil
}

// eachPair checks both pairs.
func (x *Experiment) eachPair(check func(p Pair, other []string, a, b document) error) error {
	if err := check(x.Near, x.Texts.Near, x.original, x.near); err != nil {
		return fmt.Errorf("near pair: %w", err)
	}
	if err := check(x.Background, x.Texts.Background, x.original, x.other); err != nil {
		return fmt.Errorf("background pair: %w", err)
	}
	return nil
}

// Shared and union are those of the sets of words; J is their quotient.
func accounting(x *Experiment) error {
	return x.eachPair(func(p Pair, other []string, _, _ document) error {
		a, b := plain(x.Texts.Original, x.Settings.Width), plain(other, x.Settings.Width)
		both, union := 0, len(b)
		for s := range a {
			if b[s] {
				both++
			} else {
				union++
			}
		}
		if p.Shared != both || p.Union != union {
			return fmt.Errorf("%d of %d shared, the words say %d of %d", p.Shared, p.Union, both, union)
		}
		if want := float64(both) / float64(union); p.Jaccard != want {
			return fmt.Errorf("Jaccard %v, want %v", p.Jaccard, want)
		}
		return nil
	})
}

// agree says for each row whether the signatures agree.
func agree(a, b document) []bool {
	x, y := a.signature.AppendSlots(nil), b.signature.AppendSlots(nil)
	rows := make([]bool, len(x))
	for i := range x {
		rows[i] = x[i] == y[i]
	}
	return rows
}

// The estimate is the share of rows that agree, and within six standard errors
// of the Jaccard index (chance exceeds them in 1 of 500 million experiments).
func agreement(x *Experiment) error {
	return x.eachPair(func(p Pair, _ []string, a, b document) error {
		rows, n := agree(a, b), 0
		for _, same := range rows {
			if same {
				n++
			}
		}
		k := float64(x.Settings.Bands * x.Settings.Rows)
		if len(rows) != int(k) || p.MatchingRows != n || p.Estimate != float64(n)/k {
			return fmt.Errorf("%d of %v rows, estimate %v; the signatures agree in %d of %d", p.MatchingRows, k, p.Estimate, n, len(rows))
		}
		// One row more for the rounding of small numbers of rows.
		if off, se := math.Abs(p.Estimate-p.Jaccard), math.Sqrt(p.Jaccard*(1-p.Jaccard)/k); off > 6*se+1/k {
			return fmt.Errorf("estimate %v is %v from Jaccard %v, the standard error is %v", p.Estimate, off, p.Jaccard, se)
		}
		return nil
	})
}

// bandsOf counts the bands whose rows all agree.
func (x *Experiment) bandsOf(a, b document) int {
	rows, n := agree(a, b), 0
	for i := range x.Settings.Bands {
		all := true
		for _, same := range rows[i*x.Settings.Rows : (i+1)*x.Settings.Rows] {
			all = all && same
		}
		if all {
			n++
		}
	}
	return n
}

// Two documents meet in a band if and only if all rows of it agree.
func collisions(x *Experiment) error {
	return x.eachPair(func(p Pair, _ []string, a, b document) error {
		if want := x.bandsOf(a, b); p.MatchingBands != want {
			return fmt.Errorf("%d keys of bands are equal, all rows agree in %d", p.MatchingBands, want)
		}
		return nil
	})
}

// same says that two numbers are the same but for rounding.
func same(got, want float64) bool {
	return math.Abs(got-want) <= 1e-9*max(math.Abs(want), 1)
}

// The probability is 1-(1-J^r)^b, computed here by multiplying.
func probability(x *Experiment) error {
	return x.eachPair(func(p Pair, _ []string, _, _ document) error {
		band, miss := 1.0, 1.0
		for range x.Settings.Rows {
			band *= p.Jaccard
		}
		for range x.Settings.Bands {
			miss *= 1 - band
		}
		if want := 1 - miss; !same(p.Probability, want) {
			return fmt.Errorf("%v, the formula gives %v", p.Probability, want)
		}
		return nil
	})
}

// The threshold t is (1/b)^(1/r): b t^r = 1.
func threshold(x *Experiment) error {
	t := float64(x.Settings.Bands)
	for range x.Settings.Rows {
		t *= x.Threshold
	}
	if !same(t, 1) {
		return fmt.Errorf("threshold %v: b t^r is %v, not 1", x.Threshold, t)
	}
	return nil
}

// A pair is a candidate if and only if it meets in a band.
func flags(x *Experiment) error {
	return x.eachPair(func(p Pair, _ []string, a, b document) error {
		if met := x.bandsOf(a, b) > 0; p.Candidate != met {
			return fmt.Errorf("candidate is %v, meets in a band is %v", p.Candidate, met)
		}
		return nil
	})
}

// Pairs before are n over 2, near and background together; those after are
// expected to be as many as their probabilities say, and no more than before.
func arithmetic(x *Experiment) error {
	// Of n and n-1 one is even: halved first, nothing is rounded.
	n, m := uint64(x.Settings.Documents), uint64(x.Settings.Documents-1)
	if n%2 == 0 {
		n /= 2
	} else {
		m /= 2
	}
	if x.PairsBefore != n*m {
		return fmt.Errorf("%d pairs of %d documents, want %d", x.PairsBefore, x.Settings.Documents, n*m)
	}
	if x.NearPairs+x.BackgroundPairs != x.PairsBefore {
		return fmt.Errorf("%d near and %d background pairs are not %d", x.NearPairs, x.BackgroundPairs, x.PairsBefore)
	}
	missed := float64(x.NearPairs)*(1-x.Near.Probability) + float64(x.BackgroundPairs)*(1-x.Background.Probability)
	if got := x.PairsAfter + missed; !same(got/float64(x.PairsBefore), 1) {
		return fmt.Errorf("%v pairs stay and %v go, of %d", x.PairsAfter, missed, x.PairsBefore)
	}
	return nil
}

// with repeats the experiment with other settings.
func (x *Experiment) with(change func(s *Settings)) (*Experiment, error) {
	s := x.Settings
	change(&s)
	return Run(s)
}

// Without drift, the copy is the same in every row and band.
func identical(x *Experiment) error {
	y, err := x.with(func(s *Settings) { s.Drift = 0 })
	if err != nil {
		return err
	}
	p, s := y.Near, y.Settings
	if p.Jaccard != 1 || p.Estimate != 1 || p.MatchingRows != s.Bands*s.Rows || p.MatchingBands != s.Bands || p.Probability != 1 || !p.Candidate {
		return fmt.Errorf("a copy without drift: %+v", p)
	}
	return nil
}

// Without boilerplate and with every word replaced, nothing is shared, no row
// agrees and no candidate appears.
func dissimilar(x *Experiment) error {
	y, err := x.with(func(s *Settings) { s.Boilerplate, s.Drift = 0, 1 })
	if err != nil {
		return err
	}
	return y.eachPair(func(p Pair, _ []string, _, _ document) error {
		if p.Shared != 0 || p.Jaccard != 0 || p.MatchingRows != 0 || p.MatchingBands != 0 || p.Probability != 0 || p.Candidate {
			return fmt.Errorf("documents without a common word: %+v", p)
		}
		return nil
	})
}

// Boilerplate alone makes different documents similar: with a head of h of W
// words and another core, h-w+1 of the shingles are shared, and the more of it,
// the likelier a false candidate.
func polluted(x *Experiment) error {
	before := -1.0
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		y, err := x.with(func(s *Settings) { s.Boilerplate = share })
		if err != nil {
			return err
		}
		p, w := y.Background, y.Settings.Width
		all := y.Settings.Words - w + 1
		both := max(0, y.Head-w+1)
		if p.Shared != both || p.Union != 2*all-both {
			return fmt.Errorf("%v of boilerplate: %d of %d shingles shared, want %d of %d", share, p.Shared, p.Union, both, 2*all-both)
		}
		if !same(p.Probability, lsh.Probability(float64(both)/float64(2*all-both), y.Settings.Bands, y.Settings.Rows)) || p.Probability < before {
			return fmt.Errorf("%v of boilerplate: probability %v, before %v", share, p.Probability, before)
		}
		before = p.Probability
	}
	return nil
}
