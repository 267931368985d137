// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

func TestBinomialANI(t *testing.T) {
	for _, c := range []struct {
		shared, of uint64
		k          int
		want       float64
	}{
		{1000, 1000, 21, 1},
		{0, 1000, 21, 0},
		{0, 0, 21, math.NaN()},
		{1, 2, 0, math.NaN()},
		{1, 3, 1, 0.5},    // 2/3 / 4/3
		{1, 7, 2, 0.5},    // 2/7 / 8/7 = 1/4
		{1, 15, 3, 0.5},   // 1/8
		{3, 5, 1, 0.75},   // 6/5 / 8/5
		{9, 23, 2, 0.75},  // 18/23 / 32/23 = 9/16
		{81, 119, 2, 0.9}, // 162/119 / 200/119 = 0.81
	} {
		p := Pair{Shared: c.shared, Of: c.of, K: c.k}
		if got := p.BinomialANI(); !near(got, c.want, 1e-14) {
			t.Errorf("%d/%d, k=%d: %v, want %v", c.shared, c.of, c.k, got, c.want)
		}
	}
}

// What the comment says of the difference from 1 - Mash.
func TestBinomialANIAgainstMash(t *testing.T) {
	for _, c := range []struct{ ani, points float64 }{{0.99, 0.005}, {0.90, 0.54}, {0.80, 2.31}} {
		survive := math.Pow(c.ani, 21)
		j := survive / (2 - survive)
		const of = 1 << 50
		p := Pair{Shared: uint64(j * of), Of: of, K: 21}
		if got := p.BinomialANI(); !near(got, c.ani, 1e-9) {
			t.Errorf("%v at %v", got, c.ani)
		}
		if got := 100 * (p.BinomialANI() - (1 - p.Mash())); math.Abs(got-c.points) > 0.005 {
			t.Errorf("at %v 1 - Mash is lower by %v points, want %v", c.ani, got, c.points)
		}
	}
}

func bottom(size int, hashes ...uint64) sketch.Item {
	slices.Sort(hashes)
	hashes = hashes[:min(size, len(hashes))]
	p := sketch.Params{Family: sketch.BottomK, Elements: sketch.DNAElements(1), Hash: sketch.Murmur3(64, 42), Size: size}
	s, err := sketch.NewSet(p, slices.Clone(hashes), nil, ^uint64(0))
	if len(hashes) == size {
		s, err = sketch.NewSet(p, slices.Clone(hashes), nil, hashes[size-1])
	}
	if err != nil {
		panic(err)
	}
	return sketch.Item{Sketch: s}
}

// With k = 1 the ANI is the Dice coefficient itself.
func TestDiceANI(t *testing.T) {
	for name, c := range map[string]struct {
		a, b sketch.Item
		want float64
	}{
		"below the smaller bound":  {bottom(4, 1, 2, 3, 9), bottom(4, 2, 3, 4, 5), 2 * 2. / 6}, // below 5: 1 2 3 and 2 3 4
		"the bound is no evidence": {bottom(3, 1, 2, 5), bottom(3, 3, 4, 5), 0},
		"neither is full":          {bottom(9, 1, 2, 5), bottom(9, 3, 4, 5), 2 * 1. / 6},
		"one is full":              {bottom(2, 1, 7), bottom(9, 1, 3, 7, 8), 2 * 1. / 3}, // sizes 2 and 9: below 3
		"one is empty":             {bottom(3), bottom(3, 1, 2), 0},
		"both are empty":           {bottom(3), bottom(3), math.NaN()},
		"equal":                    {bottom(3, 1, 2, 3), bottom(3, 1, 2, 3), 1},
	} {
		if got := DiceANI(c.a, c.b); !near(got, c.want, 1e-15) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if got := DiceANI(c.b, c.a); !near(got, c.want, 1e-15) {
			t.Errorf("%s, the other way: %v, want %v", name, got, c.want)
		}
	}
}

// Over many sets of a known overlap the estimate is unbiased, and its error is
// smaller than that from the Jaccard index. The bound on the bias is 5 standard
// errors.
func TestDiceANIErrs(t *testing.T) {
	const rounds, size, own, both = 400, 100, 2700, 300
	const want = 2. * both / (2 * (own + both))
	r := rand.New(rand.NewPCG(4, 2))
	var sum, squares, jaccards float64
	for range rounds {
		shared := draw(r, both)
		a := bottom(size, append(draw(r, own), shared...)...)
		b := bottom(size, append(draw(r, own), shared...)...)
		d, j := DiceANI(a, b), Compare(a, b).BinomialANI() // k = 1
		sum += d
		squares += (d - want) * (d - want)
		jaccards += (j - want) * (j - want)
	}
	if bias, e := sum/rounds-want, math.Sqrt(squares)/rounds; math.Abs(bias) > 5*e {
		t.Errorf("bias %v at a standard error of %v", bias, e)
	}
	if ratio := jaccards / squares; ratio < 1.5 {
		t.Errorf("the squared error of the Jaccard index is only %v that of Dice", ratio)
	}
}

func draw(r *rand.Rand, n int) []uint64 {
	v := make([]uint64, n)
	for i := range v {
		v[i] = r.Uint64()
	}
	return v
}
