// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gsketch/gsketch/sketch"
)

// An Alternative is what a slot of a similar set may hold instead of the value
// that the query has there.
type Alternative struct {
	Slot  int
	Value []uint64 // Stride values
	Cost  float64  // at least 0: the less likely, the more
}

// SecondMinima are the alternatives of a signature of minima: the second
// smallest values of its slots (minhash.SecondMinima), which a set without the
// smallest element may have. All cost 1; math.MaxUint64 is no value.
func SecondMinima(values []uint64) []Alternative {
	var list []Alternative
	for i, v := range values {
		if v != math.MaxUint64 {
			list = append(list, Alternative{i, []uint64{v}, 1})
		}
	}
	return list
}

// FlippedBits are the alternatives of a SimHash fingerprint: each bit flipped,
// at the cost of the square of its margin (simhash.Builder.FinishMargins). The
// nearer the sum of a bit was to 0, the likelier a similar set has the other.
func FlippedBits(bits sketch.Signature, margins []float64) []Alternative {
	list := make([]Alternative, len(margins))
	for i, v := range bits.AppendSlots(nil)[:len(margins)] {
		list[i] = Alternative{i, []uint64{1 - v}, margins[i] * margins[i]}
	}
	return list
}

// ProbeKeys appends the key of each band, and behind it the keys of the n
// cheapest ways to put alternatives in the place of slots of the band, at most
// one in a slot; what several cost is added up. Lv, Josephson, Wang, Charikar and
// Li 2007, "Multi-probe LSH" (VLDB, 950-961).
func (x *Banding) ProbeKeys(dst []Key, s sketch.Signature, alternatives []Alternative, n int) ([]Key, error) {
	if n < 0 {
		return nil, fmt.Errorf("lsh: %d probes", n)
	}
	own, err := x.Keys(nil, s)
	if err != nil {
		return nil, err
	}
	byBand := make([][]Alternative, x.b)
	for _, a := range alternatives {
		if a.Slot < 0 || a.Slot >= x.params.Size || len(a.Value) != s.Stride() || !(a.Cost >= 0) {
			return nil, fmt.Errorf("lsh: alternative of cost %v for slot %d of %d", a.Cost, a.Slot, x.params.Size)
		}
		if band := a.Slot / x.r; band < x.b {
			byBand[band] = append(byBand[band], a)
		}
	}
	width := x.r * s.Stride()
	changed := make([]uint64, width)
	for band, key := range own {
		dst = append(dst, key)
		for _, probe := range cheapest(byBand[band], n) {
			copy(changed, x.slots[band*width:])
			for _, a := range probe {
				copy(changed[(a.Slot-band*x.r)*s.Stride():], a.Value)
			}
			dst = append(dst, x.key(band, changed))
		}
	}
	return dst, nil
}

// Probe is Candidates with n more buckets looked at in each band, those that
// ProbeKeys names. It finds as much with fewer bands, hence less memory.
func (x *Banding) Probe(dst []uint32, s sketch.Signature, alternatives []Alternative, n int) ([]uint32, error) {
	keys, err := x.ProbeKeys(x.keys[:0], s, alternatives, n)
	if errors.Is(err, ErrEmpty) {
		return dst, nil
	} else if err != nil {
		return dst, err
	}
	x.keys = keys
	return x.members(dst, keys)
}

// ProbedProbability is that of a set becoming a candidate where each band is
// also looked for with any one of its r minima replaced by the second smallest
// (r probes of SecondMinima). j is the Jaccard index, a the share of the union
// that only the query has, which is (1-j)/2 for sets of equal size:
//
//	1 - (1 - j^r (1 + r a))^b
//
// since a set that lacks the smallest element of the query has the second
// smallest as its minimum with probability a j.
func ProbedProbability(j, a float64, b, r int) float64 {
	one := math.Pow(j, float64(r)) * (1 + float64(r)*a)
	return -math.Expm1(float64(b) * math.Log1p(-min(1, one)))
}

// cheapest returns the n cheapest non-empty sets of alternatives with at most
// one for a slot, cheapest first.
func cheapest(list []Alternative, n int) [][]Alternative {
	if len(list) == 0 || n == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b Alternative) int {
		return cmp.Or(cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.Slot, b.Slot))
	})
	// Each set but the first comes of one cheaper set, by moving its last member
	// to the next place or by adding the next one.
	next := &choicesHeap{list: list, sets: []places{{list[0].Cost, []int{0}}}}
	var out [][]Alternative
	for len(out) < n && len(next.sets) > 0 {
		at := heap.Pop(next).(places)
		if set, ok := next.members(at); ok {
			out = append(out, set)
		}
		last := at.members[len(at.members)-1]
		if last+1 == len(list) {
			continue
		}
		more := list[last+1].Cost
		moved := slices.Clone(at.members)
		moved[len(moved)-1] = last + 1
		heap.Push(next, places{at.cost - list[last].Cost + more, moved})
		heap.Push(next, places{at.cost + more, append(slices.Clone(at.members), last+1)})
	}
	return out
}

// places are a set of alternatives, by their places in the sorted list.
type places struct {
	cost    float64
	members []int
}

type choicesHeap struct {
	list []Alternative
	sets []places
}

// members returns the alternatives of a set, or false if two are for one slot.
func (h *choicesHeap) members(at places) ([]Alternative, bool) {
	var set []Alternative
	for _, i := range at.members {
		a := h.list[i]
		if slices.ContainsFunc(set, func(b Alternative) bool { return b.Slot == a.Slot }) {
			return nil, false
		}
		set = append(set, a)
	}
	return set, true
}

func (h *choicesHeap) Len() int      { return len(h.sets) }
func (h *choicesHeap) Swap(i, j int) { h.sets[i], h.sets[j] = h.sets[j], h.sets[i] }
func (h *choicesHeap) Push(x any)    { h.sets = append(h.sets, x.(places)) }
func (h *choicesHeap) Less(i, j int) bool {
	a, b := h.sets[i], h.sets[j]
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(len(a.members), len(b.members)), slices.Compare(a.members, b.members)) < 0
}

func (h *choicesHeap) Pop() any {
	last := h.sets[len(h.sets)-1]
	h.sets = h.sets[:len(h.sets)-1]
	return last
}
