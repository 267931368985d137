// SPDX-License-Identifier: Apache-2.0

package simhash

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// alarm is the number of standard errors that are exceeded by chance once in a
// million.
const alarm = 4.9

// pairs is the number of pairs at each point: GSKETCH_PAIRS, as `make stats`
// sets it.
func pairs(t *testing.T) int {
	t.Helper()
	s := os.Getenv("GSKETCH_PAIRS")
	if s == "" {
		return 200
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 100 {
		t.Fatalf("GSKETCH_PAIRS=%q: a number from 100 on", s)
	}
	return n
}

// moments are the mean and variance of cos(pi d/n) with d binomial, and the
// probability that the interval covers cos(pi p), summed over d.
func moments(n int, p float64) (mean, variance, coverage float64) {
	lgamma := func(x int) float64 { g, _ := math.Lgamma(float64(x) + 1); return g }
	square := 0.0
	for d := range n + 1 {
		prob := math.Exp(lgamma(n) - lgamma(d) - lgamma(n-d) + float64(d)*math.Log(p) + float64(n-d)*math.Log1p(-p))
		c := Cosine(d, n, 0.95)
		mean += prob * c.Value
		square += prob * c.Value * c.Value
		if truth := math.Cos(math.Pi * p); c.Low <= truth && truth <= c.High {
			coverage += prob
		}
	}
	return mean, square - mean*mean, coverage
}

// What Cosine says of its error, against sums over the binomial distribution.
func TestCosineMoments(t *testing.T) {
	for _, n := range []int{64, 128} {
		sum, points := 0.0, 0.0
		for p := 0.02; p < 0.99; p += 0.02 {
			mean, _, coverage := moments(n, p)
			truth := math.Cos(math.Pi * p)
			q := math.Pi * math.Pi * p * (1 - p) / (2 * float64(n))
			if math.Abs(mean-truth*(1-q)) > 2e-4 {
				t.Errorf("n=%d p=%.2f: mean %.5f, to second order %.5f", n, p, mean, truth*(1-q))
			}
			if d := int(math.Round(p * float64(n))); d > 0 && d < n {
				_, want, _ := moments(n, float64(d)/float64(n))
				if got := Cosine(d, n, 0.95).Variance; math.Abs(got-want) > 1e-12 {
					t.Errorf("n=%d d=%d: variance %v, want %v", n, d, got, want)
				}
			}
			if float64(n)*p*(1-p) >= 5 {
				if coverage < 0.92 {
					t.Errorf("n=%d p=%.2f: covered in %.4f", n, p, coverage)
				}
				sum += coverage
				points++
			} else if coverage < 0.95 {
				t.Errorf("n=%d p=%.2f: covered in %.4f", n, p, coverage)
			}
		}
		if mean := sum / points; mean < 0.94 || mean > 0.96 {
			t.Errorf("n=%d: covered in %.4f on average", n, mean)
		}
	}
}

// Fingerprints of sets of features: bits differ as the angle says, with the
// variance of independent ones. The sum of the random signs of many features is
// nearly normal, which is what that needs; with 300 of them the mean may be off
// by a hundredth of a bit in 64.
func TestStatistics(t *testing.T) {
	n := pairs(t)
	r := rand.New(rand.NewPCG(20, 29))
	const features = 300
	for _, size := range []int{64, 128} {
		b := builder(t, params(size, false))
		for _, cos := range []float64{0.1, 0.5, 0.8, 0.95} {
			shared := int(cos * features)
			truth := float64(shared) / features
			p := math.Acos(truth) / math.Pi
			wantMean, wantVariance, wantCoverage := moments(size, p)
			var sum, squares, covered float64
			for range n {
				s, err := cosine(t, r, b, features, shared)
				if err != nil {
					t.Fatal(err)
				}
				sum += s.Value - wantMean
				squares += (s.Value - wantMean) * (s.Value - wantMean)
				if s.Low <= truth && truth <= s.High {
					covered++
				}
			}
			nf := float64(n)
			if bias, limit := sum/nf, alarm*math.Sqrt(wantVariance/nf)+0.01/64; math.Abs(bias) > limit {
				t.Errorf("%d bits, cos %.2f: mean off by %.5f, more than %.5f", size, truth, bias, limit)
			}
			limit := alarm * math.Sqrt(3/nf)
			if n >= 10_000 {
				limit = 0.05
			}
			if got := (squares/nf - sum/nf*sum/nf) / wantVariance; math.Abs(got-1) > limit {
				t.Errorf("%d bits, cos %.2f: variance %.3f times theory", size, truth, got)
			}
			if got := covered / nf; math.Abs(got-wantCoverage) > alarm*math.Sqrt(wantCoverage*(1-wantCoverage)/nf)+0.01 {
				t.Errorf("%d bits, cos %.2f: covered in %.4f, %.4f in theory", size, truth, got, wantCoverage)
			}
		}
	}
}

// cosine compares the fingerprints of two random sets of n features.
func cosine(t *testing.T, r *rand.Rand, b *Builder, n, shared int) (sketch.Similarity, error) {
	t.Helper()
	pool := make([]uint64, 2*n-shared)
	for i := range pool {
		pool[i] = r.Uint64()
	}
	return finish(t, b, pool[:n]).Similarity(finish(t, b, pool[n-shared:]), 0.95)
}
