// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"math"

	"github.com/gsketch/gsketch/cluster"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// A truePair is a pair of documents or units of which it is known whether it is
// a near-duplicate. It may be found by any of the pairs of their items.
type truePair struct {
	items  [][2]int
	same   bool
	kind   string
	family int // of near-duplicates, numbered from 0
}

// A truth is what is to be found at a threshold.
type truth struct {
	threshold float64
	pairs     []truePair
	families  int
	labelled  bool
}

// exactTruth are the pairs of drawn items as similar as the threshold. Those
// that hang together by such pairs are a family.
func (s *sweep) exactTruth(threshold float64) *truth {
	t := &truth{threshold: threshold}
	u := cluster.NewUnionFind(s.drawn)
	for j := range s.drawn {
		for i := range j {
			if s.shared[place(i, j)] > 0 && s.jaccard(i, j) >= threshold {
				t.pairs = append(t.pairs, truePair{items: [][2]int{{i, j}}, same: true, kind: All})
				u.Union(uint32(i), uint32(j))
			}
		}
	}
	number := map[uint32]int{}
	for i := range t.pairs {
		root := u.Find(uint32(t.pairs[i].items[0][0]))
		if _, ok := number[root]; !ok {
			number[root] = len(number)
		}
		t.pairs[i].family = number[root]
	}
	t.families = len(number)
	return t
}

// labelTruth are the labelled pairs. Those that hang together by documents that
// they share are a family.
func (s *sweep) labelTruth(threshold float64) *truth {
	t := &truth{threshold: threshold, labelled: true}
	of := map[string][]int{}
	for item, d := range s.items.docs {
		of[s.names[d]] = append(of[s.names[d]], item)
	}
	for _, l := range s.labels {
		if l.Verdict == Unsure {
			continue
		}
		p := truePair{same: l.Verdict == Same, kind: l.Kind}
		for _, a := range of[l.A] {
			for _, b := range of[l.B] {
				p.items = append(p.items, [2]int{a, b})
			}
		}
		t.pairs = append(t.pairs, p)
	}
	return t
}

// A tally adds up what a banding found of a truth, over all seeds.
type tally struct {
	*truth
	found   []int // of each pair, the seeds that found it
	joined  []int // and kept it after verification
	removed int   // without labels: items removed
	wrong   int   // of these, wrongly
}

func newTally(t *truth) *tally {
	return &tally{truth: t, found: make([]int, len(t.pairs)), joined: make([]int, len(t.pairs))}
}

// take counts what one seed found.
func (x *tally) take(s *sweep, found pairSet, signatures []sketch.Estimable) error {
	alike := func(i, j int) bool { return s.jaccard(i, j) >= x.threshold }
	var failed error
	if s.grid.Signatures {
		alike = func(i, j int) bool {
			e, err := signatures[i].Similarity(signatures[j], 0)
			if err != nil {
				failed = err
			}
			return e.Value >= x.threshold
		}
	}
	for n, p := range x.pairs {
		met, kept := false, false
		for _, ij := range p.items {
			if found.has(ij[0], ij[1]) {
				met = true
				kept = kept || alike(ij[0], ij[1])
			}
		}
		if met {
			x.found[n]++
		}
		if kept {
			x.joined[n]++
		}
	}
	if !x.labelled {
		x.remove(s, found, alike)
	}
	return failed
}

// remove does what deduplication would: it joins what is alike, keeps of each
// cluster the document that comes first by name, and counts those that are not
// as similar to that as the threshold.
func (x *tally) remove(s *sweep, found pairSet, alike func(i, j int) bool) {
	u := cluster.NewUnionFind(s.drawn)
	found.each(s.drawn, func(i, j int) {
		if alike(i, j) {
			u.Union(uint32(i), uint32(j))
		}
	})
	kept := map[uint32]int{}
	for i := range s.drawn {
		root := u.Find(uint32(i))
		if k, ok := kept[root]; !ok || s.first(i, k) {
			kept[root] = i
		}
	}
	for i := range s.drawn {
		if k := kept[u.Find(uint32(i))]; k != i {
			x.removed++
			if s.jaccard(i, k) < x.threshold {
				x.wrong++
			}
		}
	}
}

// first says whether an item comes before another by the name of its document.
func (x *items) first(i, j int) bool {
	a, b := x.names[x.docs[i]], x.names[x.docs[j]]
	if a != b {
		return a < b
	}
	return i < j
}

// expected is the mean probability of the pairs that are the same to be found.
func (x *tally) expected(s *sweep, p sketch.Params, b Banding, kind string) float64 {
	var sum, n float64
	for _, pair := range x.pairs {
		if !pair.same || kind != All && pair.kind != kind {
			continue
		}
		missed := 1.0
		for _, ij := range pair.items {
			missed *= 1 - lsh.Probability(Agreement(s.jaccard(ij[0], ij[1]), p), b.Bands, b.Rows)
		}
		sum += 1 - missed
		n++
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / n
}
