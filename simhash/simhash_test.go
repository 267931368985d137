// SPDX-License-Identifier: Apache-2.0

package simhash

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

func params(bits int, weighted bool) sketch.Params {
	return sketch.Params{Family: sketch.SimHash, Elements: sketch.Elements{Molecule: "text", Recipe: "words=1/norm=1"},
		Hash: sketch.Hash{Algorithm: "sha1", Bits: 64}, Size: bits, Weighted: weighted}
}

func builder(t testing.TB, p sketch.Params) *Builder {
	t.Helper()
	b, err := NewBuilder(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func finish(t testing.TB, b *Builder, hashes []uint64) *Sketch {
	t.Helper()
	if err := b.AddHashes(hashes); err != nil {
		t.Fatal(err)
	}
	s, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return s.(*Sketch)
}

// want is the fingerprint by definition, bit by bit.
func want(bits int, weighted bool) func([]uint64) sketchtest.Values {
	return func(hashes []uint64) sketchtest.Values {
		slots := make([]uint64, bits)
		for i := range slots {
			sum := 0
			for h, n := range sketchtest.Count(hashes) {
				if !weighted {
					n = 1
				}
				if i >= 64 {
					h = mix.Bits64(h ^ mix.Golden)
				}
				if h>>(i%64)&1 == 1 {
					sum += int(n)
				} else {
					sum -= int(n)
				}
			}
			if sum > 0 {
				slots[i] = 1
			}
		}
		return sketchtest.Values{Hashes: slots}
	}
}

func TestBuilder(t *testing.T) {
	for _, bits := range []int{64, 128} {
		for _, weighted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d/%t", bits, weighted), func(t *testing.T) {
				sketchtest.Run(t, func() sketch.Builder { return builder(t, params(bits, weighted)) }, want(bits, weighted))
			})
		}
	}
}

func sha1Hash(s string) uint64 {
	d := sha1.Sum([]byte(s))
	return binary.LittleEndian.Uint64(d[:])
}

// Ties are 0 and order does not matter: case 28 of the collected faults.
func TestSharedTieRule(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "cases", "text", "28-simhash-tie-rule-and-order", "input.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var expected struct{ SimHash64 []json.Number }
	raw, err := os.ReadFile(shared.Path(t, "cases", "text", "28-simhash-tie-rule-and-order", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &expected); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) == 0 || len(lines) != len(expected.SimHash64) {
		t.Fatalf("%d inputs, %d values", len(lines), len(expected.SimHash64))
	}
	for i, line := range lines {
		var in struct{ Features [][2]any }
		if err := json.Unmarshal([]byte(line), &in); err != nil {
			t.Fatal(err)
		}
		b := builder(t, params(64, true))
		for _, f := range in.Features {
			if err := b.AddWeighted([]uint64{sha1Hash(f[0].(string))}, []float64{f[1].(float64)}); err != nil {
				t.Fatal(err)
			}
		}
		s, err := b.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.(*Sketch).Fingerprint()[0]); got != expected.SimHash64[i].String() {
			t.Errorf("input %d: %s, want %s", i, got, expected.SimHash64[i])
		}
		if s.(*Sketch).Empty() != (len(in.Features) == 0) {
			t.Errorf("input %d: empty is %t", i, s.(*Sketch).Empty())
		}
	}
}

// Weights add up as copies do.
func TestWeightsAreCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		hashes := sketchtest.Hashes(r, 30)
		copies, weighted := builder(t, params(128, true)), builder(t, params(128, true))
		for _, h := range hashes {
			n := r.IntN(300)
			if err := weighted.AddWeighted([]uint64{h}, []float64{float64(n)}); err != nil {
				t.Fatal(err)
			}
			if err := copies.AddHashes(slices.Repeat([]uint64{h}, n)); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := finish(t, copies, nil), finish(t, weighted, nil); a.bits != b.bits {
			t.Fatalf("%x, %x", a.bits, b.bits)
		}
	}
}

func TestRefuses(t *testing.T) {
	b := builder(t, params(64, true))
	for _, w := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if err := b.AddWeighted([]uint64{1}, []float64{w}); err == nil {
			t.Errorf("weight %v is accepted", w)
		}
	}
	if err := b.AddWeighted([]uint64{1}, nil); err == nil {
		t.Error("a feature without weight is accepted")
	}
	if err := builder(t, params(64, false)).AddWeighted([]uint64{1}, []float64{1}); err == nil {
		t.Error("a weight for a sketch without is accepted")
	}
	for _, o := range []sketch.Builder{builder(t, params(128, true)), builder(t, params(64, false))} {
		if err := b.Merge(o); !errors.Is(err, sketch.ErrIncompatible) {
			t.Errorf("merged with %s: %v", o.Params(), err)
		}
	}
	s := finish(t, b, []uint64{1})
	other := finish(t, builder(t, params(64, false)), []uint64{1})
	if _, err := s.Similarity(other, 0.95); !errors.Is(err, sketch.ErrIncompatible) || !strings.Contains(err.Error(), "weighted") {
		t.Errorf("a set compared with a multiset: %v", err)
	}
	narrow := params(64, false)
	narrow.Hash.Bits = 32
	if _, err := NewBuilder(narrow); err == nil {
		t.Error("hashes of 32 bits are accepted")
	}
	if _, err := NewBuilder(params(100, false)); err == nil {
		t.Error("100 bits are accepted")
	}
	for _, slots := range [][]uint64{nil, make([]uint64, 63), slices.Repeat([]uint64{2}, 64)} {
		if _, err := New(params(64, false), slots); err == nil {
			t.Errorf("%v is accepted", slots)
		}
	}
}

func TestNewKeepsBits(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, bits := range []int{64, 128} {
		s := finish(t, builder(t, params(bits, false)), sketchtest.Hashes(r, 21))
		back, err := New(s.params, s.AppendSlots(nil))
		if err != nil || *back != *s {
			t.Fatalf("%+v, %v; want %x", back, err, s.bits)
		}
		b := s.params.AppendSlotBytes(nil, s.AppendSlots(nil))
		if len(b) != bits/8 || binary.LittleEndian.Uint64(b) != s.bits[0] {
			t.Errorf("in files: %x, want %x", b, s.bits)
		}
	}
}

func TestSimilarityOfEmpty(t *testing.T) {
	b := builder(t, params(64, false))
	empty, one := finish(t, b, nil), finish(t, b, []uint64{1})
	for _, o := range []*Sketch{empty, one} {
		if s, err := empty.Similarity(o, 0.95); err != nil || !math.IsNaN(s.Value) {
			t.Errorf("%+v, %v", s, err)
		}
	}
	if s, err := one.Similarity(one, 0.95); err != nil || s.Value != 1 || s.High != 1 || s.Low >= 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestHyperplanes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const bits, dims, trials = 128, 20, 300
	for _, cos := range []float64{-0.9, 0, 0.5, 0.95} {
		angle := math.Acos(cos)
		differ := 0
		for trial := range trials {
			h, err := NewHyperplanes(bits, dims, uint64(trial))
			if err != nil {
				t.Fatal(err)
			}
			x, y := pairAtAngle(r, dims, angle)
			f, err := h.Fingerprint(x)
			if err != nil {
				t.Fatal(err)
			}
			for i := range y {
				y[i] *= 1e307 // length does not matter
			}
			g, err := h.Fingerprint(y)
			if err != nil {
				t.Fatal(err)
			}
			differ += f.Distance(g)
		}
		// 4.9 standard errors: one false alarm in a million.
		n, p := float64(bits*trials), angle/math.Pi
		if z := (float64(differ) - n*p) / math.Sqrt(n*p*(1-p)); math.Abs(z) > 4.9 {
			t.Errorf("cos %v: %v of bits differ, want %v", cos, float64(differ)/n, p)
		}
	}
	h, err := NewHyperplanes(64, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range [][]float64{{1}, {0, 0}, {1, math.NaN()}, {math.Inf(1), 1}} {
		if _, err := h.Fingerprint(v); err == nil {
			t.Errorf("%v is accepted", v)
		}
	}
	if _, err := NewHyperplanes(129, 2, 1); err == nil {
		t.Error("129 hyperplanes are accepted")
	}
}

// pairAtAngle returns two vectors of random direction at an angle.
func pairAtAngle(r *rand.Rand, dims int, angle float64) (x, y []float64) {
	x, y = make([]float64, dims), make([]float64, dims)
	var xx, xy, yy float64
	for i := range x {
		x[i], y[i] = r.NormFloat64(), r.NormFloat64()
		xx += x[i] * x[i]
		xy += x[i] * y[i]
	}
	for i := range y {
		y[i] -= xy / xx * x[i]
		yy += y[i] * y[i]
	}
	for i := range y {
		y[i] = math.Cos(angle)*x[i]/math.Sqrt(xx) + math.Sin(angle)*y[i]/math.Sqrt(yy)
	}
	return x, y
}

func TestAllocatesNothingPerHash(t *testing.T) {
	b := builder(t, params(128, true))
	hashes := sketchtest.Hashes(rand.New(rand.NewPCG(4, 1)), 1000)
	if n := testing.AllocsPerRun(10, func() { b.AddHashes(hashes) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkBuilder(b *testing.B) {
	hashes := sketchtest.Hashes(rand.New(rand.NewPCG(5, 1)), 1000)
	for _, bits := range []int{64, 128} {
		for _, weighted := range []bool{false, true} {
			b.Run(fmt.Sprintf("bits=%d/weighted=%t", bits, weighted), func(b *testing.B) {
				s := builder(b, params(bits, weighted))
				b.ReportAllocs()
				for b.Loop() {
					finish(b, s, hashes)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/hash")
			})
		}
	}
}

// The margin of a bit is what one side has more than the other.
func TestMargins(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, size := range []int{64, 128} {
		b := builder(t, params(size, false))
		hashes := make([]uint64, 300)
		for i := range hashes {
			hashes[i] = r.Uint64()
		}
		if err := b.AddHashes(append(hashes, hashes...)); err != nil { // a set: repeats do not count
			t.Fatal(err)
		}
		s, margins := b.FinishMargins()
		if want := finish(t, b, hashes); s.Fingerprint() != want.Fingerprint() || len(margins) != size {
			t.Fatalf("%x, %d margins", s.Fingerprint(), len(margins))
		}
		for i, got := range margins {
			sum := 0
			for _, h := range hashes {
				sum += 2*int(words(h)[i/64]>>(i%64)&1) - 1
			}
			if want := math.Abs(float64(sum)); got != want {
				t.Errorf("%d bits, bit %d: %v, want %v", size, i, got, want)
			}
		}
	}
}
