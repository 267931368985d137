// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"fmt"
	"slices"
)

// A Sketch is immutable and safe for concurrent use.
type Sketch interface {
	Params() Params
	Len() int // values held: hashes or slots
}

// A HashSet is a Sketch that holds every element hash up to Bound (bottom-k,
// FracMinHash).
type HashSet interface {
	Sketch
	Hashes() []uint64 // strictly ascending; callers must not modify it
	Bound() uint64    // every element hash <= Bound is in Hashes
}

// Abundant is a HashSet that also counted.
type Abundant interface {
	HashSet
	Abundances() []uint64 // parallel to Hashes; nil if the sketch is not weighted
}

// A Signature is a Sketch of aligned slots; slot i of two signatures agree
// with a probability that grows with similarity.
type Signature interface {
	Sketch
	AppendSlots(dst []uint64) []uint64 // Len*Stride values
	Stride() int                       // values per slot
}

// A Set is the one implementation of HashSet and Abundant; packages bottomk
// and fracminhash make it and say what its bound is.
type Set struct {
	params Params
	hashes []uint64
	counts []uint64
	bound  uint64
}

// NewSet wraps hashes (strictly ascending, none above bound) and counts (nil
// unless p.Weighted, else parallel and at least 1) without copying them. The
// caller must not modify them afterwards. It validates what it is given, since
// values come from files.
func NewSet(p Params, hashes, counts []uint64, bound uint64) (*Set, error) {
	if p.Weighted != (counts != nil) && len(hashes) > 0 {
		return nil, fmt.Errorf("abundances given: %t, wanted: %t", counts != nil, p.Weighted)
	}
	if counts != nil && len(counts) != len(hashes) {
		return nil, fmt.Errorf("%d abundances for %d hashes", len(counts), len(hashes))
	}
	for i := 1; i < len(hashes); i++ {
		if hashes[i] <= hashes[i-1] {
			return nil, fmt.Errorf("hashes are not strictly ascending (place %d)", i)
		}
	}
	if n := len(hashes); n > 0 && hashes[n-1] > bound {
		return nil, fmt.Errorf("hash %d is above the bound %d", hashes[n-1], bound)
	}
	if i := slices.Index(counts, 0); i >= 0 {
		return nil, fmt.Errorf("abundance 0 (place %d)", i)
	}
	return &Set{params: p, hashes: hashes, counts: counts, bound: bound}, nil
}

func (s *Set) Params() Params       { return s.params }
func (s *Set) Len() int             { return len(s.hashes) }
func (s *Set) Hashes() []uint64     { return s.hashes }
func (s *Set) Bound() uint64        { return s.bound }
func (s *Set) Abundances() []uint64 { return s.counts }
