// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"
	"math"
	"slices"

	"github.com/gsketch/gsketch/internal/mix"
)

// hashSampler makes the random numbers of an element and slot from the
// element's hash:
//
//	r, c ~ Gamma(2, 1),  beta ~ Uniform(0, 1)
//	t    = floor(ln w / r + beta)
//	ln a = ln c - r (t - beta) - r
//
// The slot is the element with the smallest a, and its t. A Gamma(2, 1) number
// is -ln(u v) of two uniform ones.
//
// Only operations that IEEE 754 rounds in one way are used, so that samples are
// the same on all processors.
type hashSampler struct{}

func (hashSampler) check(uint64) error { return nil }
func (hashSampler) largest() float64   { return math.MaxFloat64 }

func (hashSampler) sample(pairs, elements []uint64, weights []float64) {
	logs := make([]float64, len(weights))
	shares := make([]float64, len(weights)) // of the largest weight
	heaviest := slices.Max(weights)
	for i, w := range weights {
		logs[i] = ln(w)
		shares[i] = w / heaviest
	}
	for slot := range len(pairs) / 2 {
		best, limit := math.Inf(1), math.Inf(1)
		for i, h := range elements {
			s := stream(mix.Bits64(h + mix.Golden*uint64(slot+1)))
			// r = -ln p and c = -ln q, so a = c exp(-r(t-beta)-r) is at least
			// (1-q) p/w: an element that this rules out needs no logarithm.
			p, q := s.uniform()*s.uniform(), s.uniform()*s.uniform()
			if (1-q)*p > shares[i]*limit {
				continue
			}
			r, beta := -ln(p), s.uniform()
			t := math.Floor(float64(logs[i]/r) + beta)
			if a := ln(-ln(q)) - float64(r*(t-beta)) - r; a < best {
				best = a
				limit = math.Exp(best+ln(heaviest)) * (1 + 1e-6) // far above all rounding
				pairs[2*slot], pairs[2*slot+1] = h, uint64(int64(t))
			}
		}
	}
}

// A stream is a SplitMix64 generator: Steele, Lea and Flood 2014,
// doi:10.1145/2714064.2660195, with the finaliser of MurmurHash3.
type stream uint64

// uniform draws from (0, 1), neither end included, with 52 bits.
func (s *stream) uniform() float64 {
	*s += mix.Golden
	return (float64(mix.Bits64(uint64(*s))>>12) + 0.5) / (1 << 52)
}

// ln is the natural logarithm of a positive finite number, with an error below
// one unit in the last place. It is that of FreeBSD's e_log.c (Sun
// Microsystems 1993), as math.Log is where it is written in Go; here it is the
// same on all processors.
func ln(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
		l1    = 6.666666666666735130e-01
		l2    = 3.999999999940941908e-01
		l3    = 2.857142874366239149e-01
		l4    = 2.222219843214978396e-01
		l5    = 1.818357216161805012e-01
		l6    = 1.531383769920937332e-01
		l7    = 1.479819860511658591e-01
	)
	const sqrtHalf = 0x3fe6a09e667f3bcd // bits of sqrt(1/2)
	k := 0.0
	if x < 0x1p-1022 {
		x *= 1 << 54
		k = -54
	}
	bits := math.Float64bits(x)
	exponent := int64(bits-sqrtHalf) >> 52
	k += float64(exponent)
	f := math.Float64frombits(bits-uint64(exponent)<<52) - 1 // x = 2^exponent (1+f), sqrt(1/2) <= 1+f < sqrt 2
	// log(1+f) = 2s + 2/3 s^3 + ..., s = f/(2+f)
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	t1 := float64(s2 * (l1 + float64(s4*(l3+float64(s4*(l5+float64(s4*l7)))))))
	t2 := float64(s4 * (l2 + float64(s4*(l4+float64(s4*l6)))))
	half := float64(0.5 * f * f)
	return float64(k*ln2Hi) - ((half - (float64(s*(half+t1+t2)) + float64(k*ln2Lo))) - f)
}

// numpySampler holds the random numbers of datasketch's
// WeightedMinHashGenerator. All arithmetic is of 32 bits, as there.
type numpySampler struct {
	dims            int
	r, lnC, uniform []float32 // slot by slot
}

func newNumpySampler(seed uint32, k, dims int) *numpySampler {
	s := &numpySampler{dims: dims, r: make([]float32, k*dims), lnC: make([]float32, k*dims), uniform: make([]float32, k*dims)}
	rs := newRandomState(seed)
	for i := range s.r {
		s.r[i] = float32(rs.gamma())
	}
	for i := range s.lnC {
		s.lnC[i] = float32(math.Log(rs.gamma()))
	}
	for i := range s.uniform {
		s.uniform[i] = float32(rs.float64())
	}
	return s
}

func (s *numpySampler) check(element uint64) error {
	if element >= uint64(s.dims) {
		return fmt.Errorf("element %d of a vector of %d", element, s.dims)
	}
	return nil
}

func (s *numpySampler) largest() float64 { return math.MaxFloat32 }

func (s *numpySampler) sample(pairs, elements []uint64, weights []float64) {
	logs := make([]float32, len(weights))
	for i, w := range weights {
		logs[i] = float32(math.Log(float64(float32(w))))
	}
	for slot := range len(pairs) / 2 {
		best := float32(math.Inf(1))
		at := slot * s.dims
		for i, e := range elements {
			j := at + int(e)
			r, beta := s.r[j], s.uniform[j]
			t := float32(math.Floor(float64(float32(logs[i]/r) + beta)))
			lnY := float32((t - beta) * r)
			if a := s.lnC[j] - lnY - r; a < best {
				best = a
				pairs[2*slot], pairs[2*slot+1] = e, uint64(int64(t))
			}
		}
	}
}
