// SPDX-License-Identifier: Apache-2.0

package simhash

import "math/bits"

// withinGeneric sets bit i of hits if the fingerprint that begins at word i is
// at most distance away from f:
//
//	ones(words[i] ^ f[0]) + ones(words[i+1] ^ f[1])   pairs; even i only
//	ones(words[i] ^ f[0])                             otherwise; f[1] is f[0]
//
// There are 8 words for each byte of hits. distance is not negative.
func withinGeneric(hits []byte, words []uint64, f Fingerprint, distance int, pairs bool) {
	for i := range hits {
		var hit byte
		w := words[8*i : 8*i+8]
		if pairs {
			for j := 0; j < 8; j += 2 {
				if bits.OnesCount64(w[j]^f[0])+bits.OnesCount64(w[j+1]^f[1]) <= distance {
					hit |= 1 << j
				}
			}
		} else {
			for j, v := range w {
				if bits.OnesCount64(v^f[0]) <= distance {
					hit |= 1 << j
				}
			}
		}
		hits[i] = hit
	}
}
