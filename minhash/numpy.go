// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mathext/prng"
)

// A randomState draws the numbers of numpy.random.RandomState, whose streams
// numpy has promised never to change: MT19937 and the algorithms of numpy 1.16.
// Products are converted to their own type before they are added, since Go may
// otherwise fuse both operations on some processors and round once instead of
// twice.
type randomState struct {
	mt    *prng.MT19937
	spare float64 // second normal number of the last pair
	cold  bool    // spare is set
}

func newRandomState(seed uint32) *randomState {
	mt := prng.NewMT19937()
	mt.Seed(uint64(seed))
	return &randomState{mt: mt}
}

// upTo draws uniformly from 0..limit by masked rejection.
func (r *randomState) upTo(limit uint64) uint64 {
	mask := uint64(1)<<bits.Len64(limit) - 1
	for {
		if v := r.mt.Uint64() & mask; v <= limit {
			return v
		}
	}
}

// float64 draws uniformly from [0, 1) with 53 bits.
func (r *randomState) float64() float64 {
	high, low := r.mt.Uint32()>>5, r.mt.Uint32()>>6
	return float64(uint64(high)<<26|uint64(low)) / (1 << 53)
}

// normal draws from the standard normal distribution by the polar method,
// which makes two numbers at a time and hands out the second one first.
func (r *randomState) normal() float64 {
	if r.cold {
		r.cold = false
		return r.spare
	}
	for {
		x, y := float64(2*r.float64())-1, float64(2*r.float64())-1
		if d := float64(x*x) + float64(y*y); d < 1 && d != 0 {
			f := math.Sqrt(-2 * math.Log(d) / d)
			r.spare, r.cold = f*x, true
			return f * y
		}
	}
}

// gamma draws from the gamma distribution of shape 2 and scale 1. Marsaglia
// and Tsang 2000, doi:10.1145/358407.358414.
func (r *randomState) gamma() float64 {
	const b = 2 - 1./3
	c := 1 / math.Sqrt(9*b)
	for {
		x := r.normal()
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := r.float64()
		if u < 1-float64(0.0331*(x*x)*(x*x)) || math.Log(u) < float64(0.5*x*x)+float64(b*(1-v+math.Log(v))) {
			return b * v
		}
	}
}
