// SPDX-License-Identifier: Apache-2.0

package simhash

import "math/bits"

// onesOfXORGeneric counts the ones of words against even and odd in turns:
//
//	counts[2i]   = ones(words[2i] ^ even)
//	counts[2i+1] = ones(words[2i+1] ^ odd)
//
// counts is as long as words.
func onesOfXORGeneric(counts []byte, words []uint64, even, odd uint64) {
	counts = counts[:len(words)]
	for i, w := range words {
		counts[i] = byte(bits.OnesCount64(w ^ even))
		even, odd = odd, even
	}
}
