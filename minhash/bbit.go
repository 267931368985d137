// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/sketch"
)

// A BBit keeps the lowest 1 to 32 bits of each slot of another signature: of
// k-permutation, of one-permutation with filled bins, or of weighted sampling
// (of a hash of element and t). It is 32 to 64 times smaller at 1 bit and needs
// 1/(1-2^-b)^2 times, at J near 0 more, slots for the same error. Li and König
// 2010, doi:10.1145/1772690.1772759.
//
// Bits lie in planes: bit j of all slots together. Two signatures are compared
// by XOR of the planes, OR over them and a count of ones, for any b alike.
type BBit struct {
	params sketch.Params
	planes []uint64 // plane j is planes[j*width : (j+1)*width]
	width  int      // words of a plane
}

// planeWidth is the number of words of a plane of k slots: a power of two or a
// multiple of 8, so that planes fit vectors.
func planeWidth(k int) int {
	w := (k + 63) / 64
	if w > 8 {
		return groups(w, 8)
	}
	return 1 << bits.Len(uint(w-1))
}

// NewBBit returns a sketch of the slots given, none wider than p.Bits.
func NewBBit(p sketch.Params, slots []uint64) (*BBit, error) {
	if p.Family != sketch.BBit {
		return nil, fmt.Errorf("family %q is not bbit", p.Family)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if len(slots) != p.Size {
		return nil, fmt.Errorf("%d slots, want %d", len(slots), p.Size)
	}
	for i, v := range slots {
		if v>>p.Bits != 0 {
			return nil, fmt.Errorf("slot %d: %d is wider than %d bits", i, v, p.Bits)
		}
	}
	return newBBit(p, slots), nil
}

// newBBit packs the low bits of slots.
func newBBit(p sketch.Params, slots []uint64) *BBit {
	x := &BBit{params: p, width: planeWidth(p.Size)}
	x.planes = make([]uint64, p.Bits*x.width)
	for i, v := range slots {
		for j := range p.Bits {
			x.planes[j*x.width+i/64] |= v >> j & 1 << (i % 64)
		}
	}
	return x
}

// LowBits returns the lowest b bits of the slots of a signature.
func LowBits(s sketch.Signature, b int) (*BBit, error) {
	p := s.Params()
	if p.Bits != 0 {
		return nil, fmt.Errorf("%s keeps low bits already", p)
	}
	p.Family, p.Bits = sketch.BBit, b
	if full := p.Full(); full != s.Params() {
		return nil, fmt.Errorf("%s has no low bits to keep", s.Params())
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	slots := s.AppendSlots(nil)
	if s.Stride() == 2 {
		slots = mixPairs(slots)
	}
	return newBBit(p, slots), nil
}

// mixPairs hashes the pairs of a weighted sample. That of an empty one stays
// full of ones.
func mixPairs(pairs []uint64) []uint64 {
	slots := make([]uint64, len(pairs)/2)
	for i := range slots {
		element, t := pairs[2*i], pairs[2*i+1]
		if element == NoHash && t == NoHash {
			slots[i] = NoHash
			continue
		}
		slots[i] = mix.Bits64(mix.Bits64(element) + t)
	}
	return slots
}

func (x *BBit) Params() sketch.Params { return x.params }
func (x *BBit) Len() int              { return x.params.Size }
func (x *BBit) Stride() int           { return 1 }

// AppendSlots appends the low bits of each slot.
func (x *BBit) AppendSlots(dst []uint64) []uint64 {
	for i := range x.params.Size {
		var v uint64
		for j := range x.params.Bits {
			v |= x.planes[j*x.width+i/64] >> (i % 64) & 1 << j
		}
		dst = append(dst, v)
	}
	return dst
}

// Empty says whether all bits are ones, as those of an empty set are. Those of
// another set are with a probability of 2^-(b k).
func (x *BBit) Empty() bool {
	ones := 0
	for _, w := range x.planes {
		ones += bits.OnesCount64(w)
	}
	return ones == x.params.Bits*x.params.Size
}

// Similarity estimates the Jaccard index (weighted, if the sketch is) by
// BBitJaccard for sets that are small against the number of possible hashes.
// Its value may lie below 0, where clipping would bias it; the interval, that
// of the share of slots that agree, is clipped to [0, 1].
//
// Slots of filled bins agree less independently than is assumed here: for sets
// below k ln k elements the interval is too narrow, by FilledVariance.
func (x *BBit) Similarity(other sketch.Signature, confidence float64) (sketch.Similarity, error) {
	o, err := counterpart(x, other)
	if err != nil {
		return sketch.Similarity{}, err
	}
	if s, ok := ofEmpty(x, o); ok {
		return s, nil
	}
	b := x.params.Bits
	s := ofSlots(x.agree(o), x.params.Size, confidence)
	slope := 1 - math.Ldexp(1, -b)
	s.Value = BBitJaccard(s.Value, b, 0, 0)
	s.Variance /= slope * slope
	s.Low = max(BBitJaccard(s.Low, b, 0, 0), 0)
	s.High = max(BBitJaccard(s.High, b, 0, 0), 0)
	return s, nil
}

// agree counts the slots that are equal.
func (x *BBit) agree(o *BBit) int {
	return x.params.Size - differing(x.planes, o.planes, x.width)
}

// BBitJaccard returns the Jaccard index J of two sets given the share P of
// slots whose lowest b bits agree:
//
//	P = C1 + (1-C2) J
//	C1 = A(r1) r2/(r1+r2) + A(r2) r1/(r1+r2)
//	C2 = A(r1) r1/(r1+r2) + A(r2) r2/(r1+r2)
//	A(r) = r (1-r)^(2^b-1) / (1-(1-r)^(2^b))
//
// r1 and r2, in [0, 1], are the sizes of the sets as shares of all possible
// hashes. Where both are 0, the limit, A is 2^-b, and J = (P-2^-b)/(1-2^-b). The
// result is negative where fewer slots agree than by chance. Li and König 2010,
// doi:10.1145/1772690.1772759, theorem 1. (datasketch 2.0.0 has 2b instead of
// 2^b in the exponent of the denominator.)
func BBitJaccard(p float64, b int, r1, r2 float64) float64 {
	a1, a2 := collisions(b, r1), collisions(b, r2)
	share := 0.5
	if r1+r2 > 0 {
		share = r1 / (r1 + r2)
	}
	c1 := a1*(1-share) + a2*share
	c2 := a1*share + a2*(1-share)
	return (p - c1) / (1 - c2)
}

// collisions is A(r).
func collisions(b int, r float64) float64 {
	values := math.Ldexp(1, b)
	if r == 0 {
		return 1 / values
	}
	rest := math.Log1p(-r)
	return r * math.Exp((values-1)*rest) / -math.Expm1(values*rest)
}

// A BBitBuilder makes BBit sketches through the builder of the full signature.
type BBitBuilder struct {
	params sketch.Params
	full   sketch.Builder
}

// NewBBitBuilder returns an empty builder.
func NewBBitBuilder(p sketch.Params) (*BBitBuilder, error) {
	if p.Family != sketch.BBit {
		return nil, fmt.Errorf("family %q is not bbit", p.Family)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	full, err := NewBuilder(p.Full())
	if err != nil {
		return nil, err
	}
	return &BBitBuilder{params: p, full: full}, nil
}

func (b *BBitBuilder) Params() sketch.Params           { return b.params }
func (b *BBitBuilder) Bound() uint64                   { return b.full.Bound() }
func (b *BBitBuilder) AddHashes(hashes []uint64) error { return b.full.AddHashes(hashes) }

// Merge takes over what another *BBitBuilder with the same Params has seen.
func (b *BBitBuilder) Merge(other sketch.Builder) error {
	o, ok := other.(*BBitBuilder)
	if !ok || o.params != b.params {
		return sketch.ErrIncompatible
	}
	return b.full.Merge(o.full)
}

// Finish returns a *BBit and empties the builder.
func (b *BBitBuilder) Finish() (sketch.Sketch, error) {
	s, err := b.full.Finish()
	if err != nil {
		return nil, err
	}
	return LowBits(s.(sketch.Signature), b.params.Bits)
}
