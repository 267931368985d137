// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gsketch/gsketch/sketch"
)

// A Cover is one step of a greedy minimum set cover: the reference that holds
// most of what is left of the query. Counts are of hashes at Scaled.
type Cover struct {
	Reference int
	Scaled    uint64
	Pair      Pair   // the whole query (A) and the reference (B)
	Query     uint64 // hashes of the query
	Unique    uint64 // hashes of the reference that were left in the query
	Remaining uint64 // hashes of the query that no reference has been given yet

	// Over the Unique hashes, with the query's abundances (1 for a flat one):
	Weight       uint64  // their sum
	WeightSoFar  uint64  // sum of Weight up to this step
	TotalWeight  uint64  // of the whole query
	Mean, Median float64 // NaN for a flat query
	Deviation    float64 // of the population; NaN for a flat query
}

// UniqueContainment is the share of the reference that was left in the query,
// corrected for small sketches as Pair.Containment is.
func (c Cover) UniqueContainment() float64 { return debiased(c.Unique, c.Pair.B, c.Scaled) }

// Gather explains a FracMinHash query by as few references as the greedy rule
// needs: it takes the reference that holds most of what is left of the query
// (among equals the first), removes those hashes, and goes on until none holds
// thresholdBases/scaled of them, or one. It is the algorithm of sourmash gather
// (Irber et al. 2022, doi:10.1101/2022.01.11.475838).
//
// A reference takes part only if it holds as many hashes of the whole query.
// Where a chosen reference has a larger scaled the query is downsampled to it
// from then on.
func Gather(query sketch.Abundant, refs []sketch.Abundant, thresholdBases float64) ([]Cover, error) {
	g := &gatherer{refs: refs, threshold: thresholdBases}
	for i, r := range refs {
		if err := query.Params().Comparable(r.Params()); err != nil {
			return nil, err
		}
		if r.Params().Family != sketch.FracMinHash {
			return nil, fmt.Errorf("gather needs %s sketches: %w", sketch.FracMinHash, sketch.ErrIncompatible)
		}
		if r.Len() >= math.MaxInt32 {
			return nil, fmt.Errorf("reference %d has %d hashes: too many", i, r.Len())
		}
	}
	g.start(query)
	var out []Cover
	for {
		c, ok := g.next()
		if !ok {
			return out, nil
		}
		out = append(out, c)
	}
}

type gatherer struct {
	refs      []sketch.Abundant
	threshold float64

	scaled uint64
	query  view // at scaled
	left   []bool
	held   []bool // by any reference that takes part
	places [][]uint32
	with   [][]int32 // by place in the query: references that hold it
	counts []int     // by reference: hashes that are left
	done   uint64    // weight so far
}

// start finds which references hold what of the query.
func (g *gatherer) start(query sketch.Abundant) {
	g.scaled = query.Params().Scaled
	g.query = viewOf(query)
	g.left = make([]bool, len(g.query.hashes))
	g.held = make([]bool, len(g.query.hashes))
	g.with = make([][]int32, len(g.query.hashes))
	for i := range g.left {
		g.left[i] = true
	}
	g.places = make([][]uint32, len(g.refs))
	g.counts = make([]int, len(g.refs))
	for i, r := range g.refs {
		places := commonPlaces(g.query.hashes, r.Hashes())
		scaled := max(g.scaled, r.Params().Scaled)
		if len(places) == 0 || float64(len(places)) < g.threshold/float64(scaled) {
			continue
		}
		g.places[i], g.counts[i] = places, len(places)
		for _, at := range places {
			g.held[at] = true
			g.with[at] = append(g.with[at], int32(i))
		}
	}
}

// commonPlaces lists the places in a of the values that b has, too.
func commonPlaces(a, b []uint64) []uint32 {
	var places []uint32
	j := 0
	for i, h := range a {
		for j < len(b) && b[j] < h {
			j++
		}
		if j == len(b) {
			break
		}
		if b[j] == h {
			places = append(places, uint32(i))
		}
	}
	return places
}

// next takes the best reference.
func (g *gatherer) next() (Cover, bool) {
	best := -1
	for i, n := range g.counts {
		if n > 0 && (best < 0 || n > g.counts[best]) {
			best = i
		}
	}
	if best < 0 {
		return Cover{}, false
	}
	g.raise(g.refs[best].Params().Scaled)
	least := g.threshold / float64(g.scaled)
	remaining := 0
	for i, l := range g.left {
		if l && g.held[i] {
			remaining++
		}
	}
	if float64(g.counts[best]) < least || float64(remaining) < least || g.counts[best] == 0 {
		return Cover{}, false
	}
	return g.take(best), true
}

// raise downsamples what is left to a larger scaled.
func (g *gatherer) raise(scaled uint64) {
	if scaled <= g.scaled {
		return
	}
	g.scaled = scaled
	bound := sketch.MaxHash(scaled)
	n := sort.Search(len(g.query.hashes), func(i int) bool { return g.query.hashes[i] > bound })
	g.query = g.query.first(n)
	g.left, g.held, g.with = g.left[:n], g.held[:n], g.with[:n]
	for i, places := range g.places {
		m := sort.Search(len(places), func(j int) bool { return int(places[j]) >= n })
		g.places[i], g.counts[i] = places[:m], 0
		for _, at := range places[:m] {
			if g.left[at] {
				g.counts[i]++
			}
		}
	}
}

// take removes the hashes of a reference from what is left.
func (g *gatherer) take(best int) Cover {
	c := Cover{Reference: best, Scaled: g.scaled, Query: uint64(len(g.query.hashes))}
	var copies []uint64
	for _, at := range g.places[best] {
		if !g.left[at] {
			continue
		}
		g.left[at] = false
		c.Unique++
		if g.query.counts != nil {
			copies = append(copies, g.query.counts[at])
		}
		for _, other := range g.with[at] {
			g.counts[other]--
		}
	}
	for _, l := range g.left {
		if l {
			c.Remaining++
		}
	}
	c.Pair = g.pair(best)
	g.weigh(&c, copies)
	return c
}

// pair compares the whole query with a reference.
func (g *gatherer) pair(i int) Pair {
	r := viewOf(g.refs[i]).upTo(sketch.MaxHash(g.scaled))
	p := g.refs[i].Params()
	shared := uint64(len(g.places[i]))
	return Pair{
		Shared: shared, A: uint64(len(g.query.hashes)), B: uint64(len(r.hashes)),
		Of: uint64(len(g.query.hashes)+len(r.hashes)) - shared,
		K:  p.Elements.K, Space: p.Elements.Space(), Scaled: g.scaled,
	}
}

// weigh fills in what follows from the abundances.
func (g *gatherer) weigh(c *Cover, copies []uint64) {
	c.Mean, c.Median, c.Deviation = math.NaN(), math.NaN(), math.NaN()
	c.Weight, c.TotalWeight = c.Unique, c.Query
	if g.query.counts != nil {
		c.Weight, c.TotalWeight = sum(copies), sum(g.query.counts)
		c.Mean, c.Median, c.Deviation = moments(copies)
	}
	g.done += c.Weight
	c.WeightSoFar = g.done
}

func sum(values []uint64) uint64 {
	var s uint64
	for _, v := range values {
		s += v
	}
	return s
}

// moments are mean, median and population standard deviation.
func moments(values []uint64) (mean, median, deviation float64) {
	slices.Sort(values)
	n := len(values)
	mean = float64(sum(values)) / float64(n)
	median = float64(values[n/2])
	if n%2 == 0 {
		median = (median + float64(values[n/2-1])) / 2
	}
	var square float64
	for _, v := range values {
		square += (float64(v) - mean) * (float64(v) - mean)
	}
	return mean, median, math.Sqrt(square / float64(n))
}
