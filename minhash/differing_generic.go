// SPDX-License-Identifier: Apache-2.0

package minhash

import "math/bits"

// differingGeneric counts the slots that differ in any plane of width words:
//
//	for i := range width {
//		n += ones(OR over j of a[j*width+i] ^ b[j*width+i])
//	}
func differingGeneric(a, b []uint64, width int) int {
	b = b[:len(a)]
	n := 0
	for i := range width {
		var different uint64
		for j := i; j < len(a); j += width {
			different |= a[j] ^ b[j]
		}
		n += bits.OnesCount64(different)
	}
	return n
}
