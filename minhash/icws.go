// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gsketch/gsketch/sketch"
)

// An ICWS is a signature of a weighted set by improved consistent weighted
// sampling: slot i is an element, drawn with a probability in proportion to its
// weight, and an integer t that says at which weight it was drawn. Two sets
// agree in both with a probability of
//
//	J = sum of min(v, w) / sum of max(v, w)
//
// over their weights v and w. That is the Jaccard index where weights are 0 and
// 1, and does not change when all weights of both sets are multiplied by the
// same number. Ioffe 2010, doi:10.1109/ICDM.2010.80.
type ICWS struct {
	params sketch.Params
	pairs  []uint64 // element, t; NoHash, NoHash of an empty set
}

// NewICWS returns a sketch of the pairs given, which are copied. Values come
// from files, so all is checked.
func NewICWS(p sketch.Params, pairs []uint64) (*ICWS, error) {
	if err := checkSlots(p, sketch.ICWS, pairs); err != nil {
		return nil, err
	}
	dims, bounded := p.Hash.NumpyDims()
	empty := 0
	for i := 0; i < len(pairs); i += 2 {
		switch {
		case pairs[i] == NoHash && pairs[i+1] == NoHash:
			empty++
		case bounded && pairs[i] >= uint64(dims):
			return nil, fmt.Errorf("slot %d: element %d of a vector of %d", i/2, pairs[i], dims)
		}
	}
	if empty != 0 && empty != p.Size {
		return nil, fmt.Errorf("%d of %d slots are empty: all are or none is", empty, p.Size)
	}
	return &ICWS{params: p, pairs: slices.Clone(pairs)}, nil
}

func (w *ICWS) Params() sketch.Params { return w.params }
func (w *ICWS) Len() int              { return w.params.Size }
func (w *ICWS) Stride() int           { return 2 }

// AppendSlots appends element and t, in two's complement, of each slot.
func (w *ICWS) AppendSlots(dst []uint64) []uint64 { return append(dst, w.pairs...) }

// Empty says whether no element was added.
func (w *ICWS) Empty() bool { return w.pairs[0] == NoHash && w.pairs[1] == NoHash }

// Similarity estimates the weighted Jaccard index by the share of slots that
// agree, with variance J(1-J)/k as in KPerm.
func (w *ICWS) Similarity(other sketch.Signature, confidence float64) (sketch.Similarity, error) {
	o, err := counterpart(w, other)
	if err != nil {
		return sketch.Similarity{}, err
	}
	if s, ok := ofEmpty(w, o); ok {
		return s, nil
	}
	agree := 0
	for i := 0; i < len(w.pairs); i += 2 {
		if w.pairs[i] == o.pairs[i] && w.pairs[i+1] == o.pairs[i+1] {
			agree++
		}
	}
	return ofSlots(agree, w.params.Size, confidence), nil
}

// ErrNoWeight is returned by Finish where elements were added but all weights
// are zero: such a set has no weighted Jaccard index with any other.
var ErrNoWeight = errors.New("all weights are zero")

// An ICWSBuilder makes ICWS sketches. It adds up the weights of each element
// and draws samples at Finish, in time and memory that follow the number of
// distinct elements, not their weights.
//
// Sums of weights that are integers below 2^53 do not depend on order; those of
// others may in their last bits.
type ICWSBuilder struct {
	params  sketch.Params
	weights map[uint64]float64
	zeros   bool // elements of weight 0 were added
	draw    sampler
}

// A sampler draws the slots of elements, in ascending order, with the
// logarithms of their weights.
type sampler interface {
	check(element uint64) error
	largest() float64 // weight
	sample(pairs, elements []uint64, weights []float64)
}

// NewICWSBuilder returns an empty builder. With the permutation
// sketch.Numpy:DIMENSIONS, elements are the indices of vectors of that length
// and samples equal those of datasketch's WeightedMinHashGenerator; otherwise
// they are hashes.
func NewICWSBuilder(p sketch.Params) (*ICWSBuilder, error) {
	if p.Family != sketch.ICWS {
		return nil, fmt.Errorf("family %q is not icws", p.Family)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	b := &ICWSBuilder{params: p, weights: map[uint64]float64{}, draw: hashSampler{}}
	if dims, ok := p.Hash.NumpyDims(); ok {
		if dims > maxDraws/p.Size {
			return nil, fmt.Errorf("%d slots of %d dimensions are too many", p.Size, dims)
		}
		b.draw = newNumpySampler(uint32(p.Hash.Seed), p.Size, dims)
	}
	return b, nil
}

// maxDraws bounds the memory of a numpySampler to 3 GiB.
const maxDraws = 1 << 28

func (b *ICWSBuilder) Params() sketch.Params { return b.params }

// Bound is the largest hash: any element may be drawn.
func (b *ICWSBuilder) Bound() uint64 { return math.MaxUint64 }

// AddHashes adds 1 to the weight of each element. It fails for an index outside
// the vector.
func (b *ICWSBuilder) AddHashes(hashes []uint64) error {
	for _, h := range hashes {
		if err := b.draw.check(h); err != nil {
			return err
		}
		b.weights[h]++
	}
	return nil
}

// AddWeighted adds weights, none of which may be negative, infinite or not a
// number. An element of weight 0 does not belong to the set.
func (b *ICWSBuilder) AddWeighted(hashes []uint64, weights []float64) error {
	if len(hashes) != len(weights) {
		return fmt.Errorf("%d weights for %d elements", len(weights), len(hashes))
	}
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("weight %v (place %d) is not a number from 0 on", w, i)
		}
		if err := b.draw.check(hashes[i]); err != nil {
			return err
		}
		if w == 0 {
			b.zeros = true
			continue
		}
		b.weights[hashes[i]] += w
	}
	return nil
}

// Merge takes over the weights of another *ICWSBuilder with the same Params.
func (b *ICWSBuilder) Merge(other sketch.Builder) error {
	o, ok := other.(*ICWSBuilder)
	if !ok || o.params != b.params {
		return sketch.ErrIncompatible
	}
	for h, w := range o.weights {
		b.weights[h] += w
	}
	b.zeros = b.zeros || o.zeros
	o.reset()
	return nil
}

// Finish returns an *ICWS and empties the builder. It fails with ErrNoWeight if
// there are elements but no weight, and if the weights of an element add up to infinity.
func (b *ICWSBuilder) Finish() (sketch.Sketch, error) {
	defer b.reset()
	pairs := full[uint64](2*b.params.Size, 1)
	if len(b.weights) == 0 {
		if b.zeros {
			return nil, ErrNoWeight
		}
		return &ICWS{params: b.params, pairs: pairs}, nil
	}
	elements := make([]uint64, 0, len(b.weights))
	for h := range b.weights {
		elements = append(elements, h)
	}
	slices.Sort(elements)
	weights := make([]float64, len(elements))
	for i, h := range elements {
		weights[i] = b.weights[h]
		if weights[i] > b.draw.largest() {
			return nil, fmt.Errorf("the weights of element %d add up to %v: too large", h, weights[i])
		}
	}
	b.draw.sample(pairs, elements, weights)
	if pairs[0] == NoHash && pairs[1] == NoHash { // weights that are 0 in the sampler's precision
		return nil, ErrNoWeight
	}
	return &ICWS{params: b.params, pairs: pairs}, nil
}

func (b *ICWSBuilder) reset() {
	clear(b.weights)
	b.zeros = false
}
