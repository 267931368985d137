// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
)

// strip512 writes stripAVX512: classes of text, white space left out.
func strip512(w io.Writer) {
	fmt.Fprint(w, `
// func stripAVX512(dst, text *byte, n int, class *[256]byte, odd *uint64) int
TEXT ·stripAVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ text+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ class+24(FP), AX
	MOVQ odd+32(FP), DX
	MOVQ DI, R9
	VMOVDQU64 0(AX), Z31
	VMOVDQU64 64(AX), Z30
	VPBROADCASTB notBase<>(SB), Z29
	VPBROADCASTB white<>(SB), Z28
	KXNORQ K1, K1, K1
loop:
	CMPQ CX, $64
	JGE whole
	TESTQ CX, CX
	JLE done
	// The last bytes: K1 says which.
	MOVQ $-1, R8
	BZHIQ CX, R8, R8
	KMOVQ R8, K1
whole:
	VMOVDQU8.Z 0(SI), K1, Z0
	VMOVDQA64 Z0, Z1
	VPERMI2B Z30, Z31, Z1 // the class by the lower 7 bits
	VPMOVB2M Z0, K2
	VMOVDQU8 Z29, K2, Z1 // no ASCII, no base
	VPTESTNMB Z28, Z1, K1, K3
	VPMOVB2M Z1, K4
	KANDQ K3, K4, K4
	VPCOMPRESSB.Z Z1, K3, Z2
	KMOVQ K4, 0(DX)
	VMOVDQU64 Z2, 0(DI)
	KMOVQ K3, R8
	POPCNTQ R8, R8
	ADDQ R8, DI
	ADDQ $64, SI
	ADDQ $8, DX
	SUBQ $64, CX
	JGT loop
done:
	SUBQ R9, DI
	MOVQ DI, ret+40(FP)
	VZEROUPPER
	RET
`)
}

// pack512 writes packAVX512: 64 classes at a time to codes and bad bits.
func pack512(w io.Writer) {
	fmt.Fprint(w, `
// func packAVX512(codes, bad *uint64, classes *byte, words int)
TEXT ·packAVX512(SB), NOSPLIT, $0-32
	MOVQ codes+0(FP), DI
	MOVQ bad+8(FP), DX
	MOVQ classes+16(FP), SI
	MOVQ words+24(FP), CX
	VPBROADCASTD code<>(SB), Z31
	VPBROADCASTD pairs<>(SB), Z30
	VPBROADCASTD quads<>(SB), Z29
loop:
	VMOVDQU64 0(SI), Z0
	VPMOVB2M Z0, K1
	KMOVQ K1, 0(DX)
	VPANDQ Z31, Z0, Z0
	VPMADDUBSW Z30, Z0, Z0 // 2 bases in 2 bytes
	VPMADDWD Z29, Z0, Z0 // 4 bases in 4 bytes
	VPMOVDB Z0, X0
	VMOVDQU X0, 0(DI)
	ADDQ $64, SI
	ADDQ $8, DX
	ADDQ $16, DI
	DECQ CX
	JNZ loop
	VZEROUPPER
	RET
`)
}
