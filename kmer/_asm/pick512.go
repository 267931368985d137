// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
)

// pick512 writes pickAVX512: of 64 hashes those that are wanted.
func pick512(w io.Writer) {
	fmt.Fprint(w, `
// func pickAVX512(dst, hashes *uint64, hits, mask, bound uint64) int
TEXT ·pickAVX512(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ hashes+8(FP), SI
	MOVQ hits+16(FP), DX
	MOVQ DI, R9
	VPBROADCASTQ mask+24(FP), Z31
	VPBROADCASTQ bound+32(FP), Z30
`)
	for i := range 8 {
		lines(w,
			"KMOVB DX, K1",
			fmt.Sprintf("VPANDQ %d(SI), Z31, Z0", 64*i),
			"VPCMPUQ $2, Z30, Z0, K1, K1",
			"VPCOMPRESSQ.Z Z0, K1, Z0",
			"KMOVB K1, R8",
			"VMOVDQU64 Z0, 0(DI)",
			"POPCNTQ R8, R8",
			"LEAQ 0(DI)(R8*8), DI",
		)
		if i < 7 {
			lines(w, "SHRQ $8, DX")
		}
	}
	lines(w, "SUBQ R9, DI", "SHRQ $3, DI", "MOVQ DI, ret+40(FP)", "VZEROUPPER", "RET")
}
