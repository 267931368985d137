// SPDX-License-Identifier: Apache-2.0

package minhash

// fmix32 is the finaliser of MurmurHash3 for 32 bits, a bijection.
func fmix32(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// fmix64 is the finaliser of MurmurHash3 for 64 bits, a bijection.
func fmix64(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
