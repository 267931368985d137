// SPDX-License-Identifier: Apache-2.0

package radix

import (
	"math"
	"slices"
)

// A Record is a hash with the number of the set that holds it and its place
// there.
type Record struct {
	Hash       uint64
	Set, Place uint32
}

// SortRecords sorts by hash; records of equal hash keep their order. It returns
// the sorted records and the other buffer. Bytes in which all hashes agree,
// the upper ones within a range, cost no move.
func SortRecords(a, scratch []Record) (sorted, other []Record) {
	if len(a) == 0 {
		return a, scratch
	}
	if cap(scratch) < len(a) {
		scratch = make([]Record, cap(a))
	}
	scratch = scratch[:len(a)]
	var count [8][256]int
	for i := range a {
		for b := range count {
			count[b][byte(a[i].Hash>>(8*b))]++
		}
	}
	for b := range count {
		if count[b][byte(a[0].Hash>>(8*b))] == len(a) {
			continue
		}
		at := 0
		for i, c := range count[b] {
			count[b][i] = at
			at += c
		}
		for i := range a {
			digit := byte(a[i].Hash >> (8 * b))
			scratch[count[b][digit]] = a[i]
			count[b][digit]++
		}
		a, scratch = scratch, a
	}
	return a, scratch
}

// Ranges cuts the hashes of n ascending sets into ranges of values and returns
// the last hash of each of them, ascending; the last one is the largest number.
// A range has about 2^17 hashes, to be worked on within the cache, more if there
// are very many sets, since every set is looked at for every range.
func Ranges(n int, hashes func(i int) []uint64) []uint64 {
	total := 0
	for i := range n {
		total += len(hashes(i))
	}
	const rangeHashes = 1 << 17
	parts := total / max(rangeHashes, 8*n)
	const perRange = 64 // samples, for ranges of nearly equal size
	step := max(1, total/(perRange*max(1, parts)))
	// One sample of each step, at a place in it that varies: sets that all have
	// 1000 hashes must not be sampled at their 1st and their 500th alone.
	sample := func(m int) int { return m*step + int(uint64(uint32(m)*0x9E3779B9)*uint64(step)>>32) }
	var samples []uint64
	seen := 0
	for i := range n {
		h := hashes(i)
		for at := sample(len(samples)); at < seen+len(h); at = sample(len(samples)) {
			samples = append(samples, h[at-seen])
		}
		seen += len(h)
	}
	slices.Sort(samples)
	var last []uint64
	for i := perRange; i < len(samples)-perRange/2; i += perRange {
		if len(last) == 0 || samples[i] > last[len(last)-1] {
			last = append(last, samples[i])
		}
	}
	if len(last) == 0 || last[len(last)-1] != math.MaxUint64 {
		last = append(last, math.MaxUint64)
	}
	return last
}
