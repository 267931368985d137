// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/simhash"
	"github.com/gsketch/gsketch/sketch"
)

// A simulation draws pairs of sets with a known value of the measure and
// sketches them, with the size that Size gives for a wanted error.
type simulation struct {
	name       string
	design     Design
	value      float64
	wanted     float64
	confidence float64
}

var simulations = []simulation{
	{"bottom-k, mash", Design{Family: sketch.BottomK, Measure: Mash, K: 21, Elements: 20000}, 0.05, 0.006, 0.95},
	{"bottom-k of most of the set", Design{Family: sketch.BottomK, Measure: Jaccard, Elements: 2000}, 0.4, 0.015, 0.9},
	{"bottom-k, ani", Design{Family: sketch.BottomK, Measure: ANI, K: 16, Elements: 20000}, 0.9, 0.01, 0.95},
	{"FracMinHash, mash", Design{Family: sketch.FracMinHash, Measure: Mash, K: 21, Elements: 20000}, 0.05, 0.006, 0.95},
	{"FracMinHash, containment", Design{Family: sketch.FracMinHash, Measure: Containment, Elements: 20000}, 0.3, 0.05, 0.9},
	{"FracMinHash, ani with mutations", Design{Family: sketch.FracMinHash, Measure: ANI, K: 21, Elements: 20000}, 0.95, 0.006, 0.95},
	{"kperm", Design{Family: sketch.KPerm, Measure: Jaccard, Elements: 1000}, 0.7, 0.08, 0.95},
	{"kperm, mash", Design{Family: sketch.KPerm, Measure: Mash, K: 11, Elements: 1000}, 0.1, 0.02, 0.9},
	{"oph, bins full", Design{Family: sketch.OPH, Measure: Jaccard, Elements: 5000}, 0.5, 0.06, 0.95},
	{"oph, bins empty", Design{Family: sketch.OPH, Measure: Jaccard, Elements: 150}, 0.8, 0.05, 0.9},
	{"1 bit", Design{Family: sketch.BBit, Bits: 1, Measure: Jaccard, Elements: 1000}, 0.5, 0.12, 0.95},
	{"8 bits", Design{Family: sketch.BBit, Bits: 8, Measure: Jaccard, Elements: 1000}, 0.2, 0.07, 0.95},
	{"icws", Design{Family: sketch.ICWS, Measure: Jaccard, Elements: 100}, 0.6, 0.09, 0.95},
	{"simhash", Design{Family: sketch.SimHash, Measure: Cosine, Elements: 2000}, 0.8, 0.22, 0.95},
}

// TestSize meets the predicted error in simulation: the share of estimates
// within the wanted error is at least the confidence, and their standard
// deviation is the predicted one, so that no more is kept than is needed. A
// check fails by chance once in a million, if it is independent of others.
func TestSize(t *testing.T) {
	const pairs, alarm = 400, 4.9
	for i, s := range simulations {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			size, err := s.design.Size(s.value, s.wanted, s.confidence)
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, uint64(i)))
			var within, squares float64
			for range pairs {
				e := s.estimate(t, r, size) - s.value
				if math.Abs(e) <= s.wanted {
					within++
				}
				squares += e * e
			}
			if got, limit := within/pairs, s.confidence-alarm*math.Sqrt(s.confidence*(1-s.confidence)/pairs); got < limit {
				t.Errorf("size %d: %.3f of estimates are within %v, not %v", size, got, s.wanted, s.confidence)
			}
			predicted := s.design.Predict(s.value, size, s.confidence)
			if predicted.Error > s.wanted {
				t.Errorf("size %d: error %v is predicted", size, predicted.Error)
			}
			ratio := math.Sqrt(squares/pairs) / predicted.Standard
			if limit := alarm / math.Sqrt(2*pairs); math.Abs(ratio-1) > limit+0.05 {
				t.Errorf("size %d: standard error is %.3f times what is predicted", size, ratio)
			}
			if smaller := predicted.Error / s.wanted; smaller < 0.9 && s.design.Family != sketch.SimHash {
				t.Errorf("size %d: predicted error is only %.3f of the wanted one", size, smaller)
			}
		})
	}
}

// estimate is one estimate of the measure, by the sketches of the product.
func (s simulation) estimate(t *testing.T, r *rand.Rand, size int) float64 {
	a, b := s.sets(r)
	p := s.params(size)
	if s.design.Family == sketch.BottomK || s.design.Family == sketch.FracMinHash {
		x, y := build(t, p, a), build(t, p, b)
		pair := distance.Compare(sketch.Item{Sketch: x}, sketch.Item{Sketch: y})
		switch s.design.Measure {
		case Mash:
			return pair.Mash()
		case ANI:
			if s.design.Family == sketch.FracMinHash {
				return pair.ContainmentANI()
			}
			return pair.BinomialANI()
		case Containment:
			return pair.Containment()
		}
		return pair.Jaccard()
	}
	got, err := build(t, p, a).(sketch.Estimable).Similarity(build(t, p, b).(sketch.Estimable), 0)
	if err != nil {
		t.Fatal(err)
	}
	if s.design.Measure == Mash {
		return -math.Log(2*got.Value/(1+got.Value)) / float64(s.design.K)
	}
	return got.Value
}

func build(t *testing.T, p sketch.Params, hashes []uint64) sketch.Sketch {
	var b sketch.Builder
	var err error
	switch p.Family {
	case sketch.BottomK:
		b = bottomk.NewBuilder(p)
	case sketch.FracMinHash:
		b = fracminhash.NewBuilder(p)
	case sketch.SimHash:
		b, err = simhash.NewBuilder(p)
	default:
		b, err = minhash.NewBuilder(p)
	}
	if err == nil {
		err = b.AddHashes(hashes)
	}
	if err != nil {
		t.Fatal(err)
	}
	x, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (s simulation) params(size int) sketch.Params {
	p := sketch.Params{Family: s.design.Family, Elements: sketch.DNAElements(max(s.design.K, 1)), Hash: sketch.Murmur3(64, 42), Size: size}
	switch s.design.Family {
	case sketch.FracMinHash:
		p.Size, p.Scaled = 0, uint64(size)
	case sketch.KPerm, sketch.BBit:
		p.Hash.Permutation, p.Hash.Seed, p.Bits = sketch.Affine64, 1, s.design.Bits
	case sketch.ICWS:
		p.Weighted = true
	}
	return p
}

// sets are the hashes of two sets of equal size.
func (s simulation) sets(r *rand.Rand) (a, b []uint64) {
	n := int(s.design.Elements)
	a = make([]uint64, n)
	for i := range a {
		a[i] = r.Uint64()
	}
	b = append(b, a...)
	if s.design.Family == sketch.FracMinHash && s.design.Measure == ANI {
		hit := 0 // k-mers from here on that the last mutation lies in
		for i := range n + s.design.K - 1 {
			if r.Float64() < 1-s.value {
				hit = s.design.K
			}
			if at := i - s.design.K + 1; at >= 0 && hit > 0 {
				b[at] = r.Uint64()
			}
			hit--
		}
		return a, b
	}
	shared := 0.0 // elements of each that are in the other
	switch s.design.Measure {
	case Cosine, Containment:
		shared = s.value
	case Mash:
		shared = math.Exp(-s.value * float64(s.design.K))
	case ANI:
		shared = math.Pow(s.value, float64(s.design.K))
	default:
		shared = 2 * s.value / (1 + s.value)
	}
	for i := int(math.Round(shared * float64(n))); i < n; i++ {
		b[i] = r.Uint64()
	}
	return a, b
}

// The bounds of Mash are quantiles of the same binomial distribution, but for
// half a hash: for large sketches and far larger sets ours agree with them.
func TestPredictAndMash(t *testing.T) {
	d := Design{Family: sketch.BottomK, Measure: Mash, K: 21, Elements: 1e12}
	for _, s := range []int{10_000, 100_000, 1_000_000} {
		for _, at := range []float64{0.05, 0.1, 0.15} {
			ours, theirs := d.Predict(at, s, 0.99).Error, MashBound(s, at, 21, 0.99, false)
			if math.Abs(ours/theirs-1) > 0.02 {
				t.Errorf("s=%d D=%v: error %v, bound %v", s, at, ours, theirs)
			}
		}
	}
}

func TestUnreachable(t *testing.T) {
	ani := Design{Family: sketch.FracMinHash, Measure: ANI, K: 21, Elements: 20000}
	for _, c := range []struct {
		d      Design
		wanted float64
	}{
		{ani, 1e-4}, // the chance of mutations alone is more
		{Design{Family: sketch.SimHash, Measure: Cosine, Elements: 100}, 0.01},
		{Design{Family: sketch.KPerm, Measure: Jaccard, Elements: 1e9}, 1e-7},
	} {
		value := 0.9
		if n, err := c.d.Size(value, c.wanted, 0.95); !errors.Is(err, ErrUnreachable) {
			t.Errorf("%+v: size %d, %v", c.d, n, err)
		}
	}
	if e := (Design{Family: sketch.BottomK, Measure: Jaccard, Elements: 100}).Predict(0.5, 1000, 0.95); e.Error != 0 || e.Low != 0.5 {
		t.Errorf("a sketch that holds all elements is exact, not %+v", e)
	}
	if err := (Design{Family: sketch.SimHash, Measure: Mash, K: 21, Elements: 1}).Check(); err == nil {
		t.Error("simhash gives no Mash distance")
	}
}
