// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math/bits"
	"sort"

	"github.com/gsketch/gsketch/sketch"
)

// view is the part of a hash set that takes part in a comparison.
type view struct {
	hashes []uint64
	counts []uint64 // parallel to hashes; nil without abundances
}

// common cuts a and b to the hashes that both can speak about and returns with
// them how many of the smallest hashes of their union count.
//
// Bottom-k sketches are cut to the smaller of the two sizes, s', and the s'
// smallest of the union count: beyond them a hash of the smaller sketch may be
// missing. FracMinHash sketches are cut at the bound of the coarser one, which
// is downsampling to the larger scaled, and all of the union counts.
func common(a, b sketch.HashSet) (x, y view, s int) {
	p, q := a.Params(), b.Params()
	x, y = viewOf(a), viewOf(b)
	if p.Family == sketch.BottomK {
		s = min(p.Size, q.Size)
		return x.first(s), y.first(s), s
	}
	bound := min(a.Bound(), b.Bound())
	x, y = x.upTo(bound), y.upTo(bound)
	return x, y, len(x.hashes) + len(y.hashes)
}

func viewOf(h sketch.HashSet) view {
	v := view{hashes: h.Hashes()}
	if w, ok := h.(sketch.Abundant); ok {
		v.counts = w.Abundances()
	}
	return v
}

func (v view) first(n int) view {
	n = min(n, len(v.hashes))
	v.hashes = v.hashes[:n]
	if v.counts != nil {
		v.counts = v.counts[:n]
	}
	return v
}

func (v view) upTo(bound uint64) view {
	n := len(v.hashes)
	if n == 0 || v.hashes[n-1] <= bound {
		return v
	}
	return v.first(sort.Search(n, func(i int) bool { return v.hashes[i] > bound }))
}

// overlap returns how many of the s smallest values of the union of a and b
// lie in both, and how many values those are: s, or fewer if the union is
// smaller. Both lists ascend strictly.
//
// With c shared values among the first of a merge, i+j-c distinct ones have
// been seen. No step can move i or j by more than one, so that many steps as
// are left before any limit need no test but the comparison itself, and that
// one is arithmetic: the order of two hashes is a coin that no branch
// predictor guesses.
func overlap(a, b []uint64, s int) (shared, of int) {
	i, j := 0, 0
	for {
		n := min(len(a)-i, len(b)-j, s-(i+j-shared))
		if n <= 0 {
			return shared, min(s, len(a)+len(b)-shared)
		}
		for ; n > 0; n-- {
			x, y := a[i], b[j]
			_, less := bits.Sub64(x, y, 0)
			_, more := bits.Sub64(y, x, 0)
			i += int(1 - more)
			j += int(1 - less)
			shared += int(1 - less - more)
		}
	}
}
