// SPDX-License-Identifier: Apache-2.0

package simhash

func onesOfXOR(counts []byte, words []uint64, even, odd uint64) {
	onesOfXORGeneric(counts, words, even, odd)
}
