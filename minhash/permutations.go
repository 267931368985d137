// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mathext/prng"

	"github.com/gsketch/gsketch/sketch"
)

// mersenne61 is the prime 2^61-1.
const mersenne61 = 1<<61 - 1

// A family of permutations is drawn as factors a and summands b from the seed;
// package sketch says what each scheme does with them.
var drawers = map[string]func(seed uint64, k int) (a, b []uint64){
	sketch.Affine32: drawAffine32,
	sketch.Affine64: drawAffine64,
	sketch.Legacy:   drawLegacy,
	sketch.Milvus:   drawMilvus,
}

// drawAffine32 draws odd factors first, then all summands, so that summands
// depend on k: a signature of 256 slots does not begin with that of 128.
func drawAffine32(seed uint64, k int) (a, b []uint64) {
	r := newRandomState(uint32(seed))
	a, b = make([]uint64, k), make([]uint64, k)
	for i := range a {
		a[i] = uint64(r.mt.Uint32()<<1 | 1)
	}
	for i := range b {
		b[i] = uint64(r.mt.Uint32())
	}
	return a, b
}

func drawAffine64(seed uint64, k int) (a, b []uint64) {
	r := newRandomState(uint32(seed))
	a, b = make([]uint64, k), make([]uint64, k)
	for i := range a {
		a[i] = r.mt.Uint64()<<1 | 1
	}
	for i := range b {
		b[i] = r.mt.Uint64()
	}
	return a, b
}

// drawLegacy draws factors from 1..p-1 and summands from 0..p-1 in turns.
func drawLegacy(seed uint64, k int) (a, b []uint64) {
	r := newRandomState(uint32(seed))
	a, b = make([]uint64, k), make([]uint64, k)
	for i := range a {
		a[i] = 1 + r.upTo(mersenne61-2)
		b[i] = r.upTo(mersenne61 - 1)
	}
	return a, b
}

// drawMilvus draws both from 1..2^32-1 in turns, as libstdc++ does: by
// multiplication with rejection (Lemire 2019, doi:10.1145/3230636).
func drawMilvus(seed uint64, k int) (a, b []uint64) {
	mt := prng.NewMT19937_64()
	mt.Seed(seed)
	n := uint64(math.MaxUint32)
	draw := func() uint64 {
		for {
			if high, low := bits.Mul64(mt.Uint64(), n); low >= -n%n {
				return 1 + high
			}
		}
	}
	a, b = make([]uint64, k), make([]uint64, k)
	for i := range a {
		a[i] = draw()%(mersenne61-1) + 1
		b[i] = draw() % mersenne61
	}
	return a, b
}
