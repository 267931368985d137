// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

// The statistics of estimators: pairs of random sets with a known Jaccard
// index, from fixed seeds. GSKETCH_PAIRS says how many pairs are made at each
// point of the grid; `make stats` makes 10,000.
//
// A check fails by chance once in a million (4.9 standard errors), with one
// exception: at 10,000 pairs and more the variance must lie within 5 % of
// theory, 3.5 standard errors, which by chance it does not at one point in 2,000.
const alarm = 4.9

func pairs(t *testing.T) int {
	t.Helper()
	s := os.Getenv("GSKETCH_PAIRS")
	if s == "" {
		return 100
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 100 {
		t.Fatalf("GSKETCH_PAIRS=%q: a number from 100 on", s)
	}
	return n
}

// A tally adds up what estimates of one point say.
type tally struct {
	n               float64
	errors, squares float64
	theory          float64 // sum of the variances that theory gives for each pair
	covered         float64
}

func (a *tally) add(value, low, high, truth, theory float64) {
	a.n++
	a.errors += value - truth
	a.squares += (value - truth) * (value - truth)
	a.theory += theory
	if low <= truth && truth <= high {
		a.covered++
	}
}

func (a *tally) bias() float64     { return a.errors / a.n }
func (a *tally) variance() float64 { return a.squares/a.n - a.bias()*a.bias() }
func (a *tally) coverage() float64 { return a.covered / a.n }

// checkBias compares the mean error with its standard error by theory.
func (a *tally) checkBias(t *testing.T, name string) {
	t.Helper()
	if limit := alarm * math.Sqrt(a.theory) / a.n; math.Abs(a.bias()) > limit {
		t.Errorf("%s: bias %.5f, more than %.5f", name, a.bias(), limit)
	}
}

// checkVariance compares the variance with theory. Squares of nearly normal
// errors have a relative standard error of sqrt(2/n); kurtosis adds to that
// where few slots agree, or few do not.
func (a *tally) checkVariance(t *testing.T, name string, kurtosis float64) {
	t.Helper()
	limit := alarm * math.Sqrt((2+kurtosis)/a.n)
	if a.n >= 10_000 && kurtosis < 0.1 {
		limit = 0.05
	}
	if got := a.variance() / (a.theory / a.n); math.Abs(got-1) > limit {
		t.Errorf("%s: variance %.3f times theory", name, got)
	}
}

// checkCoverage wants at least the share given, short of chance.
func (a *tally) checkCoverage(t *testing.T, name string, least float64) {
	t.Helper()
	if got := a.coverage(); got < least-alarm*math.Sqrt(least*(1-least)/a.n) {
		t.Errorf("%s: the interval covers the truth in %.4f", name, got)
	}
}

// setPair returns hashes of two sets of equal size with union elements, of which
// shared lie in both.
func setPair(r *rand.Rand, union, shared int) (a, b []uint64) {
	pool := make([]uint64, union)
	for i := range pool {
		pool[i] = r.Uint64()
	}
	middle := shared + (union-shared)/2
	a = append([]uint64(nil), pool[:middle]...)
	b = append(append([]uint64(nil), pool[:shared]...), pool[middle:]...)
	return a, b
}

// A family is an estimator under test.
type family struct {
	params sketch.Params
	union  int // elements of both sets
	// theory is the variance for the pair at hand.
	theory func(j float64, a, b sketch.Estimable) float64
	small  bool // sets so small that the interval is exact, hence wider
}

func binomialVariance(k int) func(j float64, a, b sketch.Estimable) float64 {
	return func(j float64, _, _ sketch.Estimable) float64 { return j * (1 - j) / float64(k) }
}

func families() map[string]family {
	oph := func(union float64) func(j float64, a, b sketch.Estimable) float64 {
		return func(j float64, a, b sketch.Estimable) float64 {
			n := 0
			for i, h := range a.(*OPH).own {
				if min(h, b.(*OPH).own[i]) != NoHash {
					n++
				}
			}
			return j * (1 - j) / float64(n) * (union - float64(n)) / (union - 1)
		}
	}
	// Bits agree where slots do, or by chance. Slots of bins are drawn without
	// replacement from the elements, union of them.
	binnedLowBits := func(k, bits, union float64) func(j float64, a, b sketch.Estimable) float64 {
		return func(j float64, _, _ sketch.Estimable) float64 {
			c := math.Exp2(-bits)
			p := c + (1-c)*j
			return p*(1-p)/k/((1-c)*(1-c)) - j*(1-j)*(k-1)/k/(union-1)
		}
	}
	lowBits := func(k, bits int) func(j float64, a, b sketch.Estimable) float64 {
		return func(j float64, _, _ sketch.Estimable) float64 {
			c := math.Ldexp(1, -bits)
			p := c + (1-c)*j
			return p * (1 - p) / float64(k) / ((1 - c) * (1 - c))
		}
	}
	return map[string]family{
		"affine32 128":            {kpermParams(sketch.Affine32, 1, 128), 1000, binomialVariance(128), false},
		"affine64 400":            {kpermParams(sketch.Affine64, 1, 400), 500, binomialVariance(400), false},
		"legacy 64":               {kpermParams(sketch.Legacy, 1, 64), 1000, binomialVariance(64), false},
		"milvus 64":               {kpermParams(sketch.Milvus, 1, 64), 1000, binomialVariance(64), false},
		"oph 128, many elements":  {ophParams(128, ""), 5000, oph(5000), false},
		"oph 128, bins just full": {ophParams(128, sketch.Rotation), 1000, oph(1000), false},
		"oph 128, empty bins":     {ophParams(128, sketch.Optimal), 300, oph(300), false},
		"oph 128, few elements":   {ophParams(128, sketch.Optimal), 100, oph(100), true},
		"1 bit of affine64 256":   {bbitOf(kpermParams(sketch.Affine64, 1, 256), 1), 1000, lowBits(256, 1), false},
		"2 bits of affine32 128":  {bbitOf(kpermParams(sketch.Affine32, 1, 128), 2), 1000, lowBits(128, 2), false},
		"8 bits of oph 128":       {bbitOf(ophParams(128, sketch.Optimal), 8), 5000, binnedLowBits(128, 8, 5000), false},
		"icws 64 of sets":         {icwsParams(64, 0, ""), 200, binomialVariance(64), false},
	}
}

func TestStatistics(t *testing.T) {
	n := pairs(t)
	slack := func(points float64) float64 {
		if n >= 10_000 {
			return 0
		}
		return alarm * math.Sqrt(0.05*0.95/float64(n)/points)
	}
	sum, points := 0.0, 0.0
	for name, f := range families() {
		t.Run(name, func(t *testing.T) {
			s, p := statistics(t, f, n)
			if p > 0 && s/p < 0.94-slack(p) {
				t.Errorf("the interval covers the truth in %.4f on average", s/p)
			}
			sum += s
			points += p
		})
	}
	if mean := sum / points; mean < 0.94-slack(points) || mean > 0.96+slack(points) {
		t.Errorf("intervals cover the truth in %.4f on average", mean)
	} else {
		t.Logf("intervals cover the truth in %.4f on average", mean)
	}
}

// statistics checks a family at each point of the grid and returns the sum of
// the coverage over the points at which a count has a variance of at least 5,
// and their number.
func statistics(t *testing.T, f family, n int) (sum, points float64) {
	r := rand.New(rand.NewPCG(20, 26))
	b := builder(t, f.params)
	k := float64(f.params.Size)
	for _, want := range []float64{0.05, 0.2, 0.5, 0.8, 0.9, 0.96} {
		shared := int(want*float64(f.union)) / 2 * 2
		j := float64(shared) / float64(f.union)
		var a tally
		for range n {
			x, y := setPair(r, f.union, shared)
			s, o := finish(t, b, x), finish(t, b, y)
			got, err := s.Similarity(o, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			a.add(got.Value, got.Low, got.High, j, f.theory(j, s, o))
		}
		name := fmt.Sprintf("J=%.2f", j)
		expected := k * k * a.theory / a.n // k J(1-J) for k independent slots
		a.checkBias(t, name)
		a.checkVariance(t, name, 1/expected)
		if expected >= 5 && !f.small {
			a.checkCoverage(t, name, 0.92)
			sum += a.coverage()
			points++
		} else {
			a.checkCoverage(t, name, 0.95)
		}
		t.Logf("%s: bias %+.5f, variance %.3f of theory, %.3f of J(1-J)/k, coverage %.4f", name, a.bias(),
			a.variance()/(a.theory/a.n), a.variance()/(j*(1-j)/k), a.coverage())
	}
	return sum, points
}

// What banding sees: the share of agreeing slots where bins are filled. How
// often full bins are used is counted; on average it is as theory says, but for
// what comes from the one way to choose that is fixed.
func TestFilledVariance(t *testing.T) {
	const k = 128
	n := pairs(t)
	r := rand.New(rand.NewPCG(20, 27))
	for _, how := range []string{sketch.Optimal, sketch.Rotation} {
		b := builder(t, ophParams(k, how))
		for _, c := range []struct{ union, shared int }{{40, 20}, {100, 80}, {200, 40}, {400, 200}} {
			j, f := float64(c.shared)/float64(c.union), float64(c.union)
			counted, expected := 0.0, 0.0
			var a tally
			for range n {
				x, y := setPair(r, c.union, c.shared)
				s, o := finish(t, b, x).(*OPH), finish(t, b, y).(*OPH)
				u, err := s.Union(o)
				if err != nil {
					t.Fatal(err)
				}
				w := 0.0
				for _, uses := range sketchtest.Count(u.slots) {
					w += float64(uses * uses)
				}
				counted += w
				expected += fillings(k, float64(u.Bins()), how)
				a.add(float64(agreeing(s.slots, o.slots))/k, 0, 1, j, j*(1-j)*(f/(f-1)*w/(k*k)-1/(f-1)))
			}
			name := fmt.Sprintf("%s: J=%.2f of %d elements", how, j, c.union)
			a.checkBias(t, name)
			a.checkVariance(t, name, 0.05)
			if math.Abs(counted/expected-1) > 0.05 {
				t.Errorf("%s: full bins are used %.3f times as often as in theory", name, counted/expected)
			}
			t.Logf("%s: bias %+.5f, variance %.3f of theory, uses %.3f", name, a.bias(), a.variance()/(a.theory/a.n), counted/expected)
		}
	}
}

// Numbers of elements, of a set and of a union, from each kind of sketch.
func TestCardinalityStatistics(t *testing.T) {
	n := pairs(t)
	r := rand.New(rand.NewPCG(20, 28))
	dna := sketch.Params{Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42)}
	bottomK, scaled, thin := dna, dna, ophParams(64, sketch.Optimal)
	bottomK.Family, bottomK.Size = sketch.BottomK, 100
	scaled.Family, scaled.Scaled = sketch.FracMinHash, 10
	thin.Scaled = 3
	for name, makeBuilder := range map[string]func() sketch.Builder{
		"bottom-k 100":          func() sketch.Builder { return bottomk.NewBuilder(bottomK) },
		"FracMinHash 10":        func() sketch.Builder { return fracminhash.NewBuilder(scaled) },
		"affine32 128":          func() sketch.Builder { return builder(t, kpermParams(sketch.Affine32, 1, 128)) },
		"affine64 64":           func() sketch.Builder { return builder(t, kpermParams(sketch.Affine64, 1, 64)) },
		"oph 128":               func() sketch.Builder { return builder(t, ophParams(128, "")) },
		"oph 64 of FracMinHash": func() sketch.Builder { return builder(t, thin) },
	} {
		b := makeBuilder()
		for _, elements := range []int{20, 150, 1000, 5000} {
			var a tally
			for range n {
				x, y := setPair(r, elements, elements/2/2*2)
				s, err := finishAny(b, x)
				if err != nil {
					t.Fatal(err)
				}
				o, err := finishAny(b, y)
				if err != nil {
					t.Fatal(err)
				}
				c, err := Cardinality(0.95, s, o)
				if err != nil {
					t.Fatal(err)
				}
				a.add(c.Value, c.Low, c.High, float64(elements), c.Variance)
			}
			name := fmt.Sprintf("%s, %d elements", name, elements)
			t.Logf("%s: bias %+.2f, standard error %.2f, %.3f of theory, coverage %.4f", name, a.bias(), math.Sqrt(a.variance()),
				math.Sqrt(a.variance()/(a.theory/a.n)), a.coverage())
			a.checkCoverage(t, name, 0.95)
			// A bias of a tenth of the standard error does no harm.
			if se := math.Sqrt(a.variance()); math.Abs(a.bias()) > se/10+alarm*se/math.Sqrt(a.n) {
				t.Errorf("%s: bias %.2f at a standard error of %.2f", name, a.bias(), se)
			}
			if a.theory > 0 {
				a.checkVariance(t, name, 1)
			}
		}
	}
}
