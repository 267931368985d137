// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math"

	"github.com/gsketch/gsketch/sketch"
)

// Angular is the angular similarity of two sketches with abundances a and b:
//
//	1 - 2 acos(cos)/pi,   cos = sum a(h) b(h) / (|a| |b|)
//
// in [0, 1]: 1 for proportional abundances, 0 for nothing shared, NaN if
// either sketch is empty. Sketches of unequal size or scaled are downsampled
// first. Sums are in double precision and do not overflow.
//
// The angle is computed as 2 atan2(|u-v|, |u+v|) of the unit vectors u and v,
// which keeps its digits near 0 where acos loses half of them (Kahan 2006,
// "How futile are mindless assessments of roundoff"), so that a
// sketch is exactly 1 to itself.
func Angular(a, b sketch.Abundant) float64 {
	x, y, _ := common(a, b)
	nx, ny := norm(x.counts), norm(y.counts)
	if nx == 0 || ny == 0 {
		return math.NaN()
	}
	var minus, plus float64
	add := func(p, q float64) {
		minus += (p - q) * (p - q)
		plus += (p + q) * (p + q)
	}
	i, j := 0, 0
	for i < len(x.hashes) && j < len(y.hashes) {
		switch h, g := x.hashes[i], y.hashes[j]; {
		case h < g:
			add(float64(x.counts[i])/nx, 0)
			i++
		case h > g:
			add(0, float64(y.counts[j])/ny)
			j++
		default:
			add(float64(x.counts[i])/nx, float64(y.counts[j])/ny)
			i++
			j++
		}
	}
	for ; i < len(x.counts); i++ {
		add(float64(x.counts[i])/nx, 0)
	}
	for ; j < len(y.counts); j++ {
		add(0, float64(y.counts[j])/ny)
	}
	return 1 - 4*math.Atan2(math.Sqrt(minus), math.Sqrt(plus))/math.Pi
}

// norm is the Euclidean norm. Counts below 2^64 have squares below 2^128: no
// overflow in a double.
func norm(counts []uint64) float64 {
	var sum float64
	for _, c := range counts {
		sum += float64(c) * float64(c)
	}
	return math.Sqrt(sum)
}
