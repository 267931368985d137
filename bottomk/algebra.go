// SPDX-License-Identifier: Apache-2.0

package bottomk

import (
	"errors"
	"fmt"

	"github.com/gsketch/gsketch/sketch"
)

// The bottom-s sketch of a union is that of the sketches together. Of an
// intersection, a difference or what is left by a filter, sketches tell less:
// the hashes up to the smallest of their bounds, which is the largest hash of
// a full sketch. The result is the exact bottom-k sketch of as many hashes as
// that are, so its size is their number: whoever compares it knows how far it
// reaches. Where every sketch holds all hashes of its set, the result does, too,
// and keeps the size. Where nothing is left of sketches that do not hold all,
// nothing is known of the result: that is ErrUnknown.

// ErrUnknown says that nothing is left up to the hash to which the sketches
// tell all: larger ones are needed.
var ErrUnknown = errors.New("none of the hashes that the sketches tell all of is left; larger sketches are needed to say more")

var (
	errNoSketch    = errors.New("no sketches")
	errNotWeighted = errors.New("the sketch has no abundances")
)

// Union returns the sketch of the union, of the smallest size among the sets.
// Abundances are added; flat drops them. Sketches with and without abundances
// are a *sketch.MismatchError unless flat.
func Union(flat bool, sets ...sketch.Abundant) (*sketch.Set, error) {
	p, err := smallest(flat, sets...)
	if err != nil {
		return nil, err
	}
	hashes, counts := sketch.Union(sketch.Known(sets...), flat, sets...)
	if len(hashes) > p.Size {
		hashes = hashes[:p.Size]
		if counts != nil {
			counts = counts[:p.Size]
		}
	}
	return New(p, hashes, counts)
}

// Intersect returns the sketch of what all the sets have in common, without
// abundances.
func Intersect(sets ...sketch.Abundant) (*sketch.Set, error) {
	p, err := smallest(true, sets...)
	if err != nil {
		return nil, err
	}
	return part(p, sketch.Known(sets...), sketch.Intersection(sets...), nil)
}

// Subtract returns the sketch of what is in set and in none of the others,
// without abundances.
func Subtract(set sketch.Abundant, others ...sketch.Abundant) (*sketch.Set, error) {
	all := append([]sketch.Abundant{set}, others...)
	p, err := smallest(true, all...)
	if err != nil {
		return nil, err
	}
	known := sketch.Known(all...)
	return part(p, known, sketch.Difference(known, set, others...), nil)
}

// Inflate returns the sketch of what is in set and in from, with the abundances
// that from, which must have some, tells.
func Inflate(set, from sketch.Abundant) (*sketch.Set, error) {
	p, err := smallest(true, set, from)
	if err != nil {
		return nil, err
	}
	if !from.Params().Weighted {
		return nil, errNotWeighted
	}
	p.Weighted = true
	hashes, counts := sketch.Inflated(set.Hashes(), from)
	return part(p, sketch.Known(set, from), hashes, counts)
}

// Filter returns the sketch of what occurs at least low and at most high times.
func Filter(set sketch.Abundant, low, high uint64) (*sketch.Set, error) {
	if !set.Params().Weighted {
		return nil, errNotWeighted
	}
	hashes, counts := sketch.Between(set, low, high)
	return part(set.Params(), set.Bound(), hashes, counts)
}

// Flatten returns the sketch without abundances.
func Flatten(set sketch.Abundant) (*sketch.Set, error) {
	p := set.Params()
	p.Weighted = false
	return New(p, set.Hashes(), nil)
}

// From returns the bottom-k sketch of size s that another hash set includes: a
// FracMinHash sketch does if it has s hashes. A size above that of a bottom-k
// sketch is an error: the hashes are not there.
func From(set sketch.Abundant, s int) (*sketch.Set, error) {
	p := set.Params()
	switch {
	case p.Family == sketch.BottomK && s > p.Size:
		return nil, fmt.Errorf("a sketch of size %d has no hashes for size %d", p.Size, s)
	case p.Family == sketch.BottomK:
		return Reduce(set, s)
	case set.Len() < s && p.Scaled != 1:
		return nil, fmt.Errorf("a sketch with scaled = %d has %d hashes, too few for size %d", p.Scaled, set.Len(), s)
	}
	n := min(s, set.Len())
	counts := set.Abundances()
	if counts != nil {
		counts = counts[:n]
	}
	p.Family, p.Size, p.Scaled = sketch.BottomK, s, 0
	return New(p, set.Hashes()[:n], counts)
}

// part returns a sketch of the hashes that are known up to a bound.
func part(p sketch.Params, known uint64, hashes, counts []uint64) (*sketch.Set, error) {
	if known < widest(p) {
		if len(hashes) == 0 {
			return nil, ErrUnknown
		}
		p.Size = len(hashes)
	}
	return New(p, hashes, counts)
}

// smallest returns the parameters with the smallest size of the sets; flat ones
// have no abundances.
func smallest(flat bool, sets ...sketch.Abundant) (sketch.Params, error) {
	if len(sets) == 0 {
		return sketch.Params{}, errNoSketch
	}
	if err := sketch.Together(flat, sets...); err != nil {
		return sketch.Params{}, err
	}
	p := sets[0].Params()
	for _, s := range sets[1:] {
		p.Size = min(p.Size, s.Params().Size)
	}
	p.Weighted = p.Weighted && !flat
	return p, nil
}
