// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Together says whether hash sets can be joined by an operation on sets: nil
// if they are comparable and, unless flat, have all abundances or none. A
// *MismatchError names what differs.
func Together(flat bool, sets ...Abundant) error {
	for _, s := range sets {
		p, q := sets[0].Params(), s.Params()
		if err := p.Comparable(q); err != nil {
			return err
		}
		if !flat && p.Weighted != q.Weighted {
			return &MismatchError{Field: "weighted", Left: fmt.Sprint(p.Weighted), Right: fmt.Sprint(q.Weighted)}
		}
	}
	return nil
}

// Known is the largest hash up to which all the sets are known: the smallest
// of their bounds.
func Known(sets ...Abundant) uint64 {
	known := uint64(math.MaxUint64)
	for _, s := range sets {
		known = min(known, s.Bound())
	}
	return known
}

// Below lists the hashes of a set that are not above a bound, and their
// abundances, nil if there are none. The slices are those of the set.
func Below(set Abundant, bound uint64) (hashes, counts []uint64) {
	hashes, counts = set.Hashes(), set.Abundances()
	n := sort.Search(len(hashes), func(i int) bool { return hashes[i] > bound })
	if counts != nil {
		counts = counts[:n]
	}
	return hashes[:n], counts
}

// Union lists the distinct hashes of all sets up to a bound, ascending, and
// unless flat the sums of their abundances. A sum above 2^64-1 stays there.
func Union(bound uint64, flat bool, sets ...Abundant) (hashes, counts []uint64) {
	for _, s := range sets {
		h, n := Below(s, bound)
		if flat {
			n = nil
		}
		hashes, counts = add(hashes, counts, h, n)
	}
	return hashes, counts
}

// add merges two ascending lists.
func add(ah, an, bh, bn []uint64) (hashes, counts []uint64) {
	weighted := an != nil || bn != nil
	hashes = make([]uint64, 0, max(len(ah), len(bh)))
	for i, j := 0, 0; i < len(ah) || j < len(bh); {
		inA := i < len(ah) && (j == len(bh) || ah[i] <= bh[j])
		inB := j < len(bh) && (i == len(ah) || bh[j] <= ah[i])
		var h, n uint64
		if inA {
			h = ah[i]
			if weighted {
				n = an[i]
			}
			i++
		}
		if inB {
			h = bh[j]
			if weighted {
				n = sum(n, bn[j])
			}
			j++
		}
		hashes = append(hashes, h)
		if weighted {
			counts = append(counts, n)
		}
	}
	return hashes, counts
}

func sum(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// Intersection lists the hashes that are in every one of the sets, ascending;
// none if there is no set.
func Intersection(sets ...Abundant) []uint64 {
	if len(sets) == 0 {
		return nil
	}
	hashes := slices.Clone(sets[0].Hashes())
	for _, s := range sets[1:] {
		hashes = slices.DeleteFunc(hashes, absent(s))
	}
	return hashes
}

// Difference lists the hashes of a set up to a bound that are in none of the
// others, ascending.
func Difference(bound uint64, set Abundant, others ...Abundant) []uint64 {
	hashes, _ := Below(set, bound)
	hashes = slices.Clone(hashes)
	for _, s := range others {
		in := absent(s)
		hashes = slices.DeleteFunc(hashes, func(h uint64) bool { return !in(h) })
	}
	return hashes
}

// absent tells of ascending hashes whether they are missing in a set.
func absent(set Abundant) func(uint64) bool {
	rest := set.Hashes()
	return func(h uint64) bool {
		i := sort.Search(len(rest), func(i int) bool { return rest[i] >= h })
		rest = rest[i:]
		return len(rest) == 0 || rest[0] != h
	}
}

// Inflated lists those of ascending hashes that a weighted set holds, with the
// abundances that they have there.
func Inflated(hashes []uint64, from Abundant) (kept, counts []uint64) {
	theirs, n := from.Hashes(), from.Abundances()
	for i, j := 0, 0; i < len(hashes) && j < len(theirs); {
		switch {
		case hashes[i] < theirs[j]:
			i++
		case hashes[i] > theirs[j]:
			j++
		default:
			kept, counts = append(kept, hashes[i]), append(counts, n[j])
			i, j = i+1, j+1
		}
	}
	return kept, counts
}

// Between lists the hashes of a weighted set whose abundance is at least low
// and at most high, with it.
func Between(set Abundant, low, high uint64) (hashes, counts []uint64) {
	for i, n := range set.Abundances() {
		if n >= low && n <= high {
			hashes, counts = append(hashes, set.Hashes()[i]), append(counts, n)
		}
	}
	return hashes, counts
}
