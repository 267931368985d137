// SPDX-License-Identifier: Apache-2.0

// Package radix sorts hashes.
package radix

import (
	"math/bits"
	"slices"
	"sync"
)

const (
	short = 256     // below it the standard library's sort wins
	long  = 1 << 20 // above it the scratch space would be felt: sort in place
	wide  = 1 << 13 // from here on digits are of the full size
)

// digit is the size in bits of the largest digit: its counts fit the first-level
// cache.
const digit = 11

// scratch has slices of length long at most, for Sort.
var scratch = sync.Pool{New: func() any { return new([]uint64) }}

// Sort sorts a in ascending order.
//
// It sorts by two digits, the first two below the leading zeros that all values
// share: of hashes that leaves hardly any two with the same digits. Where there
// are such, they are sorted by comparison.
func Sort(a []uint64) {
	if len(a) < short || len(a) > long {
		slices.Sort(a)
		return
	}
	room := scratch.Get().(*[]uint64)
	defer scratch.Put(room)
	if cap(*room) < len(a) {
		*room = make([]uint64, len(a))
	}
	b := (*room)[:len(a)]
	size := digit
	if len(a) < wide {
		size = 8
	}
	var all uint64
	for _, v := range a {
		all |= v
	}
	high := max(0, bits.Len64(all)-size)
	low := max(0, high-size)
	byDigit(b, a, low, high-low)
	byDigit(a, b, high, size)
	sortRuns(a, low)
}

// byDigit copies src to dst in the order of the n bits (at most digit) from bit
// at on; values with the same ones keep their order.
func byDigit(dst, src []uint64, at, n int) {
	var next [1 << digit]int32
	mask := uint64(1)<<n - 1
	for _, v := range src {
		next[v>>at&mask&(1<<digit-1)]++
	}
	sum := int32(0)
	for i, c := range next[:1<<n] {
		next[i] = sum
		sum += c
	}
	for _, v := range src {
		i := v >> at & mask & (1<<digit - 1)
		dst[next[i]] = v
		next[i]++
	}
}

// sortRuns sorts a, which is in order already but for the bits below bit low.
func sortRuns(a []uint64, low int) {
	for i := 1; i < len(a); i++ {
		if a[i] >= a[i-1] {
			continue
		}
		key := a[i] >> low // here a run begins or is under way
		from, to := i-1, i+1
		for from > 0 && a[from-1]>>low == key {
			from--
		}
		for to < len(a) && a[to]>>low == key {
			to++
		}
		slices.Sort(a[from:to])
		i = to
	}
}

// SortUnique sorts a and drops repeated values; it returns the shorter slice.
func SortUnique(a []uint64) []uint64 {
	Sort(a)
	return slices.Compact(a)
}
