// SPDX-License-Identifier: Apache-2.0

// Package mix holds the finalisers of MurmurHash3 (Appleby), bijections that
// make all bits of a number depend on all others.
package mix

// Bits32 is fmix32.
func Bits32(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// Bits64 is fmix64.
func Bits64(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// Golden is 2^64 divided by the golden ratio, an odd number: multiples of it are
// spread evenly (Knuth, TAOCP vol. 3, 6.4).
const Golden = 0x9e3779b97f4a7c15
