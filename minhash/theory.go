// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"
	"math"

	"github.com/gsketch/gsketch/sketch"
)

// FilledVariance is the variance of the share of agreeing slots of two
// one-permutation signatures of k slots with filled bins, which is what banding
// and b-bit signatures see. n bins are not empty in the union of both sets, of
// f elements; the others are filled as how says, sketch.Optimal or
// sketch.Rotation. With e = k-n empty bins,
//
//	Var = J(1-J) (f/(f-1) W/k^2 - 1/(f-1))
//	W   = k^2/n + e(n-1)/n          optimal
//	W   = k^2/n + e(n-1)k/(n(n+1))  rotation
//
// W is the mean of the sum of the squares of how often each full bin is used.
// Empty bins fall to full ones uniformly (optimal; the mean is also over all
// ways to choose: the one that is fixed here is within a few percent), or by the
// gaps between full ones (rotation); the minima of full bins are drawn from f
// elements without replacement. OPH.Similarity does not look at filled bins and is more exact:
// J(1-J)/n (f-n)/(f-1), which is this with W = k^2/n.
func FilledVariance(j float64, k, n int, f float64, how string) float64 {
	if f <= 1 {
		return 0
	}
	kf := float64(k)
	return j * (1 - j) * (f/(f-1)*fillings(kf, float64(n), how)/(kf*kf) - 1/(f-1))
}

// fillings is W.
func fillings(k, n float64, how string) float64 {
	e := k - n
	switch how {
	case sketch.Optimal:
		return k*k/n + e*(n-1)/n
	case sketch.Rotation:
		return k*k/n + e*(n-1)*k/(n*(n+1))
	}
	return k * k / n
}

// CollidedJaccard is the Jaccard index to expect of the hashes of two sets, of
// which shared elements lie in both and onlyA and onlyB in one. With D = 2^bits
// hashes, a value is taken by at least one of m elements with the probability
// p(m) = 1-(1-1/D)^m, and then
//
//	J = (p(s) + (1-p(s)) p(a) p(b)) / p(s+a+b)
//
// Elements that collide make sets look more similar: two sets of n elements
// that share none appear to have J = n/(2D).
func CollidedJaccard(shared, onlyA, onlyB float64, bits int) float64 {
	taken := func(m float64) float64 { return -math.Expm1(m * math.Log1p(-math.Ldexp(1, -bits))) }
	s := taken(shared)
	return (s + (1-s)*taken(onlyA)*taken(onlyB)) / taken(shared+onlyA+onlyB)
}

// HashBits is the number of bits of an element's hash that a sketch made with p
// sees: 32 for affine32 and legacy, whose hashes of 64 bits lose the upper half.
func HashBits(p sketch.Params) int {
	switch p.Hash.Permutation {
	case sketch.Affine32, sketch.Legacy:
		return 32
	}
	return p.Hash.Bits
}

// CollisionWarning says that sets of so many elements are too large for the
// hashes of p, or nothing: if unrelated sets of that size appear similar by more
// than a tenth of the largest standard error of the estimate, of 1/(2 sqrt k)
// for k slots. For 128 slots of affine32 that is at 38 million elements.
func CollisionWarning(p sketch.Params, elements float64) string {
	bits := HashBits(p)
	inflation := CollidedJaccard(0, elements, elements, bits)
	if !(inflation > StandardError(max(p.Size, 1))/10) { // NaN of empty sets
		return ""
	}
	return fmt.Sprintf("hashes of %d bits collide in sets of %.3g elements: unrelated ones appear to have a Jaccard index of %.2g",
		bits, elements, inflation)
}
