// SPDX-License-Identifier: Apache-2.0

// Package sketchtest holds the tests that every Builder must pass, in the way
// of testing/iotest.
package sketchtest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/sketch"
)

// Values are what a sketch holds, in the form in which tests compare them.
type Values struct{ Hashes, Counts []uint64 }

// Of returns the values of a set sketch, or the slots of a signature as Hashes.
func Of(s sketch.Sketch) Values {
	if sig, ok := s.(sketch.Signature); ok {
		return Values{Hashes: sig.AppendSlots(nil)}
	}
	set := s.(sketch.Abundant)
	return Values{slices.Clone(set.Hashes()), slices.Clone(set.Abundances())}
}

func equal(a, b Values) bool {
	return slices.Equal(a.Hashes, b.Hashes) && slices.Equal(a.Counts, b.Counts)
}

// Run checks the contract of Builder on builders made by make: the order of
// hashes, the size of batches, splitting and merging must not change the
// sketch; hashes above Bound may be left out; the bound never rises; Finish
// empties the builder. want computes the expected values the plain way from
// all hashes.
func Run(t *testing.T, make func() sketch.Builder, want func(hashes []uint64) Values) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		n := rapid.IntRange(0, 3000).Draw(rt, "n")
		distinct := rapid.IntRange(1, 1500).Draw(rt, "distinct")
		r := rand.New(rand.NewPCG(seed, 1))
		pool := Hashes(r, distinct)
		hashes := Pick(r, pool, n)
		expect := want(hashes)

		check := func(how string, s sketch.Sketch, err error) {
			if err != nil {
				rt.Fatalf("%s: %v", how, err)
			}
			if got := Of(s); !equal(got, expect) {
				rt.Fatalf("%s: %d values, want %d\n got %v\nwant %v", how, len(got.Hashes), len(expect.Hashes), got, expect)
			}
		}

		b := make()
		feed(rt, r, b, hashes)
		s, err := b.Finish()
		check("in batches", s, err)
		if s.Params() != b.Params() {
			rt.Fatalf("params %v, want %v", s.Params(), b.Params())
		}

		r.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
		feed(rt, r, b, hashes)
		s, err = b.Finish()
		check("reused, in another order", s, err)

		parts := []sketch.Builder{make(), make(), make()}
		for _, h := range hashes {
			if err := parts[r.IntN(3)].AddHashes([]uint64{h}); err != nil {
				rt.Fatal(err)
			}
		}
		for _, p := range parts[1:] {
			if err := parts[0].Merge(p); err != nil {
				rt.Fatal(err)
			}
		}
		s, err = parts[0].Finish()
		check("split and merged", s, err)
		s, err = parts[1].Finish()
		expect = want(nil)
		check("merged into another, hence empty", s, err)
	})
}

// feed adds hashes in batches of random size and leaves out what lies above
// the bound half of the time.
func feed(rt *rapid.T, r *rand.Rand, b sketch.Builder, hashes []uint64) {
	bound := b.Bound()
	for len(hashes) > 0 {
		n := 1 + r.IntN(len(hashes))
		batch := slices.Clone(hashes[:n])
		hashes = hashes[n:]
		if r.IntN(2) == 0 {
			batch = slices.DeleteFunc(batch, func(h uint64) bool { return h > bound })
		}
		if err := b.AddHashes(batch); err != nil {
			rt.Fatal(err)
		}
		if b.Bound() > bound {
			rt.Fatalf("the bound rose from %d to %d", bound, b.Bound())
		}
		bound = b.Bound()
	}
}

// Hashes returns n distinct hashes in no order.
func Hashes(r *rand.Rand, n int) []uint64 {
	seen := map[uint64]bool{}
	hs := make([]uint64, 0, n)
	for len(hs) < n {
		if h := r.Uint64(); !seen[h] {
			seen[h] = true
			hs = append(hs, h)
		}
	}
	return hs
}

// Pick returns n of the pool, with repeats.
func Pick(r *rand.Rand, pool []uint64, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = pool[r.IntN(len(pool))]
	}
	return out
}

// Count returns the multiplicity of each hash.
func Count(hashes []uint64) map[uint64]uint64 {
	c := map[uint64]uint64{}
	for _, h := range hashes {
		c[h]++
	}
	return c
}

// Select returns, ascending, the hashes of at least min copies for which keep
// is true, at most limit of them (0 is no limit), with counts if weighted.
func Select(hashes []uint64, min uint64, limit int, weighted bool, keep func(uint64) bool) Values {
	var v Values
	count := Count(hashes)
	for h, n := range count {
		if n >= min && keep(h) {
			v.Hashes = append(v.Hashes, h)
		}
	}
	slices.Sort(v.Hashes)
	if limit > 0 && len(v.Hashes) > limit {
		v.Hashes = v.Hashes[:limit]
	}
	if weighted {
		for _, h := range v.Hashes {
			v.Counts = append(v.Counts, count[h])
		}
	}
	return v
}
