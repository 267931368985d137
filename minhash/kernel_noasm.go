// SPDX-License-Identifier: Apache-2.0

package minhash

func min32(mins, a, b, hashes []uint32)      { min32Generic(mins, a, b, hashes) }
func min64(mins, a, b, hashes []uint64)      { min64Generic(mins, a, b, hashes) }
func differing(a, b []uint64, width int) int { return differingGeneric(a, b, width) }
