// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

func ophParams(k int, densify string) sketch.Params {
	p := textParams(sketch.OPH, k, sketch.Hash{Algorithm: "xxh3-64", Bits: 64})
	p.Densify = densify
	return p
}

var waysToFill = []string{"", sketch.Optimal, sketch.Rotation}

// The slots of an independent computation, testdata/oph.py.
func TestOPHGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/oph.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		K                              int
		Hashes, Own, Optimal, Rotation []json.Number
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		hashes := numbers(t, c.Hashes)
		for how, want := range map[string][]json.Number{"": c.Own, sketch.Optimal: c.Optimal, sketch.Rotation: c.Rotation} {
			slots := finish(t, builder(t, ophParams(c.K, how)), hashes).AppendSlots(nil)
			var some []uint64
			for i := 0; i < c.K; i += max(1, c.K/128) {
				some = append(some, slots[i])
			}
			if !slices.Equal(some, numbers(t, want)) {
				t.Errorf("k=%d, %d hashes, filled %q: other slots", c.K, len(hashes), how)
			}
		}
	}
	if len(cases) != 8 {
		t.Errorf("%d cases", len(cases))
	}
}

// ophWant is the signature by definition, for sketchtest.
func ophWant(p sketch.Params) func([]uint64) sketchtest.Values {
	return func(hashes []uint64) sketchtest.Values {
		own := full[uint64](p.Size, 1)
		any := false
		for _, h := range hashes {
			if h > ophBound(p) || h == 0 && p.Scaled > 0 {
				continue
			}
			any = true
			i := binOf(h, uint64(p.Size))
			own[i] = min(own[i], h)
		}
		if p.Densify != "" && any {
			own = densify(own, p.Densify)
		}
		return sketchtest.Values{Hashes: own}
	}
}

func TestOPHBuilder(t *testing.T) {
	for _, k := range []int{1, 128, 1000} {
		for _, how := range waysToFill {
			for _, scaled := range []uint64{0, 10} {
				t.Run(fmt.Sprintf("%d/%s/scaled=%d", k, how, scaled), func(t *testing.T) {
					p := ophParams(k, how)
					p.Scaled = scaled
					sketchtest.Run(t, func() sketch.Builder { return builder(t, p) }, ophWant(p))
				})
			}
		}
	}
}

// New takes back what AppendSlots gives and nothing that cannot come from it.
func TestNewOPH(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, how := range waysToFill {
		for _, n := range []int{0, 1, 30, 300} {
			p := ophParams(100, how)
			o := finish(t, builder(t, p), sketchtest.Hashes(r, n)).(*OPH)
			slots := o.AppendSlots(nil)
			back, err := NewOPH(p, slots)
			if err != nil || !slices.Equal(back.slots, o.slots) || !slices.Equal(back.own, o.own) || back.bins != o.bins {
				t.Fatalf("filled %q, %d hashes: %v", how, n, err)
			}
			for i := range slots {
				bad := slices.Clone(slots)
				bad[i] = bad[(i+1)%len(bad)] ^ 1
				if _, err := NewOPH(p, bad); err == nil && binOf(bad[i], 100) != uint64(i) {
					t.Fatalf("filled %q, %d hashes: slot %d holds a hash of another bin", how, n, i)
				}
			}
			if n > 1 {
				bad := slices.Clone(slots)
				slices.Reverse(bad)
				if _, err := NewOPH(p, bad); err == nil {
					t.Errorf("filled %q, %d hashes: reversed slots are accepted", how, n)
				}
			}
		}
	}
}

// Slots of a FracMinHash sketch are those built with Scaled from all hashes.
func TestOPHOfFracMinHash(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	hashes := append(sketchtest.Hashes(r, 5000), 0)
	p := sketch.Params{Family: sketch.FracMinHash, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Scaled: 20}
	set, err := finishAny(fracminhash.NewBuilder(p), hashes)
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range waysToFill {
		o, err := OPHOf(set.(sketch.HashSet), 128, how)
		if err != nil {
			t.Fatal(err)
		}
		want := sketch.Params{Family: sketch.OPH, Elements: p.Elements, Hash: p.Hash, Size: 128, Scaled: 20, Densify: how}
		if o.Params() != want {
			t.Errorf("%s, want %s", o.Params(), want)
		}
		built := finish(t, builder(t, want), hashes)
		if !slices.Equal(o.AppendSlots(nil), built.AppendSlots(nil)) {
			t.Errorf("filled %q: other slots", how)
		}
	}
}

func finishAny(b sketch.Builder, hashes []uint64) (sketch.Sketch, error) {
	if err := b.AddHashes(hashes); err != nil {
		return nil, err
	}
	return b.Finish()
}

// Slots of bottom-k sketches estimate the Jaccard index of sets of different
// size, whose largest hashes differ.
func TestOPHOfBottomK(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	p := sketch.Params{Family: sketch.BottomK, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: 1000}
	const trials = 200
	for _, c := range []struct{ a, b, shared int }{{5000, 5000, 2500}, {8000, 2000, 1500}, {300, 300, 200}, {5000, 300, 250}} {
		j := float64(c.shared) / float64(c.a+c.b-c.shared)
		sum, variance := 0.0, 0.0
		for range trials {
			pool := sketchtest.Hashes(r, c.a+c.b-c.shared)
			var slots [2]*OPH
			for i, hashes := range [][]uint64{pool[:c.a], pool[c.a-c.shared:]} {
				set, err := finishAny(bottomk.NewBuilder(p), hashes)
				if err != nil {
					t.Fatal(err)
				}
				if slots[i], err = OPHOf(set.(sketch.HashSet), 128, sketch.Optimal); err != nil {
					t.Fatal(err)
				}
			}
			s, err := slots[0].Similarity(slots[1], 0.95)
			if err != nil {
				t.Fatal(err)
			}
			sum += s.Value
			variance += s.Variance
		}
		// 4.4 standard errors are passed by chance once in 100,000 tests.
		if bias, limit := sum/trials-j, 4.4*math.Sqrt(variance)/trials; bias > limit || bias < -limit {
			t.Errorf("%+v: J = %.4f on average, %.4f in truth", c, sum/trials, j)
		}
	}
	if _, err := NewBuilder(sketch.Params{Family: sketch.OPH, Elements: p.Elements, Hash: p.Hash, Size: 128, Sampled: 1000}); err == nil {
		t.Error("slots of bottom-k sketches are built from hashes")
	}
}

func TestOPHUnion(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, how := range waysToFill {
		b := builder(t, ophParams(64, how))
		hashes := sketchtest.Hashes(r, 60)
		x, y := finish(t, b, hashes[:40]).(*OPH), finish(t, b, hashes[20:]).(*OPH)
		want := finish(t, b, hashes).(*OPH)
		u, err := x.Union(y)
		if err != nil || !slices.Equal(u.slots, want.slots) || !slices.Equal(u.own, want.own) {
			t.Errorf("filled %q: %v", how, err)
		}
		other := finish(t, builder(t, ophParams(65, how)), hashes).(*OPH)
		if _, err := x.Union(other); !errors.Is(err, sketch.ErrIncompatible) {
			t.Errorf("filled %q: %v", how, err)
		}
		if err := b.Merge(builder(t, ophParams(65, how))); !errors.Is(err, sketch.ErrIncompatible) {
			t.Errorf("filled %q: %v", how, err)
		}
	}
}

func TestOPHAllocatesNothingPerHash(t *testing.T) {
	hashes := sketchtest.Hashes(rand.New(rand.NewPCG(5, 1)), 1000)
	b := builder(t, ophParams(128, sketch.Optimal))
	if n := testing.AllocsPerRun(10, func() { b.AddHashes(hashes) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkOPH(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 1))
	for _, n := range []int{1000, 100000} {
		hashes := sketchtest.Hashes(r, n)
		o := builder(b, ophParams(128, sketch.Optimal))
		b.Run(fmt.Sprintf("k=128/hashes=%d", n), func(b *testing.B) {
			b.SetBytes(int64(8 * n))
			b.ReportAllocs()
			for b.Loop() {
				fill(o.(*OPHBuilder).own)
				o.AddHashes(hashes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/hash")
		})
	}
}

// Without an interval the value is the same.
func TestOPHValueAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := sketch.Params{Family: sketch.OPH, Elements: sketch.Elements{Molecule: "text", Recipe: "words=5/norm=1"}, Hash: sketch.Hash{Algorithm: "xxh3-64", Bits: 64}, Size: rapid.IntRange(1, 70).Draw(t, "slots"), Densify: sketch.Optimal}
		hashes := rapid.SliceOfN(rapid.Uint64(), 0, 80).Draw(t, "hashes")
		cut := func(label string) *OPH {
			b, err := NewOPHBuilder(p)
			if err != nil {
				t.Fatal(err)
			}
			if len(hashes) > 0 {
				from := rapid.IntRange(0, len(hashes)-1).Draw(t, label)
				b.AddHashes(hashes[from:rapid.IntRange(from, len(hashes)).Draw(t, label)])
			}
			s, err := b.Finish()
			if err != nil {
				t.Fatal(err)
			}
			return s.(*OPH)
		}
		x, y := cut("x"), cut("y")
		long, err := x.Similarity(y, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		short, err := x.Similarity(y, 0)
		if err != nil || short.Value != long.Value && !(math.IsNaN(short.Value) && math.IsNaN(long.Value)) {
			t.Fatalf("%v, %v: want %v", short.Value, err, long.Value)
		}
	})
}
