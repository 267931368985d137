// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// rule is a Gauss-Legendre rule on [0, 1], composite so that the steep rise of
// an S-curve with many rows lies between enough nodes. Its error is below 1e-9
// for curves of up to 1,024 slots (tested against finer rules).
var rule = func() (r struct{ x, w []float64 }) {
	const parts, nodes = 8, 24
	x, w := make([]float64, nodes), make([]float64, nodes)
	for i := range parts {
		quad.Legendre{}.FixedLocations(x, w, float64(i)/parts, float64(i+1)/parts)
		r.x, r.w = append(r.x, x...), append(r.w, w...)
	}
	return r
}()

// integrate returns the integral of f from a to b.
func integrate(f func(float64) float64, a, b float64) float64 {
	var sum float64
	for i, x := range rule.x {
		sum += rule.w[i] * f(a+(b-a)*x)
	}
	return sum * (b - a)
}

// Optimal chooses b bands of r rows, b*r <= slots, for a similarity threshold in
// [0, 1]: those with the smallest weighted error
//
//	wFP * integral of P(s) from 0 to t  +  wFN * integral of 1-P(s) from t to 1
//
// with P the S-curve; the first of equals, fewer bands first. It is the choice
// of datasketch (Zhu et al. 2016, doi:10.14778/2994509.2994534), which fails where
// one band is best, as for thresholds near 1. Weights are in [0, 1] and add up to
// 1.
func Optimal(threshold float64, slots int, wFP, wFN float64) (b, r int, err error) {
	switch {
	case !(threshold >= 0 && threshold <= 1):
		return 0, 0, fmt.Errorf("threshold %v is outside [0, 1]", threshold)
	case slots < 1:
		return 0, 0, fmt.Errorf("%d slots", slots)
	case !(wFP >= 0 && wFP <= 1 && wFN >= 0 && wFN <= 1) || math.Abs(wFP+wFN-1) > 1e-12:
		return 0, 0, fmt.Errorf("weights %v and %v do not add up to 1", wFP, wFN)
	}
	best := math.Inf(1)
	for bands := 1; bands <= slots; bands++ {
		for rows := 1; rows <= slots/bands; rows++ {
			p := func(s float64) float64 { return Probability(s, bands, rows) }
			e := wFP*integrate(p, 0, threshold) + wFN*integrate(func(s float64) float64 { return 1 - p(s) }, threshold, 1)
			if e < best {
				best, b, r = e, bands, rows
			}
		}
	}
	return b, r, nil
}

// ForRecall chooses the cheapest b and r, b*r <= slots, with which two
// signatures of the given similarity become candidates with at least the given
// probability: the largest r, so that as few dissimilar pairs as possible do,
// with as few bands as that needs. It fails if no choice reaches the recall.
func ForRecall(similarity, recall float64, slots int) (b, r int, err error) {
	if !(similarity > 0 && similarity <= 1 && recall > 0 && recall < 1) {
		return 0, 0, fmt.Errorf("similarity %v must be in (0, 1], recall %v in (0, 1)", similarity, recall)
	}
	for r = slots; r >= 1; r-- {
		b = bandsFor(similarity, recall, r)
		if b <= slots/r {
			return b, r, nil
		}
	}
	return 0, 0, fmt.Errorf("%d slots cannot give a recall of %v at similarity %v", slots, recall, similarity)
}

// bandsFor is the least b with Probability(s, b, r) >= recall.
func bandsFor(s, recall float64, r int) int {
	if s == 1 {
		return 1
	}
	b := math.Ceil(math.Log1p(-recall) / math.Log1p(-math.Pow(s, float64(r))))
	if !(b < 1<<31) {
		return math.MaxInt32
	}
	n := max(1, int(b))
	for n > 1 && Probability(s, n-1, r) >= recall { // the quotient may be rounded up
		n--
	}
	return n
}
