// SPDX-License-Identifier: Apache-2.0

package fracminhash

import (
	"errors"
	"fmt"

	"github.com/gsketch/gsketch/sketch"
)

// A FracMinHash sketch of a union, an intersection or a difference consists of
// the union, intersection or difference of the hashes, so all operations on
// sets are exact: the result is the sketch of what the operation would give on
// the whole sets. Sketches of different scaled are brought to the largest.

var errNoSketch = errors.New("no sketches")

// errNotWeighted is what operations on abundances say of a sketch without.
var errNotWeighted = errors.New("the sketch has no abundances")

// Union returns the sketch of the union. Abundances are added; flat drops them.
// Sketches with and without abundances are a *sketch.MismatchError unless flat.
func Union(flat bool, sets ...sketch.Abundant) (*sketch.Set, error) {
	p, err := coarsest(flat, sets...)
	if err != nil {
		return nil, err
	}
	hashes, counts := sketch.Union(sketch.MaxHash(p.Scaled), flat, sets...)
	return New(p, hashes, counts)
}

// Intersect returns the sketch of what all the sets have in common, without
// abundances.
func Intersect(sets ...sketch.Abundant) (*sketch.Set, error) {
	p, err := coarsest(true, sets...)
	if err != nil {
		return nil, err
	}
	return New(p, sketch.Intersection(sets...), nil) // a hash in all is below all bounds
}

// Subtract returns the sketch of what is in set and in none of the others,
// without abundances.
func Subtract(set sketch.Abundant, others ...sketch.Abundant) (*sketch.Set, error) {
	p, err := coarsest(true, append([]sketch.Abundant{set}, others...)...)
	if err != nil {
		return nil, err
	}
	return New(p, sketch.Difference(sketch.MaxHash(p.Scaled), set, others...), nil)
}

// Inflate returns the sketch of what is in set and in from, with the abundances
// that from, which must have some, tells.
func Inflate(set, from sketch.Abundant) (*sketch.Set, error) {
	p, err := coarsest(true, set, from)
	if err != nil {
		return nil, err
	}
	if !from.Params().Weighted {
		return nil, errNotWeighted
	}
	p.Weighted = true
	hashes, counts := sketch.Inflated(set.Hashes(), from)
	return New(p, hashes, counts)
}

// Filter returns the sketch of what occurs at least low and at most high times.
func Filter(set sketch.Abundant, low, high uint64) (*sketch.Set, error) {
	if !set.Params().Weighted {
		return nil, errNotWeighted
	}
	hashes, counts := sketch.Between(set, low, high)
	return New(set.Params(), hashes, counts)
}

// Flatten returns the sketch without abundances.
func Flatten(set sketch.Abundant) (*sketch.Set, error) {
	p := set.Params()
	p.Weighted = false
	return New(p, set.Hashes(), nil)
}

// From returns the FracMinHash sketch that another hash set with 64-bit hashes
// includes: a bottom-k sketch does if it reaches up to sketch.MaxHash(scaled).
func From(set sketch.Abundant, scaled uint64) (*sketch.Set, error) {
	p := set.Params()
	if p.Family == sketch.FracMinHash {
		return Downsample(set, scaled)
	}
	if p.Hash.Bits != 64 {
		return nil, fmt.Errorf("hashes of %d bits make no sketch with scaled = %d: 64 are needed", p.Hash.Bits, scaled)
	}
	bound := sketch.MaxHash(scaled)
	if set.Bound() < bound {
		return nil, fmt.Errorf("%d hashes do not reach up to scaled = %d; up to %d they do", set.Len(), scaled, sketch.ScaledOf(set.Bound())+1)
	}
	hashes, counts := sketch.Below(set, bound)
	if len(hashes) > 0 && hashes[0] == 0 { // no FracMinHash sketch holds it
		hashes = hashes[1:]
		if counts != nil {
			counts = counts[1:]
		}
	}
	p.Family, p.Size, p.Scaled = sketch.FracMinHash, 0, scaled
	return New(p, hashes, counts)
}

// coarsest returns the parameters with the largest scaled of the sets; flat
// ones have no abundances.
func coarsest(flat bool, sets ...sketch.Abundant) (sketch.Params, error) {
	if len(sets) == 0 {
		return sketch.Params{}, errNoSketch
	}
	if err := sketch.Together(flat, sets...); err != nil {
		return sketch.Params{}, err
	}
	p := sets[0].Params()
	for _, s := range sets[1:] {
		p.Scaled = max(p.Scaled, s.Params().Scaled)
	}
	p.Weighted = p.Weighted && !flat
	return p, nil
}
