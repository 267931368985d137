// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// Without empty bins, and with as many elements as one likes, variances are
// those of independent slots; an empty bin makes them larger, more so by
// rotation.
func TestFilledVarianceLimits(t *testing.T) {
	for _, how := range waysToFill {
		if got := FilledVariance(0.5, 128, 128, 1e15, how); math.Abs(got-0.25/128) > 1e-12 {
			t.Errorf("filled %q: %v", how, got)
		}
	}
	none, optimal, rotation := FilledVariance(0.5, 128, 60, 1e15, ""), FilledVariance(0.5, 128, 60, 1e15, sketch.Optimal), FilledVariance(0.5, 128, 60, 1e15, sketch.Rotation)
	if math.Abs(none-0.25/60) > 1e-12 || none >= optimal || optimal >= rotation {
		t.Errorf("%v, %v, %v", none, optimal, rotation)
	}
	if got := FilledVariance(0.5, 128, 1, 1, sketch.Optimal); got != 0 {
		t.Errorf("one element: %v", got)
	}
}

// Random sets hashed to few bits.
func TestCollidedJaccard(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const bits, trials = 10, 300
	for _, c := range []struct{ shared, a, b int }{{0, 500, 500}, {100, 300, 50}, {1000, 10, 10}, {1, 0, 0}} {
		sum, squares := 0.0, 0.0
		for range trials {
			var x, y [1 << bits]bool
			for i := range c.shared + c.a + c.b {
				h := r.Uint64() >> (64 - bits)
				x[h] = x[h] || i < c.shared+c.a
				y[h] = y[h] || i < c.shared || i >= c.shared+c.a
			}
			both, any := 0., 0.
			for h := range x {
				if x[h] && y[h] {
					both++
				}
				if x[h] || y[h] {
					any++
				}
			}
			sum += both / any
			squares += both / any * both / any
		}
		mean := sum / trials
		// 4.9 standard errors: one false alarm in a million.
		limit := 4.9*math.Sqrt((squares/trials-mean*mean)/trials) + 1e-4
		if want := CollidedJaccard(float64(c.shared), float64(c.a), float64(c.b), bits); math.Abs(mean-want) > limit {
			t.Errorf("%+v: J = %v on average, %v in theory", c, mean, want)
		}
	}
	if got := CollidedJaccard(0, 1e6, 1e6, 32); math.Abs(got/(1e6/math.Ldexp(2, 32))-1) > 1e-3 {
		t.Errorf("two sets of a million: %v", got)
	}
	if got := CollidedJaccard(3e9, 1e9, 1e9, 64); math.Abs(got-0.6) > 1e-9 {
		t.Errorf("64 bits: %v", got)
	}
}

func TestCollisionWarning(t *testing.T) {
	for _, c := range []struct {
		p        sketch.Params
		elements float64
		warn     bool
	}{
		{kpermParams(sketch.Affine32, 1, 128), 1e6, false},
		{kpermParams(sketch.Affine32, 1, 128), 3.7e7, false},
		{kpermParams(sketch.Affine32, 1, 128), 3.9e7, true},
		{kpermParams(sketch.Legacy, 1, 128), 1e9, true},
		{kpermParams(sketch.Affine64, 1, 128), 1e12, false},
		{bbitOf(kpermParams(sketch.Affine32, 1, 128), 8), 1e8, true},
		{ophParams(128, ""), 1e12, false},
		{ophParams(128, ""), 0, false},
	} {
		if got := CollisionWarning(c.p, c.elements); (got != "") != c.warn || c.warn && !strings.Contains(got, "32 bits") {
			t.Errorf("%s, %v elements: %q", c.p, c.elements, got)
		}
	}
}
