// SPDX-License-Identifier: Apache-2.0

// Package radix sorts hashes.
package radix

import "slices"

const (
	short = 256     // below it the standard library's sort wins
	long  = 1 << 20 // above it the scratch space would be felt: sort in place
)

// Sort sorts a in ascending order. scratch is grown to len(a) if it is
// shorter and needed; the (possibly new) scratch is returned for the next call. Bytes in
// which all values agree cost one counting pass and no move: the hashes below a
// threshold share their leading zeros.
func Sort(a, scratch []uint64) []uint64 {
	if len(a) < short || len(a) > long {
		slices.Sort(a)
		return scratch
	}
	if cap(scratch) < len(a) {
		scratch = make([]uint64, len(a))
	}
	var count [8][256]int
	for _, v := range a {
		for b := range count {
			count[b][byte(v>>(8*b))]++
		}
	}
	src, dst := a, scratch[:len(a)]
	for b := range count {
		if count[b][byte(src[0]>>(8*b))] == len(a) {
			continue
		}
		at := 0
		for i, c := range count[b] {
			count[b][i] = at
			at += c
		}
		for _, v := range src {
			i := byte(v >> (8 * b))
			dst[count[b][i]] = v
			count[b][i]++
		}
		src, dst = dst, src
	}
	if &src[0] != &a[0] {
		copy(a, src)
	}
	return scratch
}

// SortUnique sorts a and drops repeated values; it returns the shorter slice
// and the scratch space.
func SortUnique(a, scratch []uint64) ([]uint64, []uint64) {
	scratch = Sort(a, scratch)
	return slices.Compact(a), scratch
}
