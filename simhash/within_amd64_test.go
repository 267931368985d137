// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

package simhash

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

func TestWithinAVX512(t *testing.T) {
	if !hasPOPCNT {
		t.Skip("SKIPPED: this processor has no AVX512_VPOPCNTDQ")
	}
	r := rand.New(rand.NewPCG(4, 1))
	for _, n := range []int{1, 2, 3, 7, 8, 63, 64} {
		for _, pairs := range []bool{false, true} {
			bits := 64
			if pairs {
				bits = 128
			}
			for distance := 0; distance <= bits; distance++ {
				f := Fingerprint{r.Uint64(), r.Uint64()}
				if !pairs {
					f[1] = f[0]
				}
				words := make([]uint64, 8*n)
				for i := 0; i < len(words); i += 2 {
					g := near(r, f, 128, r.IntN(2*distance+2))
					words[i], words[i+1] = g[0], g[1]
				}
				got, want := make([]byte, n), make([]byte, n)
				query := [8]uint64{f[0], f[1], f[0], f[1], f[0], f[1], f[0], f[1]}
				withinAVX512(got, &words[0], &query, distance, pairs)
				withinGeneric(want, words, f, distance, pairs)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d bytes, distance %d, pairs %t: %x, want %x", n, distance, pairs, got, want)
				}
			}
		}
	}
}
