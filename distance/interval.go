// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math"

	"github.com/gsketch/gsketch/internal/interval"
)

// mutations is the number of k-mers hit by at least one mutation, of n k-mers
// of a sequence whose bases mutate independently. Blanca et al. 2022,
// doi:10.1089/cmb.2021.0431.
type mutations struct{ n, k float64 }

// mean is n q with q = 1-(1-rate)^k.
func (m mutations) mean(rate float64) float64 {
	return m.n * (1 - math.Pow(1-rate, m.k))
}

// variance is NaN where cancellation makes it negative, which happens for few
// k-mers at very small rates.
func (m mutations) variance(rate float64) float64 {
	n, k := m.n, m.k
	q := 1 - math.Pow(1-rate, k)
	v := n*(1-q)*(q*(2*k+2/rate-1)-2*k) +
		k*(k-1)*(1-q)*(1-q) +
		2*(1-q)/(rate*rate)*((1+(k-1)*(1-q))*rate-q)
	if v < 0 {
		return math.NaN()
	}
	return v
}

// containmentVariance is the variance of the containment of a FracMinHash
// sketch at a mutation rate, with f = 1/scaled and F = nonEmpty:
//
//	V = (1-f)/(f n^3 F^2) (n E - (Var + E^2)) + Var/n^2
//
// Hera et al. 2023, doi:10.1101/gr.277651.123.
func (m mutations) containmentVariance(rate, scaled float64) float64 {
	mean, v := m.mean(rate), m.variance(rate)
	f, chance := 1/scaled, nonEmpty(m.n, scaled)
	sampling := (1 - f) / (f * m.n * m.n * m.n * chance * chance)
	return sampling*(m.n*mean-(v+mean*mean)) + v/(m.n*m.n)
}

// ContainmentVariance is the variance of the containment of two FracMinHash
// sketches of sequences of n k-mers, of which one has the given ANI, in (0, 1),
// to the other: that of sampling, and of where mutations fell. NaN where it is
// not computable. Hera et al. 2023, doi:10.1101/gr.277651.123.
func ContainmentVariance(ani float64, k int, scaled, n float64) float64 {
	return mutations{n: n, k: float64(k)}.containmentVariance(1-ani, scaled)
}

// aniInterval returns the ends of the confidence interval of the ANI at
// containment c of a set of n k-mers: 1 minus the mutation rates p that solve
//
//	(1-p)^k ± z sqrt(V(p)) = c
//
// + gives the low end. Both are NaN if there is no solution in [1e-7, 1-1e-7].
func aniInterval(c float64, k int, scaled, n, confidence float64) (low, high float64) {
	if c == 0 || c == 1 {
		return c, c
	}
	m := mutations{n: n, k: float64(k)}
	z := interval.Z(confidence)
	excess := func(sign float64) func(float64) float64 {
		return func(p float64) float64 {
			return math.Pow(1-p, m.k) + sign*z*math.Sqrt(m.containmentVariance(p, scaled)) - c
		}
	}
	const lowest, highest = 1e-7, 1 - 1e-7
	low = 1 - root(excess(+1), lowest, highest)
	high = 1 - root(excess(-1), lowest, highest)
	if math.IsNaN(low) || math.IsNaN(high) {
		return math.NaN(), math.NaN()
	}
	return low, high
}

// root returns a zero of f between a and b by Brent's method, to within 1e-12;
// NaN if f has the same sign at both or is NaN where it is looked at. Brent
// 1973, Algorithms for Minimization Without Derivatives, chapter 4.
func root(f func(float64) float64, a, b float64) float64 {
	const tolerance = 1e-12
	fa, fb := f(a), f(b)
	if !(fa*fb <= 0) {
		return math.NaN()
	}
	// b is the best point, a the one before, c the other end of the bracket;
	// step is the last move and before the one before it.
	c, fc := a, fa
	step := b - a
	before := step
	for {
		if (fb > 0) == (fc > 0) {
			c, fc = a, fa
			step = b - a
			before = step
		}
		if math.Abs(fc) < math.Abs(fb) {
			a, b, c = b, c, b
			fa, fb, fc = fb, fc, fb
		}
		tol := 2*0x1p-52*math.Abs(b) + tolerance/2
		half := (c - b) / 2
		if math.IsNaN(fb) {
			return math.NaN()
		}
		if math.Abs(half) <= tol || fb == 0 {
			return b
		}
		before, step = nextStep(a, b, c, fa, fb, fc, half, tol, before, step)
		a, fa = b, fb
		if math.Abs(step) > tol {
			b += step
		} else {
			b += math.Copysign(tol, half)
		}
		fb = f(b)
	}
}

// nextStep interpolates (secant, or inverse quadratic with three points) while
// that shrinks fast enough, and bisects otherwise.
func nextStep(a, b, c, fa, fb, fc, half, tol, before, step float64) (float64, float64) {
	if math.Abs(before) < tol || math.Abs(fa) <= math.Abs(fb) {
		return half, half
	}
	var p, q float64
	if s := fb / fa; a == c {
		p, q = 2*half*s, 1-s
	} else {
		r, t := fb/fc, fa/fc
		p = s * (2*half*t*(t-r) - (b-a)*(r-1))
		q = (t - 1) * (r - 1) * (s - 1)
	}
	if p > 0 {
		q = -q
	}
	p = math.Abs(p)
	if 2*p < min(3*half*q-math.Abs(tol*q), math.Abs(before*q)) {
		return step, p / q
	}
	return half, half
}
