// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

package minhash

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The count of differing slots against its twin, for all widths and numbers of
// planes.
func TestDiffering(t *testing.T) {
	if !hasPOPCNT {
		t.Skip("SKIPPED: this processor has no AVX512_VPOPCNTDQ")
	}
	r := rand.New(rand.NewPCG(2, 1))
	for _, width := range []int{1, 2, 4, 8, 16, 24, 64} {
		for planes := 1; planes <= 33; planes++ {
			a := make([]uint64, width*planes)
			for i := range a {
				a[i] = r.Uint64()
			}
			b := slices.Clone(a)
			for range r.IntN(100) {
				b[r.IntN(len(b))] ^= 1 << r.IntN(64)
			}
			if got, want := differingAVX512(a, b, width), differingGeneric(a, b, width); got != want {
				t.Fatalf("%d planes of %d words: %d, want %d", planes, width, got, want)
			}
		}
	}
}
