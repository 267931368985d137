// SPDX-License-Identifier: Apache-2.0

package interval

import (
	"math"
	"testing"
)

// Coverage is computed, not sampled: the sum of the binomial probabilities of
// the counts whose interval holds p.
func TestCoverage(t *testing.T) {
	for _, n := range []int{16, 24, 32, 64, 128, 256, 400, 1024, 2048} {
		low, high := make([]float64, n+1), make([]float64, n+1)
		for x := range low {
			low[x], high[x] = Proportion(float64(x), float64(n), 0.95)
		}
		sum, points := 0.0, 0
		for i := 1; i < 1000; i++ {
			p := float64(i) / 1000
			covered := 0.0
			for x := range low {
				if low[x] <= p && p <= high[x] {
					covered += binomial(x, n, p)
				}
			}
			switch atLeast := float64(n)*p*(1-p) >= 5; {
			case !atLeast && covered < 0.95:
				t.Errorf("n=%d p=%v: covered in %.4f", n, p, covered)
			case atLeast && covered < 0.93:
				t.Errorf("n=%d p=%v: covered in %.4f", n, p, covered)
			case atLeast:
				sum += covered
				points++
			}
		}
		if mean := sum / float64(max(points, 1)); n >= 64 && (mean < 0.94 || mean > 0.96) {
			t.Errorf("n=%d: covered in %.4f on average", n, mean)
		}
	}
}

func binomial(x, n int, p float64) float64 {
	lgamma := func(x int) float64 { g, _ := math.Lgamma(float64(x) + 1); return g }
	return math.Exp(lgamma(n) - lgamma(x) - lgamma(n-x) + float64(x)*math.Log(p) + float64(n-x)*math.Log1p(-p))
}

// Values of scipy 1.17.1: stats.binomtest(x, n).proportion_ci(0.95, method).
func TestAgainstScipy(t *testing.T) {
	for _, c := range []struct{ x, n, low, high float64 }{
		{0, 128, 0, 0.0284080534435245},
		{128, 128, 0.9715919465564755, 1},
		{5, 128, 0.012803176945743207, 0.08880442645595459},
		{64, 128, 0.41465224626050723, 0.5853477537394928},
		{300, 400, 0.7053228670693259, 0.7899209857635259},
	} {
		if low, high := Proportion(c.x, c.n, 0.95); math.Abs(low-c.low) > 1e-9 || math.Abs(high-c.high) > 1e-9 {
			t.Errorf("%v of %v: %v..%v, want %v..%v", c.x, c.n, low, high, c.low, c.high)
		}
	}
}

func TestSampled(t *testing.T) {
	if low, high := Sampled(3, 7, 7, 7, 0.95); low != 3./7 || high != 3./7 {
		t.Errorf("a whole population: %v..%v", low, high)
	}
	// Half of the population is seen: the variance is about half.
	low, high := Sampled(64, 128, 255, 300, 0.95)
	if l, h := wilson(0.5, 254, 0.95); math.Abs(low-l) > 1e-3 || math.Abs(high-h) > 1e-3 {
		t.Errorf("%v..%v, want about %v..%v", low, high, l, h)
	}
	low, high = Sampled(64, 128, 1e15, 2e15, 0.95)
	if l, h := Proportion(64, 128, 0.95); math.Abs(low-l) > 1e-9 || math.Abs(high-h) > 1e-9 {
		t.Errorf("a large population: %v..%v, want %v..%v", low, high, l, h)
	}
}

// Values of scipy 1.17.1: stats.hypergeom.sf(x-1, population, k, n).
func TestHypergeometricTail(t *testing.T) {
	for _, c := range []struct{ x, n, k, population, want float64 }{
		{3, 10, 20, 50, 0.860961342619093},
		{0, 10, 20, 50, 1.0},
		{10, 10, 20, 50, 1.798588365135755e-05},
		{60, 70, 80, 100, 0.030696429354336703},
		{5, 128, 300, 100000, 4.598921331591241e-05},
	} {
		if got := hypergeometricTail(c.x, c.n, c.k, c.population); math.Abs(got-c.want) > 1e-10 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Coverage of counts drawn without replacement, computed for each number of
// successes that a population may have.
func TestSampledCoverage(t *testing.T) {
	for _, c := range []struct{ n, population int }{{20, 25}, {70, 100}, {100, 150}, {128, 400}, {128, 100000}} {
		low, high := make([]float64, c.n+1), make([]float64, c.n+1)
		for x := range low {
			low[x], high[x] = Sampled(float64(x), float64(c.n), float64(c.population), float64(c.population), 0.95)
		}
		for k := 0; k <= c.population; k += max(1, c.population/500) {
			p := float64(k) / float64(c.population)
			covered := 0.0
			for x := max(0, c.n-(c.population-k)); x <= min(c.n, k); x++ {
				if low[x] <= p+1e-9 && p-1e-9 <= high[x] {
					covered += math.Exp(lchoose(float64(k), float64(x)) + lchoose(float64(c.population-k), float64(c.n-x)) -
						lchoose(float64(c.population), float64(c.n)))
				}
			}
			least := 0.93
			if float64(c.n)*p*(1-p)*float64(c.population-c.n)/float64(c.population-1) < 5 {
				least = 0.95
			}
			if covered < least {
				t.Errorf("%d of %d, %d successes: covered in %.4f", c.n, c.population, k, covered)
			}
		}
	}
}
