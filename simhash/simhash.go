// SPDX-License-Identifier: Apache-2.0

// Package simhash holds fingerprints of 64 or 128 bits whose Hamming distance
// grows with the angle between weighted sets of features: SimHash (Charikar
// 2002, doi:10.1145/509907.509965; Manku, Jain and Das Sarma 2007,
// doi:10.1145/1242572.1242592).
//
// Each feature has a hash; bit j of the fingerprint is 1 if the weights of the
// features whose hash has bit j set add up to more than those of the others. A
// tie is 0, and order does not matter.
//
// A Builder makes them of hashes, an Index finds those within a distance, and
// Hyperplanes makes them of dense vectors.
package simhash

import (
	"fmt"
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/gsketch/gsketch/internal/interval"
	"github.com/gsketch/gsketch/sketch"
)

// A Fingerprint is the bits of a sketch, the first 64 in the first word. The
// second word of 64-bit fingerprints is 0.
type Fingerprint [2]uint64

// Distance is the number of bits in which two fingerprints differ.
func (f Fingerprint) Distance(g Fingerprint) int {
	return bits.OnesCount64(f[0]^g[0]) + bits.OnesCount64(f[1]^g[1])
}

// A Sketch is the fingerprint of a set. Its slots are its bits.
type Sketch struct {
	params sketch.Params
	bits   Fingerprint
}

// New returns a sketch of the bits given, each 0 or 1: p.Size of them.
func New(p sketch.Params, slots []uint64) (*Sketch, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	if len(slots) != p.Size {
		return nil, fmt.Errorf("%d bits, want %d", len(slots), p.Size)
	}
	s := &Sketch{params: p}
	for i, v := range slots {
		if v > 1 {
			return nil, fmt.Errorf("bit %d is %d", i, v)
		}
		s.bits[i/64] |= v << (i % 64)
	}
	return s, nil
}

func check(p sketch.Params) error {
	if p.Family != sketch.SimHash {
		return fmt.Errorf("family %q is not simhash", p.Family)
	}
	return p.Validate()
}

func (s *Sketch) Params() sketch.Params    { return s.params }
func (s *Sketch) Len() int                 { return s.params.Size }
func (s *Sketch) Stride() int              { return 1 }
func (s *Sketch) Fingerprint() Fingerprint { return s.bits }

// AppendSlots appends the bits, each as 0 or 1.
func (s *Sketch) AppendSlots(dst []uint64) []uint64 {
	for i := range s.params.Size {
		dst = append(dst, s.bits[i/64]>>(i%64)&1)
	}
	return dst
}

// Empty says whether no bit is set, as of a set without features. Those of
// another set are with a probability of 2^-64 or 2^-128.
func (s *Sketch) Empty() bool { return s.bits == Fingerprint{} }

// Similarity estimates the cosine of the angle between two sets by Cosine. It
// is NaN where a set is empty: it has no direction.
func (s *Sketch) Similarity(other sketch.Signature, confidence float64) (sketch.Similarity, error) {
	if err := s.params.Comparable(other.Params()); err != nil {
		return sketch.Similarity{}, err
	}
	o, ok := other.(*Sketch)
	if !ok {
		var err error
		if o, err = New(other.Params(), other.AppendSlots(nil)); err != nil {
			return sketch.Similarity{}, err
		}
	}
	if s.Empty() || o.Empty() {
		nan := math.NaN()
		return sketch.Similarity{Value: nan, Variance: nan, Low: nan, High: nan}, nil
	}
	return Cosine(s.bits.Distance(o.bits), s.params.Size, confidence), nil
}

// Cosine estimates the cosine of the angle t between two vectors, in [-1, 1],
// from the distance d of their fingerprints of n bits. A bit differs with the
// probability p = t/pi, so that
//
//	cos t = cos(pi d/n),    Var = (1 + Re g(2))/2 - (Re g(1))^2,
//	g(m)  = (1-p + p exp(i pi m/n))^n
//
// Re g(1), the mean of the estimate, is cos t (1 - pi^2 p(1-p)/(2n)) to second
// order: at 64 bits the estimate is too near to 0 by at most 2 %, which is small
// against its error. The interval is that of p.
//
// The probability is exact for projections on random normal vectors, and holds
// for the random signs of hashed features where no few of them outweigh the
// others.
func Cosine(d, n int, confidence float64) sketch.Similarity {
	x, of := float64(d), float64(n)
	p := x / of
	mean, double := wave(p, of, 1), wave(p, of, 2)
	low, high := interval.Proportion(x, of, confidence)
	return sketch.Similarity{
		Value:    math.Cos(math.Pi * p),
		Variance: max(0, (1+double)/2-mean*mean),
		Low:      math.Cos(math.Pi * high),
		High:     math.Cos(math.Pi * low),
	}
}

// wave is Re g(m), the mean of cos(pi m d/n) where d is binomial.
func wave(p, n, m float64) float64 {
	step := cmplx.Rect(p, math.Pi*m/n) + complex(1-p, 0)
	return math.Pow(cmplx.Abs(step), n) * math.Cos(n*cmplx.Phase(step))
}
