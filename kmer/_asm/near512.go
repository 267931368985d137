// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
)

// To find windows, 8 of them that are 32 positions apart are taken at a time,
// a tile of 256 in 32 turns. So a plain load gives their codes, from one of 4
// streams: the codes as they are, and shifted by 1, 2 and 3 bases. 4 more
// streams hold the other strand, backwards. They are made for a stretch of
// tiles at a time by streamsAVX512.
const (
	maxTiles   = 16
	streamData = 64 * (maxTiles + 1)  // bytes that a stream is made of
	streamSize = 64 + streamData + 64 // and room before and behind: a word of it counts, see startStreams
)

// streams512 writes streamsAVX512. The byte at 64+i of stream r < 4 holds the
// bases from 4i+r on; that at streamData-1-i of stream 4+r their complements
// in reverse order.
func streams512(w io.Writer) {
	fmt.Fprint(w, `
// func streamsAVX512(p *vectorParams, streams, codes *uint64, tiles int)
TEXT ·streamsAVX512(SB), NOSPLIT, $0-32
	MOVQ p+0(FP), AX
	MOVQ streams+8(FP), DI
	MOVQ codes+16(FP), SI
	MOVQ tiles+24(FP), CX
`)
	lines(w,
		fmt.Sprintf("LEAQ %d(DI), DX", 4*streamSize+streamData-64),
		"VMOVDQU64 reverse64<>(SB), Z31", "VPBROADCASTQ vectorParams_matrix(AX), Z30",
		"INCQ CX // windows of the last tile reach into the next",
	)
	fmt.Fprintln(w, "loop:")
	lines(w, "VMOVDQU64 0(SI), Z0", "VMOVDQU64 8(SI), Z1")
	for r := range 4 {
		z := fmt.Sprintf("Z%d", 2+r)
		if r == 0 {
			z = "Z0"
		} else {
			lines(w, fmt.Sprintf("VPSHRDQ $%d, Z1, Z0, %s", 2*r, z))
		}
		lines(w,
			fmt.Sprintf("VMOVDQU64 %s, %d(DI)", z, r*streamSize+64),
			fmt.Sprintf("VPERMB %s, Z31, Z6", z),
			"VGF2P8AFFINEQB $0xff, Z30, Z6, Z6",
			fmt.Sprintf("VMOVDQU64 Z6, %d(DX)", r*streamSize),
		)
	}
	lines(w, "ADDQ $64, SI", "ADDQ $64, DI", "SUBQ $64, DX", "DECQ CX", "JNZ loop", "VZEROUPPER", "RET")
}

// near512 writes the kernel of a class that finds windows.
func near512(w io.Writer, c class) {
	fmt.Fprintf(w, "\n// func near%dAVX512(p *vectorParams, out, streams *uint64, tiles int)\n", c.last)
	fmt.Fprintf(w, "TEXT ·near%dAVX512(SB), NOSPLIT, $32-32\n", c.last)
	lines(w,
		"MOVQ p+0(FP), AX", "MOVQ out+8(FP), CX", "MOVQ streams+16(FP), BX", "MOVQ tiles+24(FP), DX",
		"LEAQ bits-32(SP), R13",
	)
	for r := range 4 {
		lines(w, fmt.Sprintf("MOVQ vectorParams_strand+%d(AX), R%d", 8*r, 8+r), fmt.Sprintf("ADDQ BX, R%d", 8+r))
	}
	// BX walks along the streams that are read by the starts of windows, R8 to
	// R11 along those read by their ends, a byte per turn: forwards where they
	// hold the strand as it is read.
	starts, ends := -1, 1
	if c.wide() {
		starts, ends = 1, -1
		lines(w, "ADDQ $64, BX")
	} else {
		lines(w, fmt.Sprintf("ADDQ $%d, BX", 4*streamSize+streamData-64))
	}
	free := prologue512(w, c)
	fmt.Fprintln(w, "tile:")
	lines(w, "XORQ R12, R12")
	fmt.Fprintln(w, "turn:")
	next := 0
	var strands []*strand
	for r := range 4 {
		s := &strand{next: &next}
		mask := fmt.Sprintf("K%d", 3+r)
		h := hashing{s, avx512{scarce: c.wide()}}
		lo, hi := s.apart512(c, r, mask)
		h1, h2 := h.halfFinish(h.state(c, lo, hi))
		x := s.do("VPADDQ.BCST", "two32<>(SB)", h.nearly(h1, h2))
		s.raw("VPCMPUQ.BCST", "$2", param("near"), x, mask)
		s.raw("KMOVB", mask, fmt.Sprintf("%d(R13)(R12*4)", 3-r))
		strands = append(strands, s)
	}
	lines(w, assign(weave(strands), free)...)
	walk := func(n int) {
		lines(w, fmt.Sprintf("ADDQ $%d, BX", n*starts))
		for r := range 4 {
			lines(w, fmt.Sprintf("ADDQ $%d, R%d", n*ends, 8+r))
		}
	}
	walk(1)
	lines(w, "INCQ R12", "CMPQ R12, $8", "JNE turn")
	walk(64 - 8)
	// Bit j of byte i is window 32j + i, but for the order of bytes: transpose.
	lines(w,
		"VPROLQ $32, bits-32(SP), Y0",
		"VPBROADCASTQ oneBit<>(SB), Y1",
		"VGF2P8AFFINEQB $0, Y0, Y1, Y0",
		"VMOVDQU bytesOfLane<>(SB), Y1",
		"VPERMB Y0, Y1, Y0",
		"VMOVDQU Y0, 0(CX)",
		"ADDQ $32, CX",
		"DECQ DX", "JNZ tile", "VZEROUPPER", "RET",
	)
}

// apart512 finds the codes to be hashed of the windows that start at base r of
// the byte at hand.
func (s *strand) apart512(c class, r int, less string) (lo, hi value) {
	if !c.wide() {
		other := s.do("VPERMQ", fmt.Sprintf("%d(BX)", r*streamSize), zReverse)
		return s.do("VPMINUQ", fmt.Sprintf("0(R%d)", 8+r), other), 0
	}
	lo = s.do("VMOVDQU64", fmt.Sprintf("%d(BX)", r*streamSize))
	hi = s.do("VMOVDQU64", fmt.Sprintf("%d(BX)", r*streamSize+8))
	hi = s.do("VPANDQ.BCST", param("high"), hi)
	rlo := s.do("VPERMQ", fmt.Sprintf("0(R%d)", 8+r), zReverse)
	rhi := s.do("VPERMQ", fmt.Sprintf("8(R%d)", 8+r), zReverse)
	rhi = s.do("VPANDQ.BCST", param("high"), rhi)
	return s.smaller512(lo, hi, rlo, rhi, less)
}
