// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math"

	"github.com/gsketch/gsketch/internal/interval"
)

// ANI from a containment index C, the share of k-mers that survive mutation at
// a rate of 1-ANI per base, is C^(1/k). Hera et al. 2023,
// doi:10.1101/gr.277651.123.
func containmentANI(c float64, k int) float64 {
	if k < 1 {
		return math.NaN()
	}
	return math.Pow(c, 1/float64(k))
}

// ContainmentANI is the average nucleotide identity, a fraction in [0, 1],
// from the containment of the first set in the second: Containment^(1/K). It is
// 0 if nothing is shared, and NaN unless SizesAccurate.
func (p Pair) ContainmentANI() float64 { return p.reliable(containmentANI(p.Containment(), p.K)) }

// ReverseContainmentANI is that from the containment of the second in the first.
func (p Pair) ReverseContainmentANI() float64 {
	return p.reliable(containmentANI(p.ReverseContainment(), p.K))
}

// MaxContainmentANI is that from MaxContainment, and so symmetric: what the
// larger genome has beyond the smaller one does not lower it. It is also the
// larger one of ContainmentANI and ReverseContainmentANI (`sourmash prefetch`).
func (p Pair) MaxContainmentANI() float64 { return p.reliable(containmentANI(p.MaxContainment(), p.K)) }

// AvgContainmentANI is the mean of ContainmentANI and ReverseContainmentANI,
// not the ANI of the mean containment.
func (p Pair) AvgContainmentANI() float64 {
	return (p.ContainmentANI() + p.ReverseContainmentANI()) / 2
}

// JaccardANI is the ANI from the Jaccard index J of two FracMinHash sketches,
//
//	(2J/(1+J))^(1/K),
//
// which assumes genomes of equal size. It is NaN unless SizesAccurate, and if
// the bound of its error, n Var/(n+E)^3, is above 1e-4; n is the mean size, E
// and Var the mean and variance of the number of mutated k-mers (Blanca et al.
// 2022, doi:10.1089/cmb.2021.0431).
func (p Pair) JaccardANI() float64 {
	j := p.Jaccard()
	ani := containmentANI(2*j/(1+j), p.K)
	if p.Shared > 0 && p.Shared < p.Of {
		n := math.RoundToEven(float64(p.A+p.B) / 2 * float64(p.Scaled))
		m := mutations{n: n, k: float64(p.K)}
		e := m.mean(1 - ani)
		if bound := n * m.variance(1-ani) / math.Pow(n+e, 3); !(bound <= maxJaccardError) {
			return math.NaN() // also where the variance is not computable
		}
	}
	return p.reliable(ani)
}

const maxJaccardError = 1e-4 // the threshold of sourmash

func (p Pair) reliable(ani float64) float64 {
	if !p.SizesAccurate() {
		return math.NaN()
	}
	return ani
}

// ANIInterval is the confidence interval of ContainmentANI; MaxANIInterval is
// that of MaxContainmentANI. confidence lies in (0, 1), as 0.95. Both ends are
// NaN where the ANI is, and where the variance is not computable (sketches of
// very few hashes); they coincide for containment 0 and 1.
func (p Pair) ANIInterval(confidence float64) (low, high float64) {
	return p.interval(p.Containment(), p.A, confidence)
}

// MaxANIInterval is the confidence interval of MaxContainmentANI.
func (p Pair) MaxANIInterval(confidence float64) (low, high float64) {
	return p.interval(p.MaxContainment(), min(p.A, p.B), confidence)
}

// ANIRange is the confidence interval of ANI. For bottom-k sketches Shared is
// taken as binomial with the true Jaccard index among Of (Wilson's interval, or
// Clopper and Pearson's where the counts are small), and the ends go through
// the formula of BinomialANI. That is the error of sketching alone; MaxANIInterval, for
// FracMinHash, includes the chance of where mutations fall.
func (p Pair) ANIRange(confidence float64) (low, high float64) {
	if p.Scaled != 0 {
		return p.MaxANIInterval(confidence)
	}
	if p.Of == 0 {
		return math.NaN(), math.NaN()
	}
	least, most := interval.Proportion(float64(p.Shared), float64(p.Of), confidence)
	return BinomialANI(least, p.K), BinomialANI(most, p.K)
}

// JaccardInterval is the confidence interval of Jaccard. The union's hashes that
// were looked at are a sample of it without replacement, Shared of Of. For
// FracMinHash the union has about Of·Scaled elements (interval.Sampled); with
// Scaled = 1 nothing is unknown and both ends are Jaccard. For bottom-k its size is
// not known here and Shared is taken as binomial (Wilson's interval, or Clopper and
// Pearson's where the counts are small), which covers no less. NaN where Of is 0.
func (p Pair) JaccardInterval(confidence float64) (low, high float64) {
	x, n := float64(p.Shared), float64(p.Of)
	switch {
	case p.Of == 0:
		return math.NaN(), math.NaN()
	case p.Scaled == 0:
		return interval.Proportion(x, n, confidence)
	case p.Scaled == 1:
		return x / n, x / n
	}
	scaled := float64(p.Scaled)
	return interval.Sampled(x, n, n*scaled, (n+5*math.Sqrt(n))*scaled, confidence)
}

func (p Pair) interval(c float64, hashes uint64, confidence float64) (low, high float64) {
	if math.IsNaN(c) || p.K < 1 || !p.SizesAccurate() { // so for bottom-k, which has no scaled
		return math.NaN(), math.NaN()
	}
	return aniInterval(c, p.K, float64(p.Scaled), float64(hashes)*float64(p.Scaled), confidence)
}

// PotentialFalseNegative says that the sketches may share nothing by chance
// although the sets do: the expected probability of that, at the ANI found in
// either direction, is above 1e-3. It is true if nothing is shared.
func (p Pair) PotentialFalseNegative() bool {
	return p.missProbability(p.Containment(), p.A) > maxMissProbability ||
		p.missProbability(p.ReverseContainment(), p.B) > maxMissProbability
}

const maxMissProbability = 1e-3 // the threshold of sourmash

// missProbability is exp((n-E) ln(1-1/Scaled)), E the mean number of mutated
// k-mers among n.
func (p Pair) missProbability(c float64, hashes uint64) float64 {
	switch {
	case !(c > 0): // an empty set too: sourmash says containment 0
		return 1
	case c == 1:
		return 0
	}
	n := float64(hashes) * float64(p.Scaled)
	e := mutations{n: n, k: float64(p.K)}.mean(1 - containmentANI(c, p.K))
	return math.Exp((n - e) * math.Log1p(-1/float64(p.Scaled)))
}

// SizesAccurate says that both sketches hold enough hashes for the sizes of
// their sets to be known: len*Scaled is within 20 % of the size with
// probability 0.95 at least. Without it no ANI is given.
func (p Pair) SizesAccurate() bool {
	return sizeAccurate(p.A, p.Scaled) && sizeAccurate(p.B, p.Scaled)
}

const (
	sizeTolerance  = 0.20 // of sourmash
	sizeConfidence = 0.95
	// From 300 hashes on the probability is above 0.999 whatever the scaled:
	// 0.2*sqrt(300) = 3.4 standard deviations.
	surelyAccurate = 300
)

// sizeAccurate says whether P(0.8 m <= X <= 1.2 m) >= 0.95 for X ~
// Binomial(m*scaled, 1/scaled), m the hashes of a sketch.
func sizeAccurate(hashes, scaled uint64) bool {
	switch {
	case hashes == 0 || scaled == 0:
		return false
	case hashes >= surelyAccurate || scaled == 1:
		return true
	}
	m, odds := float64(hashes), 1/(float64(scaled)-1)
	tolerance := sizeTolerance // a variable: 1.2 and 0.8 rounded as at run time
	low, high := math.Ceil(m*(1-tolerance)), math.Floor(m*(1+tolerance))
	var within float64
	for x := low; x <= high; x++ {
		within += math.Exp(logBinomial(x, m*float64(scaled), odds))
	}
	return within >= sizeConfidence
}
