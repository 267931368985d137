// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

func icwsParams(k int, seed uint64, perm string) sketch.Params {
	p := textParams(sketch.ICWS, k, sketch.Hash{Algorithm: "xxh3-64", Bits: 64, Seed: seed, Permutation: perm})
	p.Weighted = true
	return p
}

func numpyParams(k int, seed uint64, dims int) sketch.Params {
	return icwsParams(k, seed, fmt.Sprintf("%s:%d", sketch.Numpy, dims))
}

// icwsWant samples by definition from counts, with the standard library's
// logarithm.
func icwsWant(k int) func([]uint64) sketchtest.Values {
	return func(hashes []uint64) sketchtest.Values {
		pairs := full[uint64](2*k, 1)
		for slot := range k {
			best := math.Inf(1)
			for h, n := range sketchtest.Count(hashes) {
				s := stream(mix.Bits64(h + mix.Golden*uint64(slot+1)))
				var u [5]float64
				for i := range u {
					u[i] = s.uniform()
				}
				r, c, beta := -math.Log(u[0]*u[1]), -math.Log(u[2]*u[3]), u[4]
				t := math.Floor(math.Log(float64(n))/r + beta)
				y := math.Exp(r * (t - beta))
				if a := c / (y * math.Exp(r)); a < best {
					best = a
					pairs[2*slot], pairs[2*slot+1] = h, uint64(int64(t))
				}
			}
		}
		return sketchtest.Values{Hashes: pairs}
	}
}

func TestICWSBuilder(t *testing.T) {
	for _, k := range []int{1, 5} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			sketchtest.Run(t, func() sketch.Builder { return builder(t, icwsParams(k, 0, "")) }, icwsWant(k))
		})
	}
}

func TestLn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	check := func(x float64) {
		want := math.Log(x)
		if got := ln(x); math.Abs(got-want) > 1.5*math.Abs(math.Nextafter(want, 2*want+1)-want) {
			t.Fatalf("ln %v = %v, want %v", x, got, want)
		}
	}
	// math.Log is wrong below 2^-1022 where it is written in assembly.
	if got := ln(math.SmallestNonzeroFloat64); got != -744.4400719213812 {
		t.Errorf("ln 2^-1074 = %v", got)
	}
	for _, x := range []float64{1, 2, 0.5, math.E, math.MaxFloat64, 0x1p-1022, math.Sqrt2, math.Sqrt2 / 2, 1 - 0x1p-53, 1 + 0x1p-52} {
		check(x)
	}
	for range 1_000_000 {
		check(math.Float64frombits(r.Uint64N(0x7fe0000000000000) + 0x0010000000000000))
		check(r.Float64() + 0x1p-60)
	}
}

func weigh(t *testing.T, b sketch.Builder, weights map[uint64]float64) (sketch.Sketch, error) {
	t.Helper()
	for h, w := range weights {
		if err := b.(sketch.WeightedBuilder).AddWeighted([]uint64{h}, []float64{w}); err != nil {
			return nil, err
		}
	}
	return b.Finish()
}

// vector adds weights by index.
func vector(t *testing.T, b sketch.Builder, weights []float64) (sketch.Sketch, error) {
	t.Helper()
	indices := make([]uint64, len(weights))
	for i := range indices {
		indices[i] = uint64(i)
	}
	if err := b.(sketch.WeightedBuilder).AddWeighted(indices, weights); err != nil {
		return nil, err
	}
	return b.Finish()
}

func TestICWSEqualsDatasketch(t *testing.T) {
	g := readGoldens(t)
	for _, c := range g.Weighted {
		s, err := vector(t, builder(t, numpyParams(c.K, c.Seed, c.Dim)), c.Weights)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range s.(*ICWS).pairs {
			if int64(v) != c.Slots[i] {
				t.Errorf("%s, %d dimensions, seed %d: slot %d: %v, want %v", c.Kind, c.Dim, c.Seed, i/2, int64(v), c.Slots[i])
			}
		}
	}
	if len(g.Weighted) != 15 {
		t.Errorf("%d cases", len(g.Weighted))
	}
}

func TestSharedWeighted(t *testing.T) {
	var g struct {
		Cases []struct {
			Dim     int
			K       int `json:"sample_size"`
			Seed    uint64
			R       string `json:"rs_f32le_hex"`
			LnC     string `json:"ln_cs_f32le_hex"`
			Uniform string `json:"betas_f32le_hex"`
			Vectors [][]float64
			Values  [][][2]int64 `json:"hashvalues"`
			Jaccard []float64    `json:"jaccard_0_vs_all"`
		}
	}
	readShared(t, &g, "golden", "datasketch", "weighted_minhash.json")
	for _, c := range g.Cases {
		draws := newNumpySampler(uint32(c.Seed), c.K, c.Dim)
		for name, a := range map[string]struct {
			got  []float32
			want string
		}{"r": {draws.r, c.R}, "ln c": {draws.lnC, c.LnC}, "beta": {draws.uniform, c.Uniform}} {
			var b []byte
			for _, v := range a.got {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}
			if hex.EncodeToString(b) != a.want {
				t.Errorf("seed %d: other %s", c.Seed, name)
			}
		}
		var first *ICWS
		for i, v := range c.Vectors {
			s, err := vector(t, builder(t, numpyParams(c.K, c.Seed, c.Dim)), v)
			if err != nil {
				t.Fatal(err)
			}
			x := s.(*ICWS)
			for j, want := range c.Values[i] {
				if int64(x.pairs[2*j]) != want[0] || int64(x.pairs[2*j+1]) != want[1] {
					t.Errorf("seed %d, vector %d, slot %d: %d, %d, want %v", c.Seed, i, j, x.pairs[2*j], int64(x.pairs[2*j+1]), want)
				}
			}
			if first == nil {
				first = x
			}
			if s, err := first.Similarity(x, 0.95); err != nil || math.Abs(s.Value-c.Jaccard[i]) > 1e-12 {
				t.Errorf("seed %d, vector %d: %v, want %v; %v", c.Seed, i, s.Value, c.Jaccard[i], err)
			}
		}
	}
	if len(g.Cases) != 3 {
		t.Errorf("%d cases", len(g.Cases))
	}
}

func TestICWSRefuses(t *testing.T) {
	for _, p := range []sketch.Params{icwsParams(4, 0, ""), numpyParams(4, 1, 3)} {
		for _, w := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
			if _, err := vector(t, builder(t, p), []float64{1, w, 0}); err == nil {
				t.Errorf("%s: weight %v is accepted", p, w)
			}
		}
		if _, err := vector(t, builder(t, p), []float64{0, 0, 0}); !errors.Is(err, ErrNoWeight) {
			t.Errorf("%s: all weights zero: %v", p, err)
		}
		b := builder(t, p).(*ICWSBuilder)
		for range 2 {
			if err := b.AddWeighted([]uint64{1}, []float64{math.MaxFloat64}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.Finish(); err == nil {
			t.Errorf("%s: an infinite sum is accepted", p)
		}
		if err := b.AddWeighted([]uint64{1}, []float64{1, 2}); err == nil {
			t.Errorf("%s: two weights for one element are accepted", p)
		}
		// The builder is empty again and works.
		if s := finish(t, b, []uint64{2}); s.Empty() {
			t.Errorf("%s: an element is lost", p)
		}
		if s := finish(t, b, nil); !s.Empty() {
			t.Errorf("%s: nothing is something", p)
		}
	}
	b := builder(t, numpyParams(4, 1, 3))
	if b.AddHashes([]uint64{3}) == nil || b.(*ICWSBuilder).AddWeighted([]uint64{3}, []float64{1}) == nil {
		t.Error("an index outside the vector is accepted")
	}
	if _, err := vector(t, b, []float64{1e-60, 0, 0}); !errors.Is(err, ErrNoWeight) {
		t.Errorf("a weight below 32 bits of precision: %v", err)
	}
	if _, err := NewICWS(numpyParams(2, 1, 3), []uint64{3, 0, 0, 0}); err == nil {
		t.Error("a slot outside the vector is accepted")
	}
	if _, err := NewICWS(icwsParams(2, 1, ""), []uint64{NoHash, NoHash, 0, 0}); err == nil {
		t.Error("one empty slot is accepted")
	}
	if _, err := NewBuilder(numpyParams(1<<20, 1, 1<<20)); err == nil {
		t.Error("draws of terabytes are accepted")
	}
}

// icwsPair makes weighted sets of a known weighted Jaccard index.
func icwsPair(r *rand.Rand, n int) (v, w map[uint64]float64, j float64) {
	v, w = map[uint64]float64{}, map[uint64]float64{}
	low, high := 0.0, 0.0
	for range n {
		h := r.Uint64()
		a, b := r.ExpFloat64(), r.ExpFloat64()
		switch r.IntN(4) {
		case 0:
			a = 0
		case 1:
			b = a
		}
		v[h], w[h] = a, b
		low += min(a, b)
		high += max(a, b)
	}
	return v, w, low / high
}

// The share of agreeing slots is the weighted Jaccard index, whatever all
// weights are multiplied with, and is unbiased.
func TestICWSScaling(t *testing.T) {
	const k, trials = 64, 100
	r := rand.New(rand.NewPCG(2, 1))
	for _, scale := range []float64{1e-300, 1e-9, 1, 3, 1e9, 1e300} {
		z2, n := 0.0, 0
		bias, variance := 0.0, 0.0
		for range trials {
			v, w, j := icwsPair(r, 20)
			for _, m := range []map[uint64]float64{v, w} {
				for h := range m {
					m[h] *= scale
				}
			}
			b := builder(t, icwsParams(k, 0, ""))
			x, err := weigh(t, b, v)
			if err != nil {
				t.Fatal(err)
			}
			y, err := weigh(t, b, w)
			if err != nil {
				t.Fatal(err)
			}
			s, err := x.(*ICWS).Similarity(y.(*ICWS), 0.95)
			if err != nil {
				t.Fatal(err)
			}
			bias += s.Value - j
			variance += j * (1 - j) / k
			z2 += (s.Value - j) * (s.Value - j) / (j * (1 - j) / k)
			n++
		}
		// 4.9 standard errors: one false alarm in a million.
		if z := bias / math.Sqrt(variance); math.Abs(z) > 4.9 {
			t.Errorf("scale %v: bias of %.2f standard errors", scale, z)
		}
		if got := z2 / float64(n); math.Abs(got-1) > 4.9*math.Sqrt(2./float64(n)) {
			t.Errorf("scale %v: variance %.2f times J(1-J)/k", scale, got)
		}
	}
}

// Cost follows the number of elements, not their weights.
func TestICWSOfHugeWeights(t *testing.T) {
	b := builder(t, icwsParams(16, 0, ""))
	x, err := weigh(t, b, map[uint64]float64{1: 1e18, 2: 3e17})
	if err != nil {
		t.Fatal(err)
	}
	y, err := weigh(t, b, map[uint64]float64{1: 1e18, 2: 3e17})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(x.(*ICWS).pairs, y.(*ICWS).pairs) {
		t.Error("the same weights give other slots")
	}
}

// Multisets are told from sets: "x y x y" is half of "y x".
func TestICWSOfRepeats(t *testing.T) {
	b := builder(t, icwsParams(4096, 0, ""))
	x, y := finish(t, b, []uint64{7, 8, 7, 8}), finish(t, b, []uint64{8, 7})
	s, err := x.Similarity(y, 0.999999)
	if err != nil || s.Low > 0.5 || s.High < 0.5 {
		t.Errorf("%+v, %v; want 0.5", s, err)
	}
}

func TestBBitOfICWS(t *testing.T) {
	p := icwsParams(300, 0, "")
	b := builder(t, p)
	r := rand.New(rand.NewPCG(3, 1))
	v, w, j := icwsPair(r, 50)
	var low [2]*BBit
	for i, weights := range []map[uint64]float64{v, w} {
		s, err := weigh(t, b, weights)
		if err != nil {
			t.Fatal(err)
		}
		if low[i], err = LowBits(s.(*ICWS), 2); err != nil {
			t.Fatal(err)
		}
	}
	s, err := low[0].Similarity(low[1], 0.99999)
	if err != nil || s.Low > j || s.High < j || low[0].Params() != bbitOf(p, 2) {
		t.Errorf("%+v, %v; want %v", s, err, j)
	}
	empty := finish(t, builder(t, bbitOf(p, 2)), nil)
	if !empty.Empty() || low[0].Empty() {
		t.Error("empty is not told from full")
	}
}

func BenchmarkICWS(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 1))
	hashes := sketchtest.Hashes(r, 1000)
	w := builder(b, icwsParams(128, 0, ""))
	b.ReportAllocs()
	for b.Loop() {
		if err := w.AddHashes(hashes); err != nil {
			b.Fatal(err)
		}
		if _, err := w.Finish(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/128000, "ns/element/slot")
}

// Repeats that a set does not see: weighted sketches tell them apart.
func TestFaultRepeatedTokens(t *testing.T) {
	var want struct {
		Weighted map[string]float64 `json:"weighted_J"`
	}
	readShared(t, &want, "cases", "text", "23-repeated-tokens-weighted", "expected.json")
	data, err := os.ReadFile(shared.Path(t, "cases", "text", "23-repeated-tokens-weighted", "input.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []sketch.Estimable
	for line := range bytes.Lines(data) {
		var d struct{ Text string }
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		var hashes []uint64
		for _, word := range strings.Fields(d.Text) {
			hashes = append(hashes, xxh3.HashString(word))
		}
		all = append(all, finish(t, builder(t, icwsParams(2048, 1, "")), hashes))
	}
	for pair, j := range want.Weighted {
		var a, b int
		if _, err := fmt.Sscanf(pair, "%d,%d", &a, &b); err != nil {
			t.Fatal(err)
		}
		// At 1 - 1e-6, of ten pairs: a false alarm in a hundred thousand seeds.
		s, err := all[a].Similarity(all[b], 1-1e-6)
		if err != nil || s.Low > j || s.High < j {
			t.Errorf("%s: %v in [%v, %v], want %v; %v", pair, s.Value, s.Low, s.High, j, err)
		}
	}
	if len(want.Weighted) != 10 {
		t.Errorf("%d pairs", len(want.Weighted))
	}
}
