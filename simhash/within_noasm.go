// SPDX-License-Identifier: Apache-2.0

//go:build !amd64 || noasm || purego

package simhash

func within(hits []byte, words []uint64, f Fingerprint, distance int, pairs bool) {
	withinGeneric(hits, words, f, distance, pairs)
}
