// SPDX-License-Identifier: Apache-2.0

package distance

import "math"

// Containment is the share of the first set that lies in the second, from
// FracMinHash sketches:
//
//	C(A, B) = min(1, Shared / (A * F)),   F = 1 - (1 - 1/Scaled)^(A*Scaled)
//
// in [0, 1]; NaN if A is empty. F, the chance that a set of the estimated size
// leaves any hash, corrects the bias of small sketches: A = 3, Shared = 1,
// Scaled = 1000 give 0.350771. From A = 40 on it is 1 in double precision.
// `sourmash compare`, `prefetch` and `gather` print this value, `sourmash
// search` that of PlainContainment. Irber et al. 2022,
// doi:10.1101/2022.01.11.475838; Hera et al. 2023, doi:10.1101/gr.277651.123.
func (p Pair) Containment() float64 { return debiased(p.Shared, p.A, p.Scaled) }

// ReverseContainment is the share of the second set that lies in the first.
func (p Pair) ReverseContainment() float64 { return debiased(p.Shared, p.B, p.Scaled) }

// PlainContainment is Shared/A, without the factor F; NaN if A is empty.
func (p Pair) PlainContainment() float64 { return ratio(p.Shared, p.A) }

// MaxContainment is the containment of the smaller set in the larger one; NaN
// if either is empty.
func (p Pair) MaxContainment() float64 { return debiased(p.Shared, min(p.A, p.B), p.Scaled) }

// PlainMaxContainment is Shared/min(A, B); NaN if either is empty.
func (p Pair) PlainMaxContainment() float64 { return ratio(p.Shared, min(p.A, p.B)) }

// AvgContainment is the mean of the containments both ways; NaN if either set
// is empty.
func (p Pair) AvgContainment() float64 {
	return (p.Containment() + p.ReverseContainment()) / 2
}

// debiased returns shared/(n*F), at most 1.
func debiased(shared, n, scaled uint64) float64 {
	if n == 0 {
		return math.NaN()
	}
	return min(1, float64(shared)/(float64(n)*nonEmpty(float64(n)*float64(scaled), float64(scaled))))
}

// nonEmpty is F = 1 - (1 - 1/scaled)^size: the chance that a set of this size
// has a hash in its sketch.
func nonEmpty(size, scaled float64) float64 {
	return -math.Expm1(size * math.Log1p(-1/scaled))
}
