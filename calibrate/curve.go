// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"github.com/gsketch/gsketch/internal/interval"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// Steps is the number of equal parts of similarity of which a Curve has a point.
const Steps = 20

// A Curve is the S-curve of a setting: what is predicted and what was measured
// in each part of [0, 1] in which the sample has pairs.
type Curve struct {
	Unit    string
	Params  sketch.Params
	Banding Banding
	Points  []Point
}

// A Point is about the pairs of the sample whose Jaccard index lies in [Low,
// High), 1 included in the last part.
type Point struct {
	Low, High  float64
	Similarity float64 // mean of the pairs
	Pairs      int
	Candidates float64 // of them, the mean over the seeds
	Predicted  float64 // mean of the probability of each pair
	Measured   Share   // Candidates of Pairs, as if pairs were independent
}

// bins sort the pairs of the drawn items by similarity. Each part is cut into
// finer ones, in which the probability hardly changes.
type bins struct {
	items   *items
	pairs   []int // of each part
	fine    []int // of each fine part
	sums    []float64
	sharing int
}

const finer = 500 // fine parts of a part

func newBins(x *items) *bins {
	b := &bins{items: x, pairs: make([]int, Steps), fine: make([]int, Steps*finer), sums: make([]float64, Steps*finer)}
	for j := range x.drawn {
		for i := range j {
			s := 0.0
			if x.shared[place(i, j)] > 0 {
				s = x.jaccard(i, j)
				b.sharing++
			}
			f := min(int(s*Steps*finer), Steps*finer-1)
			b.fine[f]++
			b.sums[f] += s
			b.pairs[f/finer]++
		}
	}
	return b
}

// of is the part that a pair lies in.
func (b *bins) of(i, j int) int {
	if b.items.shared[place(i, j)] == 0 {
		return 0
	}
	return min(int(b.items.jaccard(i, j)*Steps*finer), Steps*finer-1) / finer
}

// curve is that of a trial.
func (t *trial) curve(s *sweep, p sketch.Params) Curve {
	c := Curve{Unit: s.unit, Params: p, Banding: t.banding}
	for part, n := range s.bins.pairs {
		if n == 0 {
			continue
		}
		x := Point{Low: float64(part) / Steps, High: float64(part+1) / Steps, Pairs: n, Candidates: float64(t.met[part]) / float64(s.grid.Seeds)}
		for f := part * finer; f < (part+1)*finer; f++ {
			if k := float64(s.bins.fine[f]); k > 0 {
				x.Similarity += s.bins.sums[f]
				x.Predicted += k * lsh.Probability(Agreement(s.bins.sums[f]/k, p), t.banding.Bands, t.banding.Rows)
			}
		}
		x.Similarity /= float64(n)
		x.Predicted /= float64(n)
		low, high := interval.Proportion(x.Candidates, float64(n), s.grid.Confidence)
		x.Measured = Share{x.Candidates / float64(n), low, high, Binomial}
		c.Points = append(c.Points, x)
	}
	return c
}
