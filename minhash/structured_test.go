// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/sketch"
)

// textbook is a signature by (ax+b) mod p with p = 2^61-1 and all products
// exact, as it stands in textbooks.
func textbook(seed uint64, k int, xs []uint64) []uint64 {
	r := rand.New(rand.NewPCG(seed, 9))
	slots := full[uint64](k, 1)
	for i := range slots {
		a, b := 1+r.Uint64N(mersenne61-1), r.Uint64N(mersenne61)
		for _, x := range xs {
			high, low := bits.Mul64(a, x)
			low, carry := bits.Add64(low, b, 0)
			slots[i] = min(slots[i], bits.Rem64((high+carry)%mersenne61, low, mersenne61))
		}
	}
	return slots
}

// Is it enough to "just use a hash"? Runs of integers and arithmetic
// progressions are hashed by nothing but the permutations themselves. (ax+b)
// mod p underestimates by up to 0.07 at any number of slots, as do legacy and
// milvus, which are variants of it; affine32 and affine64 mix first and are
// unbiased. With an element hash before them all are.
func TestBiasOnStructuredSets(t *testing.T) {
	const k, trials = 128, 200
	none := func(x uint64) uint64 { return x }
	for _, c := range []struct {
		scheme string
		hash   func(uint64) uint64
		biased bool
	}{
		{"textbook", none, true},
		{sketch.Legacy, none, true},
		{sketch.Milvus, none, true},
		{sketch.Affine32, none, false},
		{sketch.Affine64, none, false},
		{"textbook", mix.Bits64, false},
		{sketch.Legacy, mix.Bits64, false},
		{sketch.Milvus, mix.Bits64, false},
	} {
		for _, step := range []uint64{1, 64, 1000003} {
			for _, j := range []struct{ n, offset int }{{30, 15}, {300, 30}} {
				truth := float64(j.n-j.offset) / float64(j.n+j.offset)
				bias := -truth
				for seed := range trials {
					a, b := progression(j.n, 0, step, c.hash), progression(j.n, j.offset, step, c.hash)
					bias += resemblance(t, c.scheme, uint64(seed+1), k, a, b) / trials
				}
				// 4.9 standard errors: one false alarm in a million.
				limit := 4.9 * math.Sqrt(truth*(1-truth)/k/trials)
				name := fmt.Sprintf("%s (biased: %t), %d terms, step %d: J = %.3f, bias %+.4f", c.scheme, c.biased, j.n, step, truth, bias)
				if c.biased && bias > -0.04 || !c.biased && math.Abs(bias) > limit {
					t.Error(name)
				}
				t.Log(name)
			}
		}
	}
}

// progression returns n terms of an arithmetic progression, hashed.
func progression(n, from int, step uint64, hash func(uint64) uint64) []uint64 {
	xs := make([]uint64, n)
	for i := range xs {
		xs[i] = hash(uint64(from+i) * step)
	}
	return xs
}

// resemblance is the share of agreeing slots.
func resemblance(t *testing.T, scheme string, seed uint64, k int, a, b []uint64) float64 {
	t.Helper()
	if scheme == "textbook" {
		return float64(agreeing(textbook(seed, k, a), textbook(seed, k, b))) / float64(k)
	}
	build := builder(t, kpermParams(scheme, seed, k))
	s, err := finish(t, build, a).Similarity(finish(t, build, b), 0.95)
	if err != nil {
		t.Fatal(err)
	}
	return s.Value
}

// affine32 sees the low 32 bits of an element hash alone: elements that differ
// above them are one.
func TestAffine32SeesLowBits(t *testing.T) {
	b := builder(t, kpermParams(sketch.Affine32, 1, 16))
	s, err := finish(t, b, []uint64{1}).Similarity(finish(t, b, []uint64{1 + 1<<32}), 0.95)
	if err != nil || s.Value != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}
