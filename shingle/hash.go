// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/twmb/murmur3"
	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/sketch"
)

// The hashes of elements, as sketch.Hash.Algorithm spells them.
const (
	XXH3    = "xxh3-64"    // XXH3, 64 bits
	SHA1    = "sha1"       // the first bytes of SHA-1, little endian, as datasketch takes them
	Murmur3 = "murmur3x64" // the first word of MurmurHash3 x64_128, as for k-mers
)

// A Hasher turns elements, as the members of a set, into numbers.
type Hasher struct {
	algorithm byte
	seed      uint64
	mask      uint64
}

// NewHasher returns the Hasher of h. Where there are permutations the seed is
// theirs and the elements are hashed without one.
func NewHasher(h sketch.Hash) (Hasher, error) {
	out := Hasher{seed: h.Seed, mask: math.MaxUint64}
	if h.Permutation != "" {
		out.seed = 0
	}
	switch h.Bits {
	case 64:
	case 32:
		out.mask = math.MaxUint32
	default:
		return Hasher{}, fmt.Errorf("hash %s: 32 or 64 bits", h)
	}
	switch h.Algorithm {
	case XXH3:
		out.algorithm = 'x'
	case SHA1:
		out.algorithm = 's'
		if out.seed != 0 {
			return Hasher{}, fmt.Errorf("hash %s: SHA-1 has no seed", h)
		}
	case Murmur3:
		out.algorithm = 'm'
		if out.seed > math.MaxUint32 {
			return Hasher{}, fmt.Errorf("hash %s: seeds of MurmurHash3 have 32 bits", h)
		}
	default:
		return Hasher{}, fmt.Errorf("hash %s: text is hashed by %s, %s or %s", h, XXH3, SHA1, Murmur3)
	}
	return out, nil
}

// Sum is the hash of an element.
func (h *Hasher) Sum(b []byte) uint64 {
	var v uint64
	switch h.algorithm {
	case 'x':
		if h.seed == 0 {
			v = xxh3.Hash(b) // the same, faster
		} else {
			v = xxh3.HashSeed(b, h.seed)
		}
	case 's':
		d := sha1.Sum(b)
		v = binary.LittleEndian.Uint64(d[:])
	default:
		v, _ = murmur3.SeedSum128(h.seed, h.seed, b)
	}
	return v & h.mask
}
