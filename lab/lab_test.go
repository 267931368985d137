// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The contracts hold for all settings.
func TestContracts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Settings{
			Drift:       rapid.Float64Range(0, 1).Draw(t, "drift"),
			Boilerplate: rapid.Float64Range(0, 1).Draw(t, "boilerplate"),
			Width:       rapid.IntRange(1, 9).Draw(t, "width"),
			Bands:       rapid.IntRange(1, 40).Draw(t, "bands"),
			Rows:        rapid.IntRange(1, 10).Draw(t, "rows"),
			Documents:   rapid.IntRange(2, 1e9).Draw(t, "documents"),
			Words:       rapid.IntRange(9, 500).Draw(t, "words"),
			Seed:        rapid.Uint64().Draw(t, "seed"),
		}
		x, err := Run(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range Contracts {
			if err := c.Check(x); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		}
	})
}

// Each contract that speaks of the experiment at hand notices when its number
// is changed; the last three make experiments of their own.
func TestContractsCanFail(t *testing.T) {
	for name, spoil := range map[string]func(x *Experiment){
		"shingle-set ledger":       func(x *Experiment) { x.Near.ShinglesB++ },
		"exact Jaccard accounting": func(x *Experiment) { x.Background.Shared++ },
		"signature agreement":      func(x *Experiment) { x.Near.MatchingRows-- },
		"all-row band collisions":  func(x *Experiment) { x.Near.MatchingBands++ },
		"probability formula":      func(x *Experiment) { x.Background.Probability += 1e-6 },
		"threshold formula":        func(x *Experiment) { x.Threshold *= 1.001 },
		"candidate flags":          func(x *Experiment) { x.Background.Candidate = !x.Background.Candidate },
		"pair-count arithmetic":    func(x *Experiment) { x.PairsBefore++ },
	} {
		x, err := Run(Defaults())
		if err != nil {
			t.Fatal(err)
		}
		spoil(x)
		for _, v := range Audit(x) {
			if v.Name == name && v.Passed {
				t.Errorf("%s spoilt, and it passes", name)
			}
		}
	}
}

// The default experiment by hand. 400 words: 60 of boilerplate, 54 of the 340
// others replaced. The background shares the 57 shingles of its head of 60.
func TestDefaults(t *testing.T) {
	x, err := Run(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	if x.Head != 60 || x.Replaced != 54 {
		t.Errorf("%d words of boilerplate, %d replaced", x.Head, x.Replaced)
	}
	if b := x.Background; b.Shared != 57 || b.Union != 397+397-57 || b.ShinglesA != 397 {
		t.Errorf("background: %+v", b)
	}
	if x.PairsBefore != 1999000 || x.NearPairs != 1000 {
		t.Errorf("pairs: %d, near %d", x.PairsBefore, x.NearPairs)
	}
	if math.Abs(x.Threshold-0.549280) > 1e-6 { // Leskovec, Rajaraman and Ullman, chapter 3
		t.Errorf("threshold %v", x.Threshold)
	}
}

func TestCheck(t *testing.T) {
	for name, change := range map[string]func(s *Settings){
		"drift":       func(s *Settings) { s.Drift = math.NaN() },
		"boilerplate": func(s *Settings) { s.Boilerplate = 1.1 },
		"width":       func(s *Settings) { s.Width = 0 },
		"bands":       func(s *Settings) { s.Bands = 0 },
		"rows":        func(s *Settings) { s.Rows = 65 },
		"documents":   func(s *Settings) { s.Documents = 1 },
		"words":       func(s *Settings) { s.Words = s.Width - 1 },
	} {
		s := Defaults()
		change(&s)
		if _, err := Run(s); err == nil {
			t.Errorf("%s out of range is accepted", name)
		}
	}
}
