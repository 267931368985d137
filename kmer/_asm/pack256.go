// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
)

// codes256 writes codesAVX2: the codes of a run of bases, 32 at a time. See
// codes8 of package kmer for how they are found.
func codes256(w io.Writer) {
	fmt.Fprint(w, `
// func codesAVX2(codes *uint64, text *byte, n int) int
TEXT ·codesAVX2(SB), NOSPLIT, $0-32
	MOVQ codes+0(FP), DI
	MOVQ text+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ DX, DX
	VMOVDQU upperCasex4<>(SB), Y15
	VMOVDQU pairx4<>(SB), Y14
	VMOVDQU lettersByPairx4<>(SB), Y13
	VMOVDQU codesByPairx4<>(SB), Y12
	VMOVDQU pairsx4<>(SB), Y11
	VMOVDQU quadsx4<>(SB), Y10
	VMOVDQU firstBytesx4<>(SB), Y9
loop:
	CMPQ CX, $32
	JLT done
	VPAND 0(SI), Y15, Y0
	VPSRLW $1, Y0, Y1
	VPAND Y14, Y1, Y1
	VPSHUFB Y1, Y13, Y2 // the letter that belongs to bits 1 and 2
	VPCMPEQB Y2, Y0, Y2
	VPMOVMSKB Y2, R8
	VPSHUFB Y1, Y12, Y1
	VPMADDUBSW Y11, Y1, Y1 // 2 bases in 2 bytes
	VPMADDWD Y10, Y1, Y1 // 4 bases in 4 bytes
	VPSHUFB Y9, Y1, Y1
	VEXTRACTI128 $1, Y1, X2
	VPUNPCKLDQ X2, X1, X1
	VMOVQ X1, 0(DI)
	NOTL R8
	TESTL R8, R8
	JNZ odd
	ADDQ $32, DX
	ADDQ $32, SI
	ADDQ $8, DI
	SUBQ $32, CX
	JMP loop
odd:
	BSFL R8, R8
	ADDQ R8, DX
done:
	MOVQ DX, ret+24(FP)
	VZEROUPPER
	RET
`)
}

func constantsCodes256(w io.Writer) {
	same := func(name string, x uint64) { data(w, name+"x4", x, x, x, x) }
	same("upperCase", 0xdfdfdfdfdfdfdfdf)
	same("pair", 0x0303030303030303)
	same("pairs", 0x0401040104010401)
	same("quads", 0x0010000100100001)
	table := func(name, s string) {
		data(w, name+"x4", letters(s), 0, letters(s), 0)
	}
	table("lettersByPair", "ACTG")
	table("codesByPair", "\x00\x01\x03\x02")
	first := uint64(0x0c080400) // of each 4 bytes
	data(w, "firstBytesx4", first, 0, first, 0)
}
