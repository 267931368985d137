// SPDX-License-Identifier: Apache-2.0

package kmer

import "github.com/twmb/murmur3"

// Hash returns the hash of a k-mer as it is written, case included: the first
// 64 bits of MurmurHash3 x64_128 of its letters with both halves of the state
// started from seed. Mash and sourmash use seed 42; where Mash keeps 32 bits
// (k <= 16 for DNA) they are the low ones of this value.
//
// It is the reference that every faster path in this package must equal.
func Hash(kmer []byte, seed uint32) uint64 {
	h, _ := murmur3.SeedSum128(uint64(seed), uint64(seed), kmer)
	return h
}

// Canonical writes into dst the canonical form of a k-mer: the
// lexicographically smaller of it and its reverse complement. The k-mer must
// consist of the letters A, C, G and T; dst must be as long as the k-mer and
// must not overlap it.
func Canonical(dst, kmer []byte) {
	dst = dst[:len(kmer)]
	for i, c := range kmer {
		dst[len(kmer)-1-i] = complement(c)
	}
	if string(kmer) < string(dst) {
		copy(dst, kmer)
	}
}

func complement(base byte) byte {
	switch base {
	case 'A':
		return 'T'
	case 'C':
		return 'G'
	case 'G':
		return 'C'
	}
	return 'A'
}
