// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

#include "textflag.h"

// func withinAVX512(hits []byte, words *uint64, query *[8]uint64, distance int, pairs bool)
TEXT ·withinAVX512(SB), NOSPLIT, $0-49
	MOVQ hits_base+0(FP), DI
	MOVQ hits_len+8(FP), CX
	MOVQ words+24(FP), SI
	MOVQ query+32(FP), AX
	VMOVDQU64 (AX), Z1
	VPBROADCASTQ distance+40(FP), Z2
	MOVBLZX pairs+48(FP), BX
	TESTB BX, BX
	JNZ  pair

single:
	VPXORQ (SI), Z1, Z0
	VPOPCNTQ Z0, Z0
	VPCMPUQ $2, Z2, Z0, K1
	KMOVB K1, AX
	MOVB AX, (DI)
	ADDQ $64, SI
	INCQ DI
	DECQ CX
	JNZ  single
	VZEROUPPER
	RET

pair:
	VPXORQ (SI), Z1, Z0
	VPOPCNTQ Z0, Z0
	VPSHUFD $0x4e, Z0, Z3 // the other word of each pair
	VPADDQ Z3, Z0, Z0
	VPCMPUQ $2, Z2, Z0, K1
	KMOVB K1, AX
	ANDL $0x55, AX
	MOVB AX, (DI)
	ADDQ $64, SI
	INCQ DI
	DECQ CX
	JNZ  pair
	VZEROUPPER
	RET
