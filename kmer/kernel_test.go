// SPDX-License-Identifier: Apache-2.0

package kmer

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestKernels holds the kernels of every path against the reference at each
// position of a stretch, for every k. Bounds in the middle of all hashes let
// half of the windows through, so with several seeds a kernel that sees one
// wrong base anywhere is found out.
func TestKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	text := make([]byte, stretch+MaxK)
	b := NewBlock(len(text))
	for k := 1; k <= MaxK; k++ {
		for _, canonical := range []bool{true, false} {
			for range 2 {
				for i := range text {
					text[i] = "ACGT"[rng.IntN(4)]
				}
				b.Reset()
				b.Append(text)
				s := scheme{k: k, canonical: canonical, bits: 64, seed: rng.Uint32()}
				words := 1 + rng.IntN(stretch/64)
				if rng.IntN(2) == 0 {
					words = stretch / 64
				}
				want := referenceHashes(s, text, 64*words)
				for _, p := range paths {
					if p.available {
						checkKernel(t, fmt.Sprintf("%s %+v", p.name, s), p.kernel(s), b.codes, want)
					}
				}
			}
		}
	}
}

func referenceHashes(s scheme, text []byte, n int) []uint64 {
	hashes := make([]uint64, n)
	other := make([]byte, s.k)
	for i := range hashes {
		window := text[i : i+s.k]
		if s.canonical {
			Canonical(other, window)
			window = other
		}
		hashes[i] = Hash(window, s.seed)
	}
	return hashes
}

func checkKernel(t *testing.T, what string, kernel kernel, codes, want []uint64) {
	t.Helper()
	got := make([]uint64, len(want))
	kernel.hashes(got, codes)
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s, %d windows: hash of window %d is %d, want %d", what, len(want), i, got[i], want[i])
		}
	}
	for _, bound := range []uint64{0, 1 << 54, maxNear, 1 << 63} {
		hits := make([]uint64, len(want)/64)
		kernel.near(hits, codes, bound)
		for i, hash := range want {
			// group.near says how far above the bound a hash may be.
			hit := hits[i/64]>>(i%64)&1 == 1
			if hash <= bound && !hit || hash > bound+1<<34 && hit {
				t.Fatalf("%s, %d windows, bound %d: hit of window %d with hash %d is %t", what, len(want), bound, i, hash, hit)
			}
		}
	}
}
