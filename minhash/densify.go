// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"math/bits"
	"slices"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/sketch"
)

// densify returns the slots with empty bins filled from full ones, so that two
// sets agree in each slot with probability J: which bin is taken depends on the
// places of full bins alone, and if both sets have the same bin empty they look
// for a full one in the same order. The first that is full in either set
// decides, and it agrees with probability J. At least one bin must be full.
func densify(own []uint64, how string) []uint64 {
	slots := slices.Clone(own)
	if how == sketch.Optimal {
		for i, h := range own {
			if h == NoHash {
				slots[i] = own[donor(own, uint64(i))]
			}
		}
		return slots
	}
	for i, at := range nextFull(own) {
		slots[i] = own[at]
	}
	return slots
}

// nextFull returns for each bin the first full one at or after it, going round
// at the end. Taking that bin is the densification of
// Shrivastava and Li 2014, "Densifying one permutation hashing via rotation for
// fast near neighbor search". Their offset by the distance is not needed where
// slots are whole hashes.
func nextFull(own []uint64) []int {
	next := make([]int, len(own))
	at := slices.IndexFunc(own, func(h uint64) bool { return h != NoHash })
	for i := len(own) - 1; i >= 0; i-- {
		if own[i] != NoHash {
			at = i
		}
		next[i] = at
	}
	return next
}

// attempts bounds the search for a full bin: it takes k/n of them on average.
const attempts = 256

// donor returns the full bin that fills bin i: the first full one of a random
// sequence that depends on i alone. It is the densification of Shrivastava
// 2017, "Optimal densification for fast and accurate minwise hashing"
// (arXiv:1703.04664), whose variance is the smallest possible. Where nearly all
// bins are empty the search ends with the next full bin after the last one
// looked at, which is a choice that both sets share as well.
func donor(own []uint64, i uint64) int {
	k := uint64(len(own))
	var j uint64
	for attempt := uint64(1); attempt <= attempts; attempt++ {
		j, _ = bits.Mul64(mix.Bits64(i<<32|attempt), k)
		if own[j] != NoHash {
			return int(j)
		}
	}
	return nextFull(own)[j]
}
