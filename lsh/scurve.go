// SPDX-License-Identifier: Apache-2.0

package lsh

import "math"

// Probability is that of two signatures becoming candidates in b bands of r
// rows, if each slot agrees with probability s in [0, 1]:
//
//	1 - (1 - s^r)^b
//
// computed without cancellation for small s.
func Probability(s float64, b, r int) float64 {
	return -math.Expm1(float64(b) * math.Log1p(-math.Pow(s, float64(r))))
}

// Threshold is (1/b)^(1/r), the similarity around which the S-curve rises.
func Threshold(b, r int) float64 { return math.Pow(1/float64(b), 1/float64(r)) }

// ExpectedCandidates is the expected number of candidate pairs among pairs with
// these similarities.
func ExpectedCandidates(similarities []float64, b, r int) float64 {
	var sum float64
	for _, s := range similarities {
		sum += Probability(s, b, r)
	}
	return sum
}

// ExpectedRecall is the expected share of pairs with these similarities that
// become candidates; NaN for none.
func ExpectedRecall(similarities []float64, b, r int) float64 {
	return ExpectedCandidates(similarities, b, r) / float64(len(similarities))
}
