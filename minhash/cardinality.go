// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/gsketch/gsketch/sketch"
)

// A Count is an estimated number of elements.
type Count struct {
	Value     float64
	Variance  float64 // of the estimator, taken at Value
	Low, High float64 // confidence interval
}

// Cardinality estimates how many distinct elements the union of the sketched
// sets has; the sketches must be comparable. confidence is that of the
// interval, as 0.95.
//
// With n elements whose hashes are uniform on [0, 1):
//
//   - bottom-k: the s-th smallest hash u has a Beta(s, n-s+1) distribution.
//     n = (s-1)/u, relative error 1/sqrt(s-2). Bar-Yossef et al. 2002,
//     doi:10.1007/3-540-45726-7_1. A sketch that is not full has all elements.
//   - FracMinHash: the number of hashes is Binomial(n, u), u = 1/scaled.
//     n = hashes/u, relative error sqrt((1-u)/hashes).
//   - k-permutation: -ln(1-v) of a slot v is exponential with rate n, so
//     n = (k-1)/S with S their sum, which is Gamma(k, n); relative error
//     1/sqrt(k-2). Cohen 1997, doi:10.1006/jcss.1997.1534.
//   - one-permutation: N full bins, whose minima and the whole of each empty
//     bin add up to the share u of all hashes: (N-N/k)/u, and the error is
//     that of a bottom-N sketch with u as its largest hash.
//
// The intervals are exact for these distributions. Hashes of 32 bits collide:
// what is estimated is then the number of distinct hashes, of which there are
// 2^32 (1-exp(-n/2^32)). Low bits, weights and signs say nothing of a number.
func Cardinality(confidence float64, sketches ...sketch.Sketch) (Count, error) {
	if len(sketches) == 0 {
		return Count{}, fmt.Errorf("no sketches")
	}
	for _, s := range sketches[1:] {
		if err := sketches[0].Params().Comparable(s.Params()); err != nil {
			return Count{}, err
		}
	}
	switch p := sketches[0].Params(); p.Family {
	case sketch.BottomK, sketch.FracMinHash:
		return setCardinality(confidence, sketches)
	case sketch.KPerm, sketch.OPH:
		return slotCardinality(confidence, sketches)
	default:
		return Count{}, fmt.Errorf("%s sketches do not tell the number of elements", p.Family)
	}
}

// setCardinality is Cardinality of hash sets.
func setCardinality(confidence float64, sketches []sketch.Sketch) (Count, error) {
	var union []uint64
	bound, size, all := uint64(math.MaxUint64), math.MaxInt, true
	for _, s := range sketches {
		set, ok := s.(sketch.HashSet)
		if !ok {
			return Count{}, fmt.Errorf("%T is not a set of hashes", s)
		}
		union = append(union, set.Hashes()...)
		bound = min(bound, set.Bound())
		size = min(size, set.Params().Size)
		all = all && set.Len() < set.Params().Size
	}
	slices.Sort(union)
	union = slices.Compact(union)
	p := sketches[0].Params()
	space := math.Ldexp(1, p.Hash.Bits)
	if p.Family == sketch.FracMinHash {
		n, _ := slices.BinarySearch(union, bound+1) // no sketch keeps 2^64-1
		if bound == math.MaxUint64 {
			n = len(union)
		}
		return thinned(n, (float64(bound)+1)/space, confidence), nil
	}
	if all && len(union) < size {
		n := float64(len(union))
		return Count{Value: n, Low: n, High: n}, nil
	}
	size = min(size, len(union))
	return lowest(size, 1, (float64(union[size-1])+1)/space, confidence), nil
}

// slotCardinality is Cardinality of signatures.
func slotCardinality(confidence float64, sketches []sketch.Sketch) (Count, error) {
	var mins []uint64
	for _, s := range sketches {
		sig, ok := s.(sketch.Signature)
		if !ok {
			return Count{}, fmt.Errorf("%T is not a signature", s)
		}
		slots := sig.AppendSlots(nil)
		if p := sig.Params(); p.Family == sketch.OPH {
			o, err := counterpart(&OPH{params: p}, sig)
			if err != nil {
				return Count{}, err
			}
			slots = o.own
		}
		if mins == nil {
			mins = slices.Clone(slots)
		}
		lower(mins, slots)
	}
	p := sketches[0].Params()
	if p.Family == sketch.KPerm {
		return ofMinima(mins, p.SlotBits(), confidence), nil
	}
	if p.Sampled > 0 {
		return Count{}, fmt.Errorf("slots of bottom-k sketches do not tell the number of elements, these do")
	}
	e := exposure{space: math.Ldexp(1, p.Hash.Bits), cut: ophBound(p)}
	for _, h := range mins {
		e.add(h)
	}
	return e.count(confidence), nil
}

// ofMinima is the count of k-permutation signatures. Values are taken at the
// middle of the interval that they stand for.
func ofMinima(mins []uint64, bits int, confidence float64) Count {
	largest := uint64(math.MaxUint64) >> (64 - bits)
	sum, seen := 0.0, false
	for _, v := range mins {
		seen = seen || v != largest
		sum -= math.Log1p(-math.Ldexp(float64(v)+0.5, -bits))
	}
	if !seen {
		return Count{}
	}
	k := float64(len(mins))
	tail := (1 - confidence) / 2
	c := Count{Value: (k - 1) / sum, Low: mathext.GammaIncRegInv(k, tail) / sum, High: mathext.GammaIncRegInv(k, 1-tail) / sum}
	c.Variance = c.Value * c.Value / (k - 2)
	if k < 3 {
		c.Variance = math.Inf(1)
	}
	return c
}

// An exposure adds up the share of all hashes that lies below the smallest
// hashes of bins, or in empty bins.
type exposure struct {
	space float64 // number of possible hashes
	cut   uint64  // largest hash that is known of
	bins  int
	full  int
	sum   float64
}

// add takes the smallest hash of the next bin, NoHash if it is empty.
func (e *exposure) add(h uint64) {
	e.bins++
	if h <= e.cut && h != NoHash {
		e.full++
		e.sum += (float64(h) + 0.5) / e.space
		return
	}
	e.sum += (float64(e.cut) + 1) / e.space
}

// elements is the estimate and what two standard errors more are.
func (e *exposure) elements() (n, atMost float64) {
	full, bins := float64(e.full), float64(e.bins)
	correction := full / bins
	n = max(full, (full-correction)*bins/e.sum)
	return n, n + 2*math.Sqrt(lowestVariance(n, full, correction))
}

// count is the estimate. With full = N and share u of all hashes, the others
// lie above the minima with a likelihood (1-u)^(n-N) n!/(n-N)!, which is that of
// a bottom-N sketch whose largest hash is u. N-1 is unbiased where each bin is
// full and N where nearly none is.
func (e *exposure) count(confidence float64) Count {
	if e.full == 0 {
		return Count{}
	}
	k := float64(e.bins)
	return lowest(e.full, float64(e.full)/k, e.sum/k, confidence)
}

// lowest is the count of which the size smallest hashes take the share u, with
// correction taken from size against bias.
func lowest(size int, correction, u, confidence float64) Count {
	s, tail := float64(size), (1-confidence)/2
	c := Count{Value: max((s-correction)/u, s)}
	c.Variance = lowestVariance(c.Value, s, correction)
	c.Low = solve(s, u, func(n float64) bool { return mathext.RegIncBeta(s, n-s+1, u) < tail })
	if correction < 1 { // the size is random as well, hence discrete: stay on the safe side
		s++
	}
	c.High = solve(s, u, func(n float64) bool { return mathext.RegIncBeta(s, n-s+1, u) < 1-tail })
	return c
}

func lowestVariance(n, s, correction float64) float64 {
	return n * max(n-s, 0) / max(s-2*correction, 1)
}

// thinned is the count of which size hashes lie in the share u.
func thinned(size int, u, confidence float64) Count {
	s, tail := float64(size), (1-confidence)/2
	if u >= 1 {
		return Count{Value: s, Low: s, High: s}
	}
	c := Count{Value: s / u, Variance: s / u * (1 - u) / u}
	if size > 0 {
		c.Low = solve(s, u, func(n float64) bool { return mathext.RegIncBeta(s, n-s+1, u) < tail })
	}
	c.High = solve(s, u, func(n float64) bool { return n < s+1 || mathext.RegIncBeta(s+1, n-s, u) < 1-tail })
	return c
}

// solve returns the n from size on, to within 1e-9 of itself, below which less
// holds.
func solve(size, u float64, less func(n float64) bool) float64 {
	if !less(size) {
		return size
	}
	low, high := size, 2*(size+10)/u
	for less(high) {
		high *= 2
	}
	for high-low > 1e-9*high {
		if n := (low + high) / 2; less(n) {
			low = n
		} else {
			high = n
		}
	}
	return high
}
