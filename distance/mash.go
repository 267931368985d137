// SPDX-License-Identifier: Apache-2.0

package distance

import "math"

// Mash returns the Mash distance, in substitutions per base, of two sets of
// k-mers of which shared of of lie in both, j = shared/of:
//
//	D = -ln(2j/(1+j)) / k
//
// It is 0 for j = 1, 1 for j = 0 by convention, at most 1, and NaN for 0 of 0
// or k < 1. Ondov et al. 2016, doi:10.1186/s13059-016-0997-x.
func Mash(shared, of uint64, k int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return mash(float64(shared)/float64(of), k)
}

// mash is the Mash distance at Jaccard index j.
func mash(j float64, k int) float64 {
	switch {
	case k < 1:
		return math.NaN()
	case j >= 1:
		return 0
	case j <= 0:
		return 1
	}
	d := -math.Log(2*j/(1+j)) / float64(k)
	if d <= 0 { // j so close to 1 that the logarithm is that of 1: no -0
		return 0
	}
	return min(d, 1)
}

// Mash is the Mash distance of the pair.
func (p Pair) Mash() float64 { return Mash(p.Shared, p.Of, p.K) }

// PValue is the probability that two unrelated random sequences of these
// lengths share at least as many hashes, and its logarithm to base 10:
//
//	p = P(Binomial(Of, r) >= Shared),   r = pA pB / (pA + pB - pA pB),
//	pX = 1 / (1 + Space/LengthX)
//
// The logarithm is computed as such and does not underflow; p is 0 below
// about 1e-323. Both are NaN if a length or Space is not known (or beyond the
// doubles), or nothing was compared.
// Space is not halved for canonical k-mers, as in Mash (Ondov et al. 2016,
// doi:10.1186/s13059-016-0997-x).
func (p Pair) PValue() (value, log10 float64) {
	if p.Of == 0 || p.LengthA == 0 || p.LengthB == 0 || p.Space == 0 || math.IsInf(p.Space, 1) {
		return math.NaN(), math.NaN()
	}
	// 1/r = 1/pA + 1/pB - 1: no difference of nearly equal numbers.
	odds := 1 / (p.Space/float64(p.LengthA) + p.Space/float64(p.LengthB))
	ln := logUpperTail(p.Shared, p.Of, odds)
	return math.Exp(ln), noNegativeZero(ln / math.Ln10)
}

// PeerMash returns distance and p-value as Mash 2.3 prints them where ours are
// NaN: two empty sketches have distance 0 and p-value 1, and a pair that shares
// nothing has p-value 1 whatever its lengths.
func (p Pair) PeerMash() (distance, value float64) {
	distance, value = p.Mash(), 1
	if p.Of == 0 {
		distance = 0
	}
	if p.Shared > 0 {
		value, _ = p.PValue()
	}
	return distance, value
}

func noNegativeZero(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x
}
