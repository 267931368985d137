// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"fmt"
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

// The classroom case: Jaccard 5/7, 4/8, 3/9 and 1/10; A and B agree in 5 rows
// and meet in bands 1 and 3 of 3x2; 6x1 has three false candidates, 1x6 none at
// all.
func TestClassroom(t *testing.T) {
	c, err := NewClassroom()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]int{"AB": {5, 7}, "AC": {4, 8}, "AD": {1, 10}, "BC": {3, 9}, "BD": {1, 10}, "CD": {0, 11}}
	for _, p := range c.Pairs {
		name := c.Names[p.A] + c.Names[p.B]
		if got := [2]int{p.Shared, p.Union}; got != want[name] {
			t.Errorf("%s: %v, want %v", name, got, want[name])
		}
	}
	if got := c.Pairs[0].Estimate; math.Abs(got-5.0/6) > 1e-12 {
		t.Errorf("AB agree in %v of the rows", got)
	}
	meetings := map[[2]int]string{}
	for _, cut := range c.Cuts {
		for i, met := range cut.Meet {
			if len(met) > 0 {
				meetings[[2]int{cut.Bands, cut.Rows}] += c.Names[c.Pairs[i].A] + c.Names[c.Pairs[i].B] + fmt.Sprint(met)
			}
		}
	}
	for cut, want := range map[[2]int]string{{6, 1}: "AB[0 1 2 4 5]AC[0 3 5]BC[0 5]BD[3]", {3, 2}: "AB[0 2]", {1, 6}: ""} {
		if meetings[cut] != want {
			t.Errorf("%v: %s, want %s", cut, meetings[cut], want)
		}
	}
}
