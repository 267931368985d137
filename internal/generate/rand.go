// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"math/bits"
	"math/rand/v2"
)

// A Rand is a stream of random numbers. It takes nothing from package rand but
// the PCG generator, whose output is fixed by its definition; how numbers are
// drawn from it is written here, since a release of Go may change that.
type Rand struct{ pcg *rand.PCG }

// NewRand returns the stream of a seed.
func NewRand(seed uint64) *Rand { return &Rand{rand.NewPCG(seed, 0x9e3779b97f4a7c15)} }

// IntN returns a number in [0, n), uniform up to n/2^64.
func (r *Rand) IntN(n int) int {
	high, _ := bits.Mul64(r.pcg.Uint64(), uint64(n))
	return int(high)
}

// Choose returns k different numbers of [0, n), in no order, by Floyd's
// algorithm.
func (r *Rand) Choose(n, k int) []int {
	taken := make(map[int]bool, k)
	chosen := make([]int, 0, k)
	for i := n - k; i < n; i++ {
		v := r.IntN(i + 1)
		if taken[v] {
			v = i
		}
		taken[v] = true
		chosen = append(chosen, v)
	}
	return chosen
}

// Shuffle puts v into random order.
func (r *Rand) Shuffle(v []int) {
	for i := len(v) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		v[i], v[j] = v[j], v[i]
	}
}

// DNA returns n independent bases, each equally likely.
func (r *Rand) DNA(n int) []byte {
	seq := make([]byte, n)
	for i := range seq {
		seq[i] = "ACGT"[r.IntN(4)]
	}
	return seq
}

// other returns a base that differs from b.
func (r *Rand) other(b byte) byte {
	for {
		if c := "ACGT"[r.IntN(4)]; c != b {
			return c
		}
	}
}
