// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math"

	"github.com/gsketch/gsketch/sketch"
)

// A Pair is what counting the hashes of two sketches gives, with what else the
// estimates need. Each method computes one value of it; NaN is "undefined".
type Pair struct {
	Shared uint64 // hashes in both, among Of
	Of     uint64 // distinct hashes looked at: bottom-k, at most the smaller size; FracMinHash, the union
	A, B   uint64 // hashes of each sketch that took part, after downsampling

	K                int     // letters in an element; 0 for text
	Space            float64 // possible elements, |alphabet|^K; 0 if not known
	Scaled           uint64  // the larger scaled; 0 for bottom-k
	LengthA, LengthB uint64  // lengths of the inputs; 0 if not known
}

// Compare counts two hash sets. Their parameters must be comparable
// (sketch.Params.Comparable), which is to be asked once per collection and not
// per pair; anything but a sketch.HashSet in an item is a caller's error and
// panics.
func Compare(a, b sketch.Item) Pair {
	x, y, s := common(a.Sketch.(sketch.HashSet), b.Sketch.(sketch.HashSet))
	shared, of := overlap(x.hashes, y.hashes, s)
	p := describe(a, b)
	p.Shared, p.Of = uint64(shared), uint64(of)
	p.A, p.B = uint64(len(x.hashes)), uint64(len(y.hashes))
	return p
}

// Counted is Compare for a pair that AllPairs has counted already.
func Counted(a, b sketch.Item, c Count) Pair {
	x, y, _ := common(a.Sketch.(sketch.HashSet), b.Sketch.(sketch.HashSet))
	p := describe(a, b)
	p.Shared, p.Of = uint64(c.Shared), uint64(c.Of)
	p.A, p.B = uint64(len(x.hashes)), uint64(len(y.hashes))
	return p
}

func describe(a, b sketch.Item) Pair {
	p, q := a.Sketch.Params(), b.Sketch.Params()
	return Pair{
		K:       p.Elements.K,
		Space:   p.Elements.Space(),
		Scaled:  max(p.Scaled, q.Scaled),
		LengthA: a.Meta.Length,
		LengthB: b.Meta.Length,
	}
}

// Jaccard is Shared/Of, an unbiased estimate of |A∩B|/|A∪B| in [0, 1]. It is
// NaN for two empty sketches. Broder 1997, doi:10.1109/SEQUEN.1997.666900.
func (p Pair) Jaccard() float64 { return ratio(p.Shared, p.Of) }

// ratio is a/b, NaN for 0/0.
func ratio(a, b uint64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}
