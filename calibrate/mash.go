// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// The rows and columns of the tables of Mash.
var (
	MashSizes     = []int{100, 500, 1000, 5000, 10000, 50000, 100000, 500000, 1000000}
	MashDistances = []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4}
)

// A MashBound is by how much a distance is overestimated at most, with
// probability 1-(1-p)/2 where p is that of the table, as Mash 2.3 computes it: x
// is the least number of shared hashes with P(X <= x) > (1-p)/2, X ~ Binomial(s,
// j), and
//
//	distance: j = 1/(2 exp(kD)-1),  bound = -ln(2e/(1+e))/k - D,  e = x/s
//	screen:   j = (1-D)^k,          bound = 1 - e^(1/k) - D
//
// The bound of a distance is +Inf where x is 0: so small a sketch may share
// nothing at that distance. Ondov et al. 2016, doi:10.1186/s13059-016-0997-x.
func MashBound(size int, d float64, k int, p float64, screen bool) float64 {
	kf := float64(k)
	j := 1 / (2*math.Exp(kf*d) - 1)
	if screen {
		j = math.Pow(1-d, kf)
	}
	e := float64(lowerQuantile(size, j, (1-p)/2)) / float64(size)
	if screen {
		return 1 - math.Pow(e, 1/kf) - d
	}
	return -math.Log(2*e/(1+e))/kf - d
}

// lowerQuantile is the least x with P(X <= x) > tail, X ~ Binomial(n, p).
func lowerQuantile(n int, p, tail float64) int {
	return sort.Search(n, func(x int) bool {
		return mathext.RegIncBeta(float64(n-x), float64(x)+1, 1-p) > tail
	})
}
