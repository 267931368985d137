// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"
	"math"

	"github.com/gsketch/gsketch/sketch"
)

// A KPerm is a signature by k permutations: slot i is the smallest value of
// permutation i over the set. Two sets agree in a slot with probability J,
// their Jaccard index. Broder 1997, doi:10.1109/SEQUEN.1997.666900.
//
// The permutations are those of datasketch 2.0 for the same scheme, seed and
// number of slots, so that equal element hashes give equal arrays.
type KPerm struct {
	params sketch.Params
	narrow []uint32 // schemes with 32-bit values
	wide   []uint64 // affine64
}

// NewKPerm returns a sketch of the slots given, which are copied. Values come
// from files, so their number and width are checked.
func NewKPerm(p sketch.Params, slots []uint64) (*KPerm, error) {
	if err := checkSlots(p, sketch.KPerm, slots); err != nil {
		return nil, err
	}
	k := &KPerm{params: p}
	if p.SlotBits() == 64 {
		k.wide = append(k.wide, slots...)
		return k, nil
	}
	k.narrow = make([]uint32, len(slots))
	for i, v := range slots {
		k.narrow[i] = uint32(v)
	}
	return k, nil
}

// checkSlots says whether p is of the family and describes slots as given.
func checkSlots(p sketch.Params, family string, slots []uint64) error {
	if p.Family != family {
		return fmt.Errorf("family %q is not %s", p.Family, family)
	}
	if err := p.Validate(); err != nil {
		return err
	}
	if want := p.Size * p.Stride(); len(slots) != want {
		return fmt.Errorf("%d values where %d slots have %d", len(slots), p.Size, want)
	}
	for i, v := range slots {
		if v>>(p.SlotBits()-1)>>1 != 0 {
			return fmt.Errorf("slot %d: %d is wider than %d bits", i, v, p.SlotBits())
		}
	}
	return nil
}

func (k *KPerm) Params() sketch.Params { return k.params }
func (k *KPerm) Len() int              { return k.params.Size }
func (k *KPerm) Stride() int           { return 1 }

// AppendSlots appends the values, of 32 or 64 bits by scheme.
func (k *KPerm) AppendSlots(dst []uint64) []uint64 {
	for _, v := range k.narrow {
		dst = append(dst, uint64(v))
	}
	return append(dst, k.wide...)
}

// Empty says whether all slots have their initial, largest value, as in
// datasketch. No other set can be told from the empty one.
func (k *KPerm) Empty() bool { return allFull(k.narrow) && allFull(k.wide) }

func allFull[T uint32 | uint64](values []T) bool {
	for _, v := range values {
		if v != ^T(0) {
			return false
		}
	}
	return true
}

// Similarity estimates the Jaccard index by the share of slots that agree:
//
//	J = agree / k,    Var J = J(1-J) / k <= 1/(4k)
//
// It is NaN for two empty sets, where datasketch says 1. For the interval see
// package documentation.
func (k *KPerm) Similarity(other sketch.Signature, confidence float64) (sketch.Similarity, error) {
	o, err := counterpart[*KPerm](k, other)
	if err != nil {
		return sketch.Similarity{}, err
	}
	if s, ok := ofEmpty(k, o); ok {
		return s, nil
	}
	agree := agreeing(k.narrow, o.narrow) + agreeing(k.wide, o.wide)
	return ofSlots(agree, k.params.Size, confidence), nil
}

func agreeing[T uint32 | uint64](a, b []T) int {
	n := 0
	b = b[:len(a)]
	for i, v := range a {
		if v == b[i] {
			n++
		}
	}
	return n
}

// Union returns the sketch of the union of both sets: the smaller value of each
// slot. It fails with ErrIncompatible unless other was made with the same
// Params.
func (k *KPerm) Union(other *KPerm) (*KPerm, error) {
	if err := k.params.Comparable(other.params); err != nil {
		return nil, err
	}
	u := &KPerm{params: k.params, narrow: append([]uint32(nil), k.narrow...), wide: append([]uint64(nil), k.wide...)}
	lower(u.narrow, other.narrow)
	lower(u.wide, other.wide)
	return u, nil
}

// PeerCount is the number of elements as datasketch estimates it, k/sum(v) - 1
// with v the values as shares of the largest one; 0 for an empty set.
// Cardinality is less biased and knows its error.
func (k *KPerm) PeerCount() float64 {
	if k.Empty() {
		return 0
	}
	sum := 0.0
	for _, v := range k.narrow {
		sum += float64(v) / math.MaxUint32
	}
	for _, v := range k.wide {
		sum += float64(v) / math.MaxUint64
	}
	return float64(k.params.Size)/sum - 1
}

// A KPermBuilder makes KPerm sketches.
type KPermBuilder struct {
	params   sketch.Params
	permuter permuter
}

// NewKPermBuilder returns an empty builder. numpy takes seeds below 2^32; files
// of datasketch may state others, of permutations that their writer made up,
// and such sketches can be compared but not built.
func NewKPermBuilder(p sketch.Params) (*KPermBuilder, error) {
	if p.Family != sketch.KPerm {
		return nil, fmt.Errorf("family %q is not kperm", p.Family)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if p.Hash.Seed > math.MaxUint32 && p.Hash.Permutation != sketch.Milvus {
		return nil, fmt.Errorf("seed %d of the permutations is outside 0..2^32-1", p.Hash.Seed)
	}
	return &KPermBuilder{params: p, permuter: newPermuter(p)}, nil
}

func (b *KPermBuilder) Params() sketch.Params { return b.params }

// Bound is the largest hash: any hash may be the smallest in a permutation.
func (b *KPermBuilder) Bound() uint64 { return math.MaxUint64 }

// AddHashes never fails and does not allocate.
func (b *KPermBuilder) AddHashes(hashes []uint64) error {
	b.permuter.add(hashes)
	return nil
}

// Merge takes over the minima of another *KPermBuilder with the same Params.
func (b *KPermBuilder) Merge(other sketch.Builder) error {
	o, ok := other.(*KPermBuilder)
	if !ok || o.params != b.params {
		return sketch.ErrIncompatible
	}
	b.permuter.merge(o.permuter)
	o.permuter.reset()
	return nil
}

// Finish returns a *KPerm and empties the builder.
func (b *KPermBuilder) Finish() (sketch.Sketch, error) {
	k := b.permuter.finish(b.params)
	b.permuter.reset()
	return k, nil
}
