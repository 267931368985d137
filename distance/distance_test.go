// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/sketch"
)

// naiveOverlap is the definition of Mash's rule, with sets.
func naiveOverlap(a, b []uint64, s int) (shared, of int) {
	union := slices.Concat(a, b)
	slices.Sort(union)
	union = slices.Compact(union)
	union = union[:min(s, len(union))]
	for _, h := range union {
		_, inA := slices.BinarySearch(a, h)
		_, inB := slices.BinarySearch(b, h)
		if inA && inB {
			shared++
		}
	}
	return shared, len(union)
}

// ascending draws a strictly ascending list of small numbers, so that two
// lists meet often, and the largest hashes there are.
func ascending(most int) *rapid.Generator[[]uint64] {
	value := rapid.OneOf(rapid.Uint64Range(0, 60), rapid.Uint64Range(math.MaxUint64-5, math.MaxUint64))
	return rapid.Custom(func(t *rapid.T) []uint64 {
		a := rapid.SliceOfN(value, 0, most).Draw(t, "values")
		slices.Sort(a)
		return slices.Compact(a)
	})
}

func TestOverlapIsTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := ascending(70).Draw(t, "a"), ascending(70).Draw(t, "b")
		s := rapid.IntRange(1, 80).Draw(t, "s")
		shared, of := overlap(a, b, s)
		wantShared, wantOf := naiveOverlap(a, b, s)
		if shared != wantShared || of != wantOf {
			t.Fatalf("%d/%d, want %d/%d", shared, of, wantShared, wantOf)
		}
		if x, y := overlap(b, a, s); x != shared || y != of {
			t.Fatalf("%d/%d, the other way round %d/%d", shared, of, x, y)
		}
	})
}

func bottomKItem(t testing.TB, size int, hashes ...uint64) sketch.Item {
	return item(t, sketch.Meta{Length: 1000}, sketch.Params{
		Family: sketch.BottomK, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: size,
	}, hashes, nil)
}

func fracItem(t testing.TB, scaled uint64, hashes, counts []uint64) sketch.Item {
	return item(t, sketch.Meta{Length: 1000}, sketch.Params{
		Family: sketch.FracMinHash, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42),
		Scaled: scaled, Weighted: counts != nil,
	}, hashes, counts)
}

// The sets of the first example are those of docs/estimators.md: distinct in order 1 3 4 5, of
// which 3 is shared.
func TestCompareBottomK(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b       sketch.Item
		shared, of uint64
		mash       float64
	}{
		{"example", bottomKItem(t, 4, 1, 3, 5, 7), bottomKItem(t, 4, 3, 4, 7, 8), 1, 4, -math.Log(0.4) / 21},
		{"smaller size rules", bottomKItem(t, 4, 1, 3, 5, 7), bottomKItem(t, 2, 3, 4), 1, 2, -math.Log(2./3) / 21},
		{"short sketches", bottomKItem(t, 9, 1, 3), bottomKItem(t, 9, 3, 4), 1, 3, -math.Log(0.5) / 21},
		{"one empty", bottomKItem(t, 4, 1, 3, 5), bottomKItem(t, 2), 0, 2, 1},
		{"both empty", bottomKItem(t, 4), bottomKItem(t, 4), 0, 0, math.NaN()},
		{"equal", bottomKItem(t, 4, 1, 3), bottomKItem(t, 4, 1, 3), 2, 2, 0},
	} {
		for _, p := range []Pair{Compare(c.a, c.b), Compare(c.b, c.a)} {
			if p.Shared != c.shared || p.Of != c.of || !near(p.Mash(), c.mash, 1e-15) {
				t.Errorf("%s: %d/%d, D = %v; want %d/%d, %v", c.name, p.Shared, p.Of, p.Mash(), c.shared, c.of, c.mash)
			}
		}
	}
}

func TestMashLimits(t *testing.T) {
	if d := Mash(1, 1014, 6); d != 1 { // the formula gives 1.038
		t.Errorf("1/1014 at k = 6: %v, want 1", d)
	}
	for _, of := range []uint64{1, 1000, 1 << 62} {
		for _, shared := range []uint64{of, of - 1} {
			if d := Mash(shared, of, 21); !(d >= 0) || math.Signbit(d) {
				t.Errorf("%d/%d: %v", shared, of, d)
			}
		}
	}
	if d := Mash(1, 2, 0); !math.IsNaN(d) {
		t.Errorf("k = 0: %v", d)
	}
}

// 3 k-mers of which 1 is shared, scaled = 1000: 0.350771, not 0.333333.
func TestContainmentOfSmallSets(t *testing.T) {
	p := Compare(fracItem(t, 1000, []uint64{1, 2, 3}, nil), fracItem(t, 1000, []uint64{3, 4, 5, 6, 7}, nil))
	if !near(p.Containment(), 0.350771, 1e-6) || p.PlainContainment() != 1./3 {
		t.Errorf("containment %v, plain %v", p.Containment(), p.PlainContainment())
	}
	if p.PlainMaxContainment() != 1./3 || p.MaxContainment() != p.Containment() {
		t.Errorf("max containment %v, plain %v", p.MaxContainment(), p.PlainMaxContainment())
	}
	empty := Compare(fracItem(t, 1000, nil, nil), fracItem(t, 1000, []uint64{3}, nil))
	for name, v := range map[string]float64{
		"containment": empty.Containment(), "max": empty.MaxContainment(), "avg": empty.AvgContainment(),
		"ani": empty.ContainmentANI(), "max ani": empty.MaxContainmentANI(),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s of an empty set: %v", name, v)
		}
	}
	if v := empty.ReverseContainment(); v != 0 {
		t.Errorf("containment in an empty set: %v", v)
	}
}

func TestPValueLimits(t *testing.T) {
	full := Pair{Shared: 477, Of: 1000, K: 21, Space: math.Pow(4, 21), LengthA: 626, LengthB: 700}
	if v, lg := full.PValue(); v != 0 || !(lg < -4000) {
		t.Errorf("p = %v, log10 p = %v: the value underflows, the logarithm must not", v, lg)
	}
	none := full
	none.Shared = 0
	if v, lg := none.PValue(); v != 1 || lg != 0 || math.Signbit(lg) {
		t.Errorf("nothing shared: p = %v, log10 p = %v", v, lg)
	}
	for name, change := range map[string]func(*Pair){
		"no length":        func(p *Pair) { p.LengthA = 0 },
		"nothing compared": func(p *Pair) { p.Shared, p.Of = 0, 0 },
		"text":             func(p *Pair) { p.Space = 0 },
		"space too large":  func(p *Pair) { p.Space = math.Inf(1) },
	} {
		p := full
		change(&p)
		if v, lg := p.PValue(); !math.IsNaN(v) || !math.IsNaN(lg) {
			t.Errorf("%s: p = %v, log10 p = %v", name, v, lg)
		}
	}
}

func TestAngular(t *testing.T) {
	value := func(scaledA, scaledB uint64, ha, ca, hb, cb []uint64) float64 {
		a, b := fracItem(t, scaledA, ha, ca), fracItem(t, scaledB, hb, cb)
		return Angular(a.Sketch.(sketch.Abundant), b.Sketch.(sketch.Abundant))
	}
	type list = []uint64
	huge := uint64(math.MaxUint64)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"example", value(1, 1, list{1, 5, 9}, list{2, 1, 4}, list{5, 9}, list{3, 4}), 1 - 2*math.Acos(19/math.Sqrt(21*25))/math.Pi},
		{"itself", value(1, 1, list{1, 2, 3}, list{3, 5, 7}, list{1, 2, 3}, list{3, 5, 7}), 1},
		{"proportional", value(1, 1, list{1, 2}, list{1, 4}, list{1, 2}, list{3, 12}), 1},
		{"nothing shared", value(1, 1, list{1, 2}, list{1, 4}, list{3}, list{3}), 0},
		{"huge counts", value(1, 1, list{1, 2}, list{huge, huge}, list{1, 3}, list{huge, huge}), 1 - 2*math.Acos(0.5)/math.Pi},
		{"empty", value(1, 1, list{1}, list{1}, nil, list{}), math.NaN()},
		{"downsampled", value(1, 2, list{1, 1<<63 + 1}, list{1, 9}, list{1}, list{5}), 1},
	} {
		if !near(c.got, c.want, 1e-15) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestEstimators(t *testing.T) {
	frac := fracItem(t, 1000, []uint64{1, 2, 3}, []uint64{1, 1, 2})
	flat := fracItem(t, 500, []uint64{1, 2, 3}, nil)
	bottom := bottomKItem(t, 4, 1, 3, 5, 7)
	text := sketch.Params{Family: sketch.BottomK, Elements: sketch.Elements{Molecule: "text", Recipe: "words=5/norm=1"},
		Hash: sketch.Hash{Algorithm: "xxh3-64", Bits: 64}, Size: 10}
	accepts := map[string]string{ // f: FracMinHash, w: with abundances, b: bottom-k, t: bottom-k of text
		"jaccard": "fwbt", "mash": "fwb", "containment": "fw", "max-containment": "fw", "avg-containment": "fw", "ani": "fwb",
		"jaccard-ani": "fw", "containment-ani": "fw", "max-containment-ani": "fw", "avg-containment-ani": "fw", "dice-ani": "fwb", "angular": "w",
	}
	for _, name := range Names {
		e, err := ByName(name, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		for _, c := range []struct {
			letter string
			params sketch.Params
		}{{"f", flat.Sketch.Params()}, {"w", frac.Sketch.Params()}, {"b", bottom.Sketch.Params()}, {"t", text}} {
			if err := e.Accepts(c.params, c.params); err == nil {
				got += c.letter
			} else if !errors.Is(err, sketch.ErrIncompatible) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got != accepts[name] {
			t.Errorf("%s accepts %q, want %q", name, got, accepts[name])
		}
		if err := e.Accepts(flat.Sketch.Params(), bottom.Sketch.Params()); !errors.Is(err, sketch.ErrIncompatible) {
			t.Errorf("%s across families: %v", name, err)
		}
	}
	for _, bad := range []float64{-0.1, 1, math.NaN()} {
		if _, err := ByName("ani", bad); err == nil {
			t.Errorf("confidence %v accepted", bad)
		}
	}
	if _, err := ByName("euclid", 0); err == nil {
		t.Error("unknown name accepted")
	}
}

func TestEstimateDoesNotAllocate(t *testing.T) {
	var a, b, counts []uint64
	for h := range uint64(500) {
		a, b, counts = append(a, 2*h), append(b, 3*h), append(counts, h+1)
	}
	x, y := fracItem(t, 1000, a, counts), fracItem(t, 2000, b, counts)
	for _, name := range Names {
		e, err := ByName(name, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		var est Estimate
		if n := testing.AllocsPerRun(10, func() { est = e.Estimate(x, y) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
		if !(est.Value > 0 && est.Value < 1) || est.Shared != 167 || est.Of != 833 {
			t.Errorf("%s: %+v", name, est)
		}
		if e.Name() != "avg_containment_ani" && strings.HasSuffix(name, "ment-ani") && !(est.Low < est.Value && est.Value < est.High) {
			t.Errorf("ani: %+v", est)
		}
	}
	v, w := bottom(300, a...), bottom(300, b...)
	if n := testing.AllocsPerRun(10, func() { DiceANI(v, w) }); n != 0 {
		t.Errorf("dice_ani of bottom-k: %v allocations", n)
	}
}

// Expected ends from scipy 1.17: binomtest(shared, of).proportion_ci, method
// "wilson" for the first and "exact" for the others, through (2J/(1+J))^(1/k).
func TestANIRangeOfBottomK(t *testing.T) {
	for _, c := range []struct {
		shared, of uint64
		k          int
		low, high  float64
	}{
		{477, 1000, 21, 0.9772720060581948, 0.9813695678714113},
		{3, 1000, 21, 0.7270238613891308, 0.8243967633559829},
		{0, 1000, 21, 0, 0.7913314978271928},
		{998, 1000, 31, 0.9998831519639205, 0.9999960912147755},
		{20, 20, 21, 0.9954168007925522, 1},
		{0, 0, 21, math.NaN(), math.NaN()},
	} {
		p := Pair{Shared: c.shared, Of: c.of, K: c.k}
		low, high := p.ANIRange(0.95)
		if !near(low, c.low, 1e-9) || !near(high, c.high, 1e-9) {
			t.Errorf("%d/%d: %v to %v, want %v to %v", c.shared, c.of, low, high, c.low, c.high)
		}
		if v := p.ANI(); c.of > 0 && !(low <= v && v <= high) {
			t.Errorf("%d/%d: %v outside %v to %v", c.shared, c.of, v, low, high)
		}
	}
}

func TestRoot(t *testing.T) {
	if x := root(func(x float64) float64 { return x*x - 2 }, 0, 2); math.Abs(x-math.Sqrt2) > 1e-12 {
		t.Errorf("sqrt 2 = %v", x)
	}
	if x := root(func(x float64) float64 { return x*x + 1 }, 0, 2); !math.IsNaN(x) {
		t.Errorf("no root, yet %v", x)
	}
	if x := root(func(x float64) float64 { return math.Sqrt(x-1) - 0.5 }, 0, 2); !math.IsNaN(x) {
		t.Errorf("NaN at the end, yet %v", x)
	}
}

func BenchmarkOverlap(b *testing.B) {
	for _, c := range []struct {
		name  string
		share uint64 // 1 hash in share is common
	}{{"unrelated", 0}, {"half", 2}} {
		b.Run(c.name, func(b *testing.B) {
			const s = 1000
			x, y := randomHashes(s, 1), randomHashes(s, 2)
			if c.share > 0 {
				for i := range x {
					if uint64(i)%c.share == 0 {
						y[i] = x[i]
					}
				}
				slices.Sort(y)
			}
			b.ReportAllocs()
			for b.Loop() {
				overlap(x, y, s)
			}
		})
	}
}

func randomHashes(n int, seed uint64) []uint64 {
	h := make([]uint64, n)
	for i := range h {
		seed = seed*6364136223846793005 + 1442695040888963407
		h[i] = seed ^ seed>>31
	}
	slices.Sort(h)
	return slices.Compact(h)
}

func BenchmarkPValue(b *testing.B) {
	p := Pair{Shared: 477, Of: 1000, K: 21, Space: math.Pow(4, 21), LengthA: 5e6, LengthB: 4e6}
	for b.Loop() {
		p.PValue()
	}
}

func BenchmarkANIInterval(b *testing.B) {
	p := Pair{Shared: 3000, Of: 7000, A: 5000, B: 5000, Scaled: 1000, K: 21}
	for b.Loop() {
		p.MaxANIInterval(0.95)
	}
}
