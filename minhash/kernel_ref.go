// SPDX-License-Identifier: Apache-2.0

package minhash

import "github.com/gsketch/gsketch/internal/mix"

// The values of one permutation, the plain way. All else in the kernels is a
// faster way to take their minimum over many hashes, for many permutations.

func affine32(a, b, h uint32) uint32 { return a*mix.Bits32(h) + b }

func affine64(a, b, h uint64) uint64 { return a*mix.Bits64(h) + b }

// legacy lets the product wrap at 2^64 before it takes the remainder, as
// datasketch does: it is not (ax+b) mod p.
func legacy(a, b, h uint64) uint32 { return uint32((a*h + b) % mersenne61) }
