// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
)

// constants writes the data that kernels read.
func constants(w io.Writer) {
	data(w, "c1", 0x87c37b91114253d5)
	data(w, "c2", 0x4cf5ad432745937f)
	data(w, "a1", 0x52dce729)
	data(w, "a2", 0x38495ab5)
	data(w, "f1", 0xff51afd7ed558ccd)
	data(w, "f2", 0xc4ceb9fe1a85ec53)
	data(w, "two32", 1<<32)
	data(w, "notBase", 0x80) // as in classes.go
	data(w, "white", 0x40)
	data(w, "code", 0x03030303)
	data(w, "pairs", 0x04010401)
	data(w, "quads", 0x00100001)
	acgt := letters("ACGT")
	data(w, "letters", acgt|acgt<<32, acgt|acgt<<32)
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
