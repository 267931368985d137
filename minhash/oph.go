// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/gsketch/gsketch/internal/interval"
	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/sketch"
)

// An OPH is a signature by one-permutation hashing: the hashes of the set fall
// into k bins, and slot i is the smallest hash of bin i. A hash is looked at
// once, not k times. Li, Owen and Zhang 2012, "One permutation hashing"
// (arXiv:1208.1259).
//
// A set of fewer than about k ln k elements leaves bins empty. They hold
// NoHash, or are filled as Params.Densify says so that all slots can be banded.
// Slots hold whole hashes, which tell the bin they come from, so a filled bin
// can still be told from a full one: estimates and unions are those of the
// unfilled signature and lose nothing.
type OPH struct {
	params sketch.Params
	slots  []uint64
	own    []uint64 // the slots before empty bins were filled
	bins   int      // bins that are not empty
}

// NoHash is the slot of an empty bin. An element with this hash, one in 2^64,
// is not seen.
const NoHash = math.MaxUint64

// binOf spreads hashes over k bins. The bin must not depend on the size of the
// hash, since all hashes of a FracMinHash or bottom-k sketch are small; the top
// bits of a product with an odd number depend on all its bits. The number is
// 2^64 divided by the golden ratio, as in Fibonacci hashing (Knuth, TAOCP vol. 3,
// 6.4).
func binOf(h uint64, k uint64) uint64 {
	bin, _ := bits.Mul64(h*mix.Golden, k)
	return bin
}

// NewOPH returns a sketch of the slots given, which are copied: filled as
// p.Densify says. Values come from files, so it is checked that each hash lies
// in its bin and that empty bins are filled as they would be here.
func NewOPH(p sketch.Params, slots []uint64) (*OPH, error) {
	if err := checkSlots(p, sketch.OPH, slots); err != nil {
		return nil, err
	}
	own := slices.Clone(slots)
	widest := ophBound(p)
	for i, h := range own {
		if h == NoHash {
			continue
		}
		if h > widest {
			return nil, fmt.Errorf("slot %d: hash %d is above the bound %d", i, h, widest)
		}
		if binOf(h, uint64(p.Size)) != uint64(i) {
			own[i] = NoHash
		}
	}
	o := newOPH(p, own)
	if !slices.Equal(o.slots, slots) {
		return nil, fmt.Errorf("hashes that do not belong to their bins")
	}
	return o, nil
}

// newOPH fills the empty bins of own, which it keeps.
func newOPH(p sketch.Params, own []uint64) *OPH {
	o := &OPH{params: p, own: own, slots: own}
	for _, h := range own {
		if h != NoHash {
			o.bins++
		}
	}
	if p.Densify != "" && o.bins > 0 && o.bins < len(own) {
		o.slots = densify(own, p.Densify)
	}
	return o
}

// OPHOf makes a signature of k slots from the hashes of a bottom-k or
// FracMinHash sketch, so that it can be banded. Its Params state what it was
// made of. That of a FracMinHash sketch is what an OPHBuilder with the same
// Scaled makes of all hashes.
func OPHOf(set sketch.HashSet, k int, densify string) (*OPH, error) {
	from := set.Params()
	p := sketch.Params{Family: sketch.OPH, Elements: from.Elements, Hash: from.Hash, Size: k, Densify: densify}
	switch from.Family {
	case sketch.FracMinHash:
		p.Scaled = from.Scaled
	case sketch.BottomK:
		p.Sampled = from.Size
	default:
		return nil, fmt.Errorf("no slots can be made of family %q", from.Family)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	own := full[uint64](k, 1)
	bin(own, set.Hashes())
	return newOPH(p, own), nil
}

// bin lowers the slots by hashes.
func bin(slots, hashes []uint64) {
	k := uint64(len(slots))
	for _, h := range hashes {
		if i := binOf(h, k); h < slots[i] {
			slots[i] = h
		}
	}
}

func (o *OPH) Params() sketch.Params { return o.params }
func (o *OPH) Len() int              { return o.params.Size }
func (o *OPH) Stride() int           { return 1 }

// AppendSlots appends the smallest hash of each bin; of an empty bin NoHash, or
// what it is filled with.
func (o *OPH) AppendSlots(dst []uint64) []uint64 { return append(dst, o.slots...) }

// Empty says whether all bins are empty.
func (o *OPH) Empty() bool { return o.bins == 0 }

// Bins is the number of bins that are not empty.
func (o *OPH) Bins() int { return o.bins }

// Similarity estimates the Jaccard index by the bins that are not empty in the
// union of both sets, n of them: the share of those that agree is unbiased, and
// given n
//
//	Var J = J(1-J)/n (f-n)/(f-1)
//
// with f the number of elements of the union, estimated from the bins: their
// minima are n elements drawn from f without replacement. It lies below
// J(1-J)/k where no bin is empty.
//
// Bottom-k sketches do not say what lies above their largest hash; of bins made
// of them those count whose smallest hash both sketches can speak about.
func (o *OPH) Similarity(other sketch.Signature, confidence float64) (sketch.Similarity, error) {
	p, err := counterpart(o, other)
	if err != nil {
		return sketch.Similarity{}, err
	}
	if s, ok := ofEmpty(o, p); ok {
		return s, nil
	}
	if confidence == 0 && o.params.Sampled == 0 {
		return o.share(p), nil
	}
	e := exposure{space: math.Ldexp(1, o.params.Hash.Bits), cut: ophBound(o.params)}
	if o.params.Sampled > 0 {
		e.cut = min(o.largest(), p.largest())
	}
	agree := 0
	for i, h := range o.own {
		e.add(min(h, p.own[i]))
		if h == p.own[i] && h <= e.cut && h != NoHash {
			agree++
		}
	}
	x, of := float64(agree), float64(e.full)
	union, atMost := e.elements()
	s := sketch.Similarity{Value: x / of}
	s.Variance = SampledVariance(s.Value, of, union)
	s.Low, s.High = interval.Sampled(x, of, union, atMost, confidence)
	return s, nil
}

// share is the value of Similarity alone.
func (o *OPH) share(p *OPH) sketch.Similarity {
	agree, empty := 0, 0
	other := p.own[:len(o.own)]
	for i, h := range o.own { // without branches: which bins are empty is not to be foreseen
		equal, bare := 0, 0
		if h == other[i] {
			equal = 1
		}
		if h == NoHash {
			bare = 1
		}
		agree += equal
		empty += equal & bare
	}
	j := float64(agree-empty) / float64(len(o.own)-empty)
	return sketch.Similarity{Value: j, Variance: math.NaN(), Low: j, High: j}
}

// largest is the largest hash that a bin holds.
func (o *OPH) largest() uint64 {
	var top uint64
	for _, h := range o.own {
		if h != NoHash {
			top = max(top, h)
		}
	}
	return top
}

// SampledVariance is the variance of the share of n elements, drawn from f
// without replacement, that have what J of all have: J(1-J)/n (f-n)/(f-1). It is
// 0 where n reaches f. It is that of bins and of bottom-k sketches of size n, f
// the elements of the union.
func SampledVariance(j, n, f float64) float64 {
	if f <= n {
		return 0
	}
	return j * (1 - j) / n * (f - n) / (f - 1)
}

// Union returns the sketch of the union of both sets: the smaller hash of each
// bin. It fails with ErrIncompatible unless other was made with the same
// Params, and for slots made of bottom-k sketches, whose union is another
// sketch of which slots can be made.
func (o *OPH) Union(other *OPH) (*OPH, error) {
	if err := o.params.Comparable(other.params); err != nil {
		return nil, err
	}
	if o.params.Sampled > 0 {
		return nil, fmt.Errorf("slots of bottom-k sketches have no union: %w", sketch.ErrIncompatible)
	}
	own := slices.Clone(o.own)
	lower(own, other.own)
	return newOPH(o.params, own), nil
}

// An OPHBuilder makes OPH sketches.
type OPHBuilder struct {
	params sketch.Params
	bound  uint64
	own    []uint64
}

// NewOPHBuilder returns an empty builder. Slots made of bottom-k sketches
// cannot be built from hashes; see OPHOf.
func NewOPHBuilder(p sketch.Params) (*OPHBuilder, error) {
	if p.Family != sketch.OPH {
		return nil, fmt.Errorf("family %q is not oph", p.Family)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Sampled > 0 {
		return nil, fmt.Errorf("slots of bottom-k sketches are made of these, not of hashes")
	}
	return &OPHBuilder{params: p, bound: ophBound(p), own: full[uint64](p.Size, 1)}, nil
}

// ophBound is the largest hash that a slot can hold.
func ophBound(p sketch.Params) uint64 {
	switch {
	case p.Scaled > 0:
		return sketch.MaxHash(p.Scaled)
	case p.Hash.Bits < 64:
		return 1<<p.Hash.Bits - 1
	}
	return math.MaxUint64
}

func (b *OPHBuilder) Params() sketch.Params { return b.params }
func (b *OPHBuilder) Bound() uint64         { return b.bound }

// AddHashes never fails and does not allocate. With Scaled, a hash of 0 is
// dropped, as in FracMinHash sketches.
func (b *OPHBuilder) AddHashes(hashes []uint64) error {
	if b.bound == math.MaxUint64 {
		bin(b.own, hashes)
		return nil
	}
	k := uint64(len(b.own))
	for _, h := range hashes {
		if h > b.bound || h == 0 && b.params.Scaled > 0 {
			continue
		}
		if i := binOf(h, k); h < b.own[i] {
			b.own[i] = h
		}
	}
	return nil
}

// Merge takes over the bins of another *OPHBuilder with the same Params.
func (b *OPHBuilder) Merge(other sketch.Builder) error {
	o, ok := other.(*OPHBuilder)
	if !ok || o.params != b.params {
		return sketch.ErrIncompatible
	}
	lower(b.own, o.own)
	fill(o.own)
	return nil
}

// Finish fills empty bins as Params say, returns an *OPH and empties the
// builder.
func (b *OPHBuilder) Finish() (sketch.Sketch, error) {
	o := newOPH(b.params, slices.Clone(b.own))
	fill(b.own)
	return o, nil
}
