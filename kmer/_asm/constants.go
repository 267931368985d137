// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
)

// Constants of MurmurHash3 x64_128.
const (
	c1 = 0x87c37b91114253d5
	c2 = 0x4cf5ad432745937f
	a1 = 0x52dce729
	a2 = 0x38495ab5
	f1 = 0xff51afd7ed558ccd
	f2 = 0xc4ceb9fe1a85ec53
)

// constants512 writes the data that the AVX-512 kernels read.
func constants512(w io.Writer) {
	data(w, "c1", c1)
	data(w, "c2", c2)
	data(w, "a1", a1)
	data(w, "a2", a2)
	data(w, "f1", f1)
	data(w, "f2", f2)
	data(w, "two32", 1<<32)
	acgt := letters("ACGT")
	data(w, "letters", acgt|acgt<<32, acgt|acgt<<32)
	data(w, "reverseLanes", 7, 6, 5, 4, 3, 2, 1, 0)
	data(w, "reverse64", perLane(func(lane, i int) int { return 63 - 8*lane - i })...)
	data(w, "oneBit", 0x8040201008040201)
	data(w, "bytesOfLane", perLane(func(lane, i int) int { return i%4*8 + 2*lane + i/4 })[:4]...)
	data(w, "steps", 0, 2, 4, 6, 0, 2, 4, 6)

	// The bytes that windows 0 to 7 start in, 0 and 1, and the 8 after those.
	first := []int{0, 0, 0, 0, 1, 1, 1, 1}
	data(w, "lowBytes", perLane(func(lane, i int) int { return first[lane] + i })...)
	data(w, "nextByte", perLane(func(lane, i int) int {
		if i > 0 {
			return 0x80 // zero
		}
		return first[lane] + 8
	})...)
	for _, from := range []int{0, 8, 16} {
		data(w, fmt.Sprintf("bytes%d", from), perLane(func(lane, i int) int { return first[lane] + from + i })...)
	}
	data(w, "reverseBytes", perLane(func(lane, i int) int { return lane%2*8 + 7 - i })...)
}

// constantsText are those of packing text.
func constantsText(w io.Writer) {
	data(w, "notBase", 0x80) // as in classes.go
	data(w, "white", 0x40)
	data(w, "code", 0x03030303)
	data(w, "pairs", 0x04010401)
	data(w, "quads", 0x00100001)
}

// constants256 are those of AVX2, whole vectors.
func constants256(w io.Writer) {
	same := func(name string, x uint64) { data(w, name+"x4", x, x, x, x) }
	for _, c := range []struct {
		name string
		x    uint64
	}{{"c1", c1}, {"c2", c2}, {"f1", f1}, {"f2", f2}} {
		same(c.name, c.x)
		same(c.name+"Swapped", c.x<<32|c.x>>32)
	}
	same("a1", a1)
	same("a2", a2)
	same("ones", 1<<64-1)
	same("sign", 1<<63)
	same("two32sign", 1<<63|1<<32)
	same("upperHalf", 0xffffffff00000000)
	same("lowerNibbles", 0x0f0f0f0f0f0f0f0f)
	same("oneBase", 0x0c030c030c030c03)

	// By a byte's value: one base in the lower or the next two bits.
	byCode := letters("ACGTC\x00\x00\x00")
	data(w, "lettersByCodex4", byCode, letters("G\x00\x00\x00T\x00\x00\x00"), byCode, letters("G\x00\x00\x00T\x00\x00\x00"))
	// By half a byte, two bases: their complements in reverse order.
	var low, high [2]uint64
	for n := range 16 {
		other := uint64(^n>>2&3 | ^n&3<<2)
		low[n/8] |= other << (n % 8 * 8)
		high[n/8] |= other << 4 << (n % 8 * 8)
	}
	data(w, "otherLowx4", low[0], low[1], low[0], low[1])
	data(w, "otherHighx4", high[0], high[1], high[0], high[1])
	data(w, "reverseBytesx4", perLane(func(lane, i int) int { return lane%2*8 + 7 - i })[:4]...)
	for word := range 4 {
		data(w, fmt.Sprintf("codeBytes%d", word), perLane(func(lane, i int) int { return lane%2*8 + 2*word + i/4 })[:4]...)
	}
}

func letters(s string) (word uint64) {
	for i := range s {
		word |= uint64(s[i]) << (8 * i)
	}
	return word
}

// perLane returns 8 words of bytes.
func perLane(byteAt func(lane, i int) int) []uint64 {
	words := make([]uint64, 8)
	for lane := range words {
		for i := range 8 {
			words[lane] |= uint64(byteAt(lane, i)) << (8 * i)
		}
	}
	return words
}

func data(w io.Writer, name string, words ...uint64) {
	fmt.Fprintln(w)
	for i, word := range words {
		fmt.Fprintf(w, "DATA %s<>+%d(SB)/8, $0x%016x\n", name, 8*i, word)
	}
	fmt.Fprintf(w, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n", name, 8*len(words))
}
