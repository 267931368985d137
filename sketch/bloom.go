// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"math"
	"math/bits"
)

// A bloom is a Bloom filter over hashes (Bloom 1970,
// doi:10.1145/362686.362692). Its elements are uniform 64-bit hashes already,
// so the probes are taken from the hash itself by double hashing (Kirsch and
// Mitzenmacher 2008, doi:10.1002/rsa.20208), and nothing is hashed again.
type bloom struct {
	words []uint64
	ones  uint64
}

// probes per element. The number of elements is not known beforehand; four
// are within a factor of two of the best rate from 3 to 10 bits per element.
const probes = 4

func newBloom(bytes int64) *bloom {
	return &bloom{words: make([]uint64, max(1, bytes/8))}
}

// testAndSet says whether h was (probably) set before, and sets it.
func (b *bloom) testAndSet(h uint64) bool {
	n := uint64(len(b.words)) * 64
	// Hashes below a threshold have leading zeros: spread the low bits.
	x := h * 0x9e3779b97f4a7c15
	step := bits.Reverse64(x) | 1
	known := true
	for range probes {
		at, _ := bits.Mul64(x, n)
		bit := uint64(1) << (at % 64)
		if b.words[at/64]&bit == 0 {
			known = false
			b.words[at/64] |= bit
			b.ones++
		}
		x += step
	}
	return known
}

// falsePositives is (set bits / bits)^probes.
func (b *bloom) falsePositives() float64 {
	return math.Pow(float64(b.ones)/float64(64*len(b.words)), probes)
}
