// SPDX-License-Identifier: Apache-2.0

// Package interval holds confidence intervals of estimated proportions.
package interval

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// normalEnough is the variance n p (1-p) of a count from which on Wilson's
// interval is used. At 10, for any n from 16 to 2048 and 95 % confidence, no
// true p with np(1-p) < 5 is covered in less than 95 %, and none at all in less
// than 93 %: enumerated over the binomial distribution, see the test.
const normalEnough = 10

// Proportion returns a confidence interval of p given x successes in n trials.
//
// Where x(n-x)/n >= 10 it is Wilson's score interval (Wilson 1927,
// doi:10.1080/01621459.1927.10502953), which covers p at the stated confidence
// on average. Elsewhere it is the interval of Clopper and Pearson (1934,
// doi:10.1093/biomet/26.4.404), which covers p at least so often whatever it
// is. n must be at least 1, 0 <= x <= n, confidence in [0, 1); 0 asks for no
// interval, which takes no time, and gives x/n twice.
func Proportion(x, n, confidence float64) (low, high float64) {
	if confidence == 0 {
		return x / n, x / n
	}
	if x*(n-x)/n >= normalEnough {
		return wilson(x/n, n, confidence)
	}
	return clopperPearson(x, n, confidence)
}

// Sampled is Proportion for n trials without replacement from a population of
// at least n, of which there are an estimate and what it hardly exceeds. The
// variance of the count is smaller by (population-n)/(population-1); where it is
// below 10 the interval is that of Clopper and Pearson for the hypergeometric
// distribution and the larger population. A population of n leaves nothing
// unknown: both ends are x/n, as for confidence 0.
func Sampled(x, n, population, atMost, confidence float64) (low, high float64) {
	if atMost <= n || confidence == 0 {
		return x / n, x / n
	}
	left := max(population-n, 0) / (population - 1)
	switch {
	case x*(n-x)/n*left >= normalEnough:
		return wilson(x/n, n/left, confidence)
	case left > 0.99:
		return clopperPearson(x, n, confidence)
	}
	tail := (1 - confidence) / 2
	return leastShare(x, n, atMost, tail), 1 - leastShare(n-x, n, atMost, tail)
}

// leastShare is the share of a population of which n are drawn at which x or
// more successes have the probability tail, or x/population, the least possible
// share, where they are more probable.
func leastShare(x, n, population, tail float64) float64 {
	low, high := x, population-(n-x)
	if x == 0 || hypergeometricTail(x, n, low, population) > tail {
		return low / population
	}
	for range 50 {
		if k := (low + high) / 2; hypergeometricTail(x, n, k, population) < tail {
			low = k
		} else {
			high = k
		}
	}
	return low / population
}

// hypergeometricTail is the probability of x or more successes in n draws
// without replacement from a population with k of them. The gamma function
// extends it to k and populations that are not integers.
func hypergeometricTail(x, n, k, population float64) float64 {
	rest := population - k
	term := math.Exp(lchoose(k, x) + lchoose(rest, n-x) - lchoose(population, n))
	sum := 0.0
	for ; term > sum*0x1p-50; x++ {
		sum += term
		term *= (k - x) * (n - x) / ((x + 1) * (rest - n + x + 1))
	}
	return sum
}

// lchoose is the logarithm of the binomial coefficient n over k.
func lchoose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}

func wilson(p, n, confidence float64) (low, high float64) {
	z := Z(confidence)
	middle := p + z*z/(2*n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return (middle - half) / scale, (middle + half) / scale
}

func clopperPearson(x, n, confidence float64) (low, high float64) {
	tail := (1 - confidence) / 2
	high = 1
	if x > 0 {
		low = mathext.InvRegIncBeta(x, n-x+1, tail)
	}
	if x < n {
		high = mathext.InvRegIncBeta(x+1, n-x, 1-tail)
	}
	return low, high
}

// Z is the number of standard deviations around the mean of a normal
// distribution that hold the given share of it: 1.96 for 0.95.
func Z(confidence float64) float64 { return math.Sqrt2 * math.Erfinv(confidence) }
