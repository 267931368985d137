// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math"
	"slices"
	"sort"

	"github.com/gsketch/gsketch/sketch"
)

// Sightings are how often each hash of a Panel was seen in a sample.
type Sightings struct {
	panel  *Panel
	counts []uint64 // by place in the panel's hashes
	bound  uint64   // hashes above it were not looked for
	owner  []int32  // after WinnerTakeAll: the reference that keeps a hash; -1 is none
}

// Params are those of the panel.
func (s *Sightings) Params() sketch.Params { return s.panel.params }

// Len is the number of distinct hashes seen.
func (s *Sightings) Len() int {
	n := 0
	for _, c := range s.counts {
		if c > 0 {
			n++
		}
	}
	return n
}

// A Found is what a sample holds of a reference.
type Found struct {
	Shared uint64 // hashes of the reference that were seen
	Of     uint64 // hashes of the reference that were looked for
	Median uint64 // of the copies of those seen: place floor(Shared/2) in ascending order; 0 if none
}

// Found counts the hashes of reference i.
func (s *Sightings) Found(i int) Found {
	var copies []uint64
	places := s.places(i)
	for _, at := range places {
		if c := s.counts[at]; c > 0 && (s.owner == nil || s.owner[at] == int32(i)) {
			copies = append(copies, c)
		}
	}
	f := Found{Shared: uint64(len(copies)), Of: uint64(len(places))}
	if len(copies) > 0 {
		slices.Sort(copies)
		f.Median = copies[len(copies)/2]
	}
	return f
}

// Each calls yield for every hash of the panel that was looked for, in ascending
// order, with how often it was seen and the references that have it. yield must
// not keep the slice.
func (s *Sightings) Each(yield func(copies uint64, references []int)) {
	owners := make([][]int, len(s.counts))
	for i := range s.panel.of {
		for _, at := range s.places(i) {
			owners[at] = append(owners[at], i)
		}
	}
	for at, references := range owners {
		if len(references) > 0 {
			yield(s.counts[at], references)
		}
	}
}

// places are those of the hashes of reference i that were looked for.
func (s *Sightings) places(i int) []uint32 {
	all := s.panel.of[i]
	n := sort.Search(len(all), func(j int) bool { return s.panel.hashes[all[j]] > s.bound })
	return all[:n]
}

// WinnerTakeAll gives each hash to one reference alone, as mash screen -w does:
// to that with the highest share of its hashes seen (raised to 1/k, which does
// not change the order), among equals to the longer one, then to the first.
// It returns the new sightings and, for each reference that lost all its
// hashes to one which shows the very same ones, that winner; -1 otherwise. s is
// not changed.
func (s *Sightings) WinnerTakeAll(lengths []uint64) (*Sightings, []int) {
	n := s.panel.Len()
	score := make([]float64, n)
	for i := range score {
		if f := s.Found(i); f.Of > 0 {
			score[i] = float64(f.Shared) / float64(f.Of)
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case score[a] != score[b]:
			return sign(score[b] - score[a])
		case lengths[a] != lengths[b]:
			return sign(float64(lengths[b]) - float64(lengths[a]))
		}
		return 0
	})
	w := &Sightings{panel: s.panel, counts: s.counts, bound: s.bound, owner: make([]int32, len(s.counts))}
	for i := range w.owner {
		w.owner[i] = -1
	}
	equal := make([]int, n)
	for _, i := range order {
		equal[i] = w.take(i)
	}
	for i, winner := range equal {
		if winner >= 0 && s.Found(winner).Shared != s.Found(i).Shared {
			equal[i] = -1 // the winner shows more than these hashes
		}
	}
	return w, equal
}

// take gives reference i the hashes seen that nobody has. If it gets none and
// one other has them all, that one is returned, else -1.
func (w *Sightings) take(i int) int {
	const nobody, several = -1, -2
	winner, got := nobody, false
	for _, at := range w.places(i) {
		if w.counts[at] == 0 {
			continue
		}
		switch owner := int(w.owner[at]); {
		case owner < 0:
			w.owner[at], got = int32(i), true
		case winner == nobody:
			winner = owner
		case winner != owner:
			winner = several
		}
	}
	if got || winner == several {
		return nobody
	}
	return winner
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// ScreenPValue is the probability that a reference of random k-mers shows at
// least Shared of Of hashes in a sample of distinct different k-mers:
//
//	p = P(Binomial(Of, r) >= Shared),   r = distinct / space
//
// and its logarithm to base 10, which does not underflow; NaN if space or Of is
// 0. It is 1 if nothing is shared. Ondov et al. 2019,
// doi:10.1186/s13059-019-1841-x.
func ScreenPValue(f Found, distinct, space float64) (value, log10 float64) {
	switch {
	case f.Shared == 0:
		return 1, 0
	case space == 0 || f.Of == 0 || math.IsInf(space, 1):
		return math.NaN(), math.NaN()
	}
	r := min(distinct/space, 1)
	if r == 1 {
		return 1, 0
	}
	ln := logUpperTail(f.Shared, f.Of, r/(1-r))
	return math.Exp(ln), noNegativeZero(ln / math.Ln10)
}

// Identity is the screen's estimate of nucleotide identity, (Shared/Of)^(1/k):
// 1 if all hashes are there, 0 if none is, NaN for a reference without hashes.
func (f Found) Identity(k int) float64 { return containmentANI(ratio(f.Shared, f.Of), k) }
