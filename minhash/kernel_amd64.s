// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

#include "textflag.h"

// Each kernel keeps the minima, factors and summands of a group of slots in
// registers and runs over all hashes, each of which is loaded into all lanes.
// Groups are as large as registers allow, then as small as arrays are padded.
//
// func min32AVX512(mins, a, b, hashes []uint32)
TEXT ·min32AVX512(SB), NOSPLIT, $0-96
	MOVQ mins_base+0(FP), DI
	MOVQ mins_len+8(FP), CX
	MOVQ a_base+24(FP), R10
	MOVQ b_base+48(FP), R11
	MOVQ hashes_base+72(FP), SI
	MOVQ hashes_len+80(FP), BX
	LEAQ (SI)(BX*4), DX

group64:
	CMPQ CX, $64
	JLT  group16
	VMOVDQU32 (DI), Z0
	VMOVDQU32 64(DI), Z1
	VMOVDQU32 128(DI), Z2
	VMOVDQU32 192(DI), Z3
	VMOVDQU32 (R10), Z4
	VMOVDQU32 64(R10), Z5
	VMOVDQU32 128(R10), Z6
	VMOVDQU32 192(R10), Z7
	VMOVDQU32 (R11), Z8
	VMOVDQU32 64(R11), Z9
	VMOVDQU32 128(R11), Z10
	VMOVDQU32 192(R11), Z11
	MOVQ SI, R8

hash64:
	VPBROADCASTD (R8), Z12
	VPMULLD Z12, Z4, Z13
	VPMULLD Z12, Z5, Z14
	VPMULLD Z12, Z6, Z15
	VPMULLD Z12, Z7, Z16
	VPADDD Z8, Z13, Z13
	VPADDD Z9, Z14, Z14
	VPADDD Z10, Z15, Z15
	VPADDD Z11, Z16, Z16
	VPMINUD Z13, Z0, Z0
	VPMINUD Z14, Z1, Z1
	VPMINUD Z15, Z2, Z2
	VPMINUD Z16, Z3, Z3
	ADDQ $4, R8
	CMPQ R8, DX
	JLT  hash64
	VMOVDQU32 Z0, (DI)
	VMOVDQU32 Z1, 64(DI)
	VMOVDQU32 Z2, 128(DI)
	VMOVDQU32 Z3, 192(DI)
	ADDQ $256, DI
	ADDQ $256, R10
	ADDQ $256, R11
	SUBQ $64, CX
	JMP  group64

group16:
	CMPQ CX, $16
	JLT  done
	VMOVDQU32 (DI), Z0
	VMOVDQU32 (R10), Z4
	VMOVDQU32 (R11), Z8
	MOVQ SI, R8

hash16:
	VPMULLD.BCST (R8), Z4, Z13
	VPADDD Z8, Z13, Z13
	VPMINUD Z13, Z0, Z0
	ADDQ $4, R8
	CMPQ R8, DX
	JLT  hash16
	VMOVDQU32 Z0, (DI)
	ADDQ $64, DI
	ADDQ $64, R10
	ADDQ $64, R11
	SUBQ $16, CX
	JMP  group16

done:
	VZEROUPPER
	RET

// func min64AVX512(mins, a, b, hashes []uint64)
TEXT ·min64AVX512(SB), NOSPLIT, $0-96
	MOVQ mins_base+0(FP), DI
	MOVQ mins_len+8(FP), CX
	MOVQ a_base+24(FP), R10
	MOVQ b_base+48(FP), R11
	MOVQ hashes_base+72(FP), SI
	MOVQ hashes_len+80(FP), BX
	LEAQ (SI)(BX*8), DX

group32:
	CMPQ CX, $32
	JLT  group8
	VMOVDQU64 (DI), Z0
	VMOVDQU64 64(DI), Z1
	VMOVDQU64 128(DI), Z2
	VMOVDQU64 192(DI), Z3
	VMOVDQU64 (R10), Z4
	VMOVDQU64 64(R10), Z5
	VMOVDQU64 128(R10), Z6
	VMOVDQU64 192(R10), Z7
	VMOVDQU64 (R11), Z8
	VMOVDQU64 64(R11), Z9
	VMOVDQU64 128(R11), Z10
	VMOVDQU64 192(R11), Z11
	MOVQ SI, R8

hash32:
	VPBROADCASTQ (R8), Z12
	VPMULLQ Z12, Z4, Z13
	VPMULLQ Z12, Z5, Z14
	VPMULLQ Z12, Z6, Z15
	VPMULLQ Z12, Z7, Z16
	VPADDQ Z8, Z13, Z13
	VPADDQ Z9, Z14, Z14
	VPADDQ Z10, Z15, Z15
	VPADDQ Z11, Z16, Z16
	VPMINUQ Z13, Z0, Z0
	VPMINUQ Z14, Z1, Z1
	VPMINUQ Z15, Z2, Z2
	VPMINUQ Z16, Z3, Z3
	ADDQ $8, R8
	CMPQ R8, DX
	JLT  hash32
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	VMOVDQU64 Z2, 128(DI)
	VMOVDQU64 Z3, 192(DI)
	ADDQ $256, DI
	ADDQ $256, R10
	ADDQ $256, R11
	SUBQ $32, CX
	JMP  group32

group8:
	CMPQ CX, $8
	JLT  done
	VMOVDQU64 (DI), Z0
	VMOVDQU64 (R10), Z4
	VMOVDQU64 (R11), Z8
	MOVQ SI, R8

hash8:
	VPMULLQ.BCST (R8), Z4, Z13
	VPADDQ Z8, Z13, Z13
	VPMINUQ Z13, Z0, Z0
	ADDQ $8, R8
	CMPQ R8, DX
	JLT  hash8
	VMOVDQU64 Z0, (DI)
	ADDQ $64, DI
	ADDQ $64, R10
	ADDQ $64, R11
	SUBQ $8, CX
	JMP  group8

done:
	VZEROUPPER
	RET

// func min32AVX2(mins, a, b, hashes []uint32)
TEXT ·min32AVX2(SB), NOSPLIT, $0-96
	MOVQ mins_base+0(FP), DI
	MOVQ mins_len+8(FP), CX
	MOVQ a_base+24(FP), R10
	MOVQ b_base+48(FP), R11
	MOVQ hashes_base+72(FP), SI
	MOVQ hashes_len+80(FP), BX
	LEAQ (SI)(BX*4), DX

group32:
	CMPQ CX, $32
	JLT  group16
	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	VMOVDQU 64(DI), Y2
	VMOVDQU 96(DI), Y3
	VMOVDQU (R10), Y4
	VMOVDQU 32(R10), Y5
	VMOVDQU 64(R10), Y6
	VMOVDQU 96(R10), Y7
	MOVQ SI, R8

hash32:
	VPBROADCASTD (R8), Y8
	VPMULLD Y8, Y4, Y9
	VPMULLD Y8, Y5, Y10
	VPMULLD Y8, Y6, Y11
	VPMULLD Y8, Y7, Y12
	VPADDD (R11), Y9, Y9
	VPADDD 32(R11), Y10, Y10
	VPADDD 64(R11), Y11, Y11
	VPADDD 96(R11), Y12, Y12
	VPMINUD Y9, Y0, Y0
	VPMINUD Y10, Y1, Y1
	VPMINUD Y11, Y2, Y2
	VPMINUD Y12, Y3, Y3
	ADDQ $4, R8
	CMPQ R8, DX
	JLT  hash32
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	ADDQ $128, DI
	ADDQ $128, R10
	ADDQ $128, R11
	SUBQ $32, CX
	JMP  group32

group16:
	CMPQ CX, $16
	JLT  done
	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	VMOVDQU (R10), Y4
	VMOVDQU 32(R10), Y5
	MOVQ SI, R8

hash16:
	VPBROADCASTD (R8), Y8
	VPMULLD Y8, Y4, Y9
	VPMULLD Y8, Y5, Y10
	VPADDD (R11), Y9, Y9
	VPADDD 32(R11), Y10, Y10
	VPMINUD Y9, Y0, Y0
	VPMINUD Y10, Y1, Y1
	ADDQ $4, R8
	CMPQ R8, DX
	JLT  hash16
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ $64, DI
	ADDQ $64, R10
	ADDQ $64, R11
	SUBQ $16, CX
	JMP  group16

done:
	VZEROUPPER
	RET

// AVX2 multiplies 32 bits by 32 and compares signed numbers only. With x = xl +
// 2^32 xh, a*h mod 2^64 is al*hl + 2^32 (al*hh + ah*hl), and adding 2^63 to all
// numbers turns their unsigned order into the signed one: the summands are given
// with 2^63 added, and minima change sign on the way in and out.
//
// func min64AVX2(mins, a, b, hashes []uint64)
TEXT ·min64AVX2(SB), NOSPLIT, $0-96
	MOVQ mins_base+0(FP), DI
	MOVQ mins_len+8(FP), CX
	MOVQ a_base+24(FP), R10
	MOVQ b_base+48(FP), R11
	MOVQ hashes_base+72(FP), SI
	MOVQ hashes_len+80(FP), BX
	LEAQ (SI)(BX*8), DX
	VPCMPEQQ Y15, Y15, Y15
	VPSLLQ $63, Y15, Y15

group8:
	CMPQ CX, $8
	JLT  done
	VPXOR (DI), Y15, Y0
	VPXOR 32(DI), Y15, Y1
	VMOVDQU (R10), Y2
	VMOVDQU 32(R10), Y3
	VPSRLQ $32, Y2, Y4
	VPSRLQ $32, Y3, Y5
	VPXOR (R11), Y15, Y6
	VPXOR 32(R11), Y15, Y7
	MOVQ SI, R8

hash8:
	VPBROADCASTQ (R8), Y8
	VPBROADCASTD 4(R8), Y9
	VPMULUDQ Y8, Y4, Y10
	VPMULUDQ Y8, Y5, Y11
	VPMULUDQ Y9, Y2, Y12
	VPMULUDQ Y9, Y3, Y13
	VPADDQ Y12, Y10, Y10
	VPADDQ Y13, Y11, Y11
	VPSLLQ $32, Y10, Y10
	VPSLLQ $32, Y11, Y11
	VPMULUDQ Y8, Y2, Y12
	VPMULUDQ Y8, Y3, Y13
	VPADDQ Y6, Y10, Y10
	VPADDQ Y7, Y11, Y11
	VPADDQ Y12, Y10, Y10
	VPADDQ Y13, Y11, Y11
	VPCMPGTQ Y10, Y0, Y12
	VPCMPGTQ Y11, Y1, Y13
	VPBLENDVB Y12, Y10, Y0, Y0
	VPBLENDVB Y13, Y11, Y1, Y1
	ADDQ $8, R8
	CMPQ R8, DX
	JLT  hash8
	VPXOR Y15, Y0, Y0
	VPXOR Y15, Y1, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ $64, DI
	ADDQ $64, R10
	ADDQ $64, R11
	SUBQ $8, CX
	JMP  group8

done:
	VZEROUPPER
	RET

// Planes of less than 8 words lie several to a vector: vectors are combined
// first, then the planes within. After that, equal words repeat in the vector,
// and are counted 8/width times.
//
// func differingAVX512(a, b []uint64, width int) int
TEXT ·differingAVX512(SB), NOSPLIT, $0-64
	MOVQ a_base+0(FP), SI
	MOVQ a_len+8(FP), CX
	MOVQ b_base+24(FP), DI
	MOVQ width+48(FP), BX
	VPXORQ Z0, Z0, Z0
	CMPQ BX, $8
	JGE  wide

narrow:
	CMPQ CX, $8
	JLT  rest
	VMOVDQU64 (SI), Z1
	VPXORQ (DI), Z1, Z1
	VPORQ Z1, Z0, Z0
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JMP  narrow

rest:
	TESTQ CX, CX
	JZ   fold
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVB AX, K1
	VMOVDQU64.Z (SI), K1, Z1
	VMOVDQU64.Z (DI), K1, Z2
	VPXORQ Z2, Z1, Z1
	VPORQ Z1, Z0, Z0

fold:
	VALIGNQ $4, Z0, Z0, Z1
	VPORQ Z1, Z0, Z0
	CMPQ BX, $4
	JEQ  count
	VALIGNQ $2, Z0, Z0, Z1
	VPORQ Z1, Z0, Z0
	CMPQ BX, $2
	JEQ  count
	VALIGNQ $1, Z0, Z0, Z1
	VPORQ Z1, Z0, Z0

count:
	VPOPCNTQ Z0, Z3
	JMP  sum

wide:
	VPXORQ Z3, Z3, Z3
	MOVQ BX, R8       // words of a plane that are left to do
	SHLQ $3, BX       // bytes of a plane

column:
	VPXORQ Z0, Z0, Z0
	MOVQ SI, R9
	MOVQ DI, R10
	MOVQ CX, R11

plane:
	VMOVDQU64 (R9), Z1
	VPXORQ (R10), Z1, Z1
	VPORQ Z1, Z0, Z0
	ADDQ BX, R9
	ADDQ BX, R10
	SUBQ width+48(FP), R11
	JG   plane
	VPOPCNTQ Z0, Z0
	VPADDQ Z0, Z3, Z3
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, R8
	JG   column
	MOVQ $8, BX

sum:
	VEXTRACTI64X4 $1, Z3, Y1
	VPADDQ Y1, Y3, Y3
	VEXTRACTI128 $1, Y3, X1
	VPADDQ X1, X3, X3
	VPSRLDQ $8, X3, X1
	VPADDQ X1, X3, X3
	VMOVQ X3, AX
	IMULQ BX, AX
	SHRQ $3, AX
	MOVQ AX, ret+56(FP)
	VZEROUPPER
	RET
