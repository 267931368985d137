// SPDX-License-Identifier: Apache-2.0

// Package bottomk holds bottom-k sketches: of all distinct hashes of a set,
// the s smallest. It is the sketch of Mash (Ondov et al. 2016,
// doi:10.1186/s13059-016-0997-x) and of sourmash's num (Broder 1997,
// doi:10.1109/SEQUEN.1997.666900).
//
// The s smallest hashes of a union are the s smallest of both sketches
// together, so sketches of size s merge, and reduce to any smaller size,
// without loss.
package bottomk

import (
	"fmt"
	"math"

	"github.com/gsketch/gsketch/sketch"
)

// New returns a sketch of the hashes given: strictly ascending, at most
// p.Size, none wider than p.Hash.Bits; counts parallel if p.Weighted, nil
// otherwise. The slices are kept. Values come from files, so all is checked.
func New(p sketch.Params, hashes, counts []uint64) (*sketch.Set, error) {
	if p.Family != sketch.BottomK {
		return nil, fmt.Errorf("family %q is not bottomk", p.Family)
	}
	if p.Size < 1 {
		return nil, fmt.Errorf("size %d: at least 1", p.Size)
	}
	if len(hashes) > p.Size {
		return nil, fmt.Errorf("%d hashes in a sketch of size %d", len(hashes), p.Size)
	}
	widest := widest(p)
	if n := len(hashes); n > 0 && hashes[n-1] > widest {
		return nil, fmt.Errorf("hash %d is wider than %d bits", hashes[n-1], p.Hash.Bits)
	}
	bound := widest
	if len(hashes) == p.Size {
		bound = hashes[len(hashes)-1]
	}
	return sketch.NewSet(p, hashes, counts, bound)
}

// Reduce returns the sketch of size s that the same input would have given, or
// set itself where it is not larger. s must be at least 1.
func Reduce(set sketch.Abundant, s int) (*sketch.Set, error) {
	p := set.Params()
	p.Size = min(s, p.Size)
	n := min(s, set.Len())
	counts := set.Abundances()
	if counts != nil {
		counts = counts[:n]
	}
	return New(p, set.Hashes()[:n], counts)
}

func widest(p sketch.Params) uint64 {
	if p.Hash.Bits == 32 {
		return math.MaxUint32
	}
	return math.MaxUint64
}
