// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gsketch/gsketch/sketch"
)

// An Ensemble finds the sets that contain a share t of a query, |Q and X| / |Q|
// >= t, whatever their sizes: sets are partitioned by size, and in each
// partition bands are chosen for the Jaccard index that t means there (Zhu et
// al. 2016, doi:10.14778/2994509.2994534). It is filled once, then searched.
type Ensemble struct {
	params  sketch.Params
	choices []choice
	uppers  []int              // largest size of each partition
	parts   []map[int]*Banding // by r: as many bands as fit
}

// A choice is b and r for a ratio of sizes.
type choice struct {
	ratio float64 // size of the set over size of the query
	b, r  int
}

// A SizedSet is a signature with the size of its set.
type SizedSet struct {
	Row       uint32
	Size      int // at least 1
	Signature sketch.Signature
}

// NewEnsemble indexes sets for a containment threshold in [0, 1], in at most
// parts partitions (32 is usual), with at most maxRows rows in a band (8 is
// usual).
func NewEnsemble(p sketch.Params, sets []SizedSet, threshold float64, parts, maxRows int) (*Ensemble, error) {
	if !(threshold >= 0 && threshold <= 1) || parts < 1 || maxRows < 1 || maxRows > p.Size {
		return nil, fmt.Errorf("lsh: threshold %v, %d partitions, %d rows", threshold, parts, maxRows)
	}
	counts := map[int]int{}
	for _, s := range sets {
		if s.Size < 1 {
			return nil, fmt.Errorf("lsh: row %d: a set of size %d", s.Row, s.Size)
		}
		counts[s.Size]++
	}
	e := &Ensemble{params: p, choices: choices(threshold, p.Size, maxRows, 0.5, 0.5)}
	return e, e.fill(sets, partitions(counts, parts))
}

// fill inserts sets into partitions by size, given by smallest and largest.
func (e *Ensemble) fill(sets []SizedSet, parts [][2]int) error {
	for _, part := range parts {
		e.uppers = append(e.uppers, part[1])
		byRows := map[int]*Banding{}
		for _, c := range e.choices {
			if byRows[c.r] == nil {
				x, err := NewBanding(e.params, e.params.Size/c.r, c.r, NewMemStore())
				if err != nil {
					return err
				}
				byRows[c.r] = x
			}
		}
		e.parts = append(e.parts, byRows)
	}
	for _, s := range sets {
		for _, x := range e.parts[sort.SearchInts(e.uppers, s.Size)] {
			if err := x.Insert(s.Row, s.Signature); err != nil {
				return fmt.Errorf("row %d: %w", s.Row, err)
			}
		}
	}
	return nil
}

// Params are those of the signatures.
func (e *Ensemble) Params() sketch.Params { return e.params }

// Query returns the rows that are likely to contain the threshold's share of a
// query set of the given size (at least 1), each once, ascending.
func (e *Ensemble) Query(s sketch.Signature, size int) ([]uint32, error) {
	if size < 1 {
		return nil, fmt.Errorf("lsh: a query of size %d", size)
	}
	var found []uint32
	for i, byRows := range e.parts {
		c := e.choice(float64(e.uppers[i]) / float64(size))
		x := byRows[c.r]
		keys, err := x.Keys(nil, s)
		if err != nil {
			return nil, err
		}
		if found, err = x.store.Get(found, keys[:c.b]); err != nil {
			return nil, err
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// choice is that of the smallest ratio tried that is not below the given one.
func (e *Ensemble) choice(ratio float64) choice {
	i := sort.Search(len(e.choices), func(i int) bool { return e.choices[i].ratio >= ratio })
	return e.choices[min(i, len(e.choices)-1)]
}

// choices tries ten ratios of sizes from e^-5 to e^5.
func choices(threshold float64, slots, maxRows int, wFP, wFN float64) []choice {
	const n = 10
	list := make([]choice, n)
	for i := range list {
		ratio := math.Exp(-5 + 10*float64(i)/(n-1))
		b, r := optimalContainment(threshold, ratio, slots, maxRows, wFP, wFN)
		list[i] = choice{ratio, b, r}
	}
	return list
}

// optimalContainment chooses b and r, r <= maxRows, b*r <= slots, for a
// containment threshold at a ratio x/q of sizes: Optimal with the probability
//
//	P(t) = 1 - (1 - (t/(1+x/q-t))^r)^b
//
// of a containment t, which cannot be above x/q.
func optimalContainment(threshold, ratio float64, slots, maxRows int, wFP, wFN float64) (b, r int) {
	best := math.Inf(1)
	for bands := 1; bands <= slots; bands++ {
		for rows := 1; rows <= min(maxRows, slots/bands); rows++ {
			p := func(t float64) float64 { return Probability(t/(1+ratio-t), bands, rows) }
			fp := integrate(p, 0, min(threshold, ratio))
			fn := 0.0
			if ratio >= threshold {
				fn = integrate(func(t float64) float64 { return 1 - p(t) }, threshold, min(1, ratio))
			}
			if e := wFP*fp + wFN*fn; e < best {
				best, b, r = e, bands, rows
			}
		}
	}
	return b, r
}

// partitions cuts the distinct sizes into at most n intervals with the least
// expected number of false positives: the sum over an interval [l, u] of
// count(size) * (u-size)/u. Each is given by its smallest and largest size.
func partitions(counts map[int]int, n int) [][2]int {
	sizes := make([]int, 0, len(counts))
	for s := range counts {
		sizes = append(sizes, s)
	}
	slices.Sort(sizes)
	m := len(sizes)
	if n >= m {
		out := make([][2]int, m)
		for i, s := range sizes {
			out[i] = [2]int{s, s}
		}
		return out
	}
	cost := costs(sizes, counts)
	// least[p][u] is the least cost of the sizes up to place u in p+1 intervals.
	least := make([][]float64, n)
	from := make([][]int, n)
	for p := range least {
		least[p], from[p] = make([]float64, m), make([]int, m)
		for u := range m {
			least[p][u] = cost(0, u)
			for l := 1; p > 0 && l <= u; l++ {
				if c := least[p-1][l-1] + cost(l, u); c < least[p][u] {
					least[p][u], from[p][u] = c, l
				}
			}
		}
	}
	var out [][2]int
	for p, u := n-1, m-1; u >= 0; p-- {
		l := from[max(p, 0)][u]
		out = append(out, [2]int{sizes[l], sizes[u]})
		u = l - 1
	}
	slices.Reverse(out)
	return out
}

// costs returns the cost of the interval from place l to place u, from running
// sums of counts and of sizes.
func costs(sizes []int, counts map[int]int) func(l, u int) float64 {
	number, total := make([]float64, len(sizes)+1), make([]float64, len(sizes)+1)
	for i, s := range sizes {
		number[i+1] = number[i] + float64(counts[s])
		total[i+1] = total[i] + float64(counts[s])*float64(s)
	}
	return func(l, u int) float64 {
		return (number[u+1] - number[l]) - (total[u+1]-total[l])/float64(sizes[u])
	}
}
