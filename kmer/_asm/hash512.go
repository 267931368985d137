// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
)

// Registers that hold the same thing throughout a kernel.
const (
	zLetters = "Z31" // ACGT 16 times
	zFields  = 20    // Z20 to Z23: where 8 bases lie in a code, for each of 4 words
	kTail1   = "K1"  // bytes of the last words that are letters
	kTail2   = "K2"
	kEqual   = "K7"  // for a moment
	zReverse = "Z24" // 7 6 5 4 3 2 1 0

	// Windows of up to 32 bases.
	zC1    = "Z30" // multipliers of MurmurHash3
	zC2    = "Z29"
	zF1    = "Z28"
	zF2    = "Z27"
	zSteps = "Z26" // 0 2 4 6 0 2 4 6: where in its first byte a window starts
	zUp    = "Z25" // what a window leaves free of 64 bits

	// Longer windows: their first 8 bytes, the 8 after those, the last byte.
	zBytes0  = "Z30"
	zBytes8  = "Z29"
	zBytes16 = "Z28"
)

func param(name string) string { return "vectorParams_" + name + "(AX)" }

// narrow512 finds the codes to be hashed of 8 windows of up to 32 bases, in the
// upper bits of a word; junk is below.
func (s *strand) narrow512(c class, group int) value {
	bytes := s.do("VBROADCASTI64X2", fmt.Sprintf("%d(BX)", 2*group))
	x := s.do("VPSHUFB", "lowBytes<>(SB)", bytes)
	if c.last <= 29 {
		x = s.do("VPSRLVQ", zSteps, x)
	} else {
		next := s.do("VPSHUFB", "nextByte<>(SB)", bytes)
		s.update("VPSHRDVQ", x, zSteps, next)
	}
	r := s.reverseComplement512(x)
	x = s.do("VPSLLVQ", zUp, x)
	return s.do("VPMINUQ", r, x)
}

func (s *strand) reverseComplement512(x value) value {
	x = s.do("VPSHUFB", "reverseBytes<>(SB)", x)
	return s.do("VGF2P8AFFINEQB.BCST", "$0xff", param("matrix"), x)
}

// wide512 finds the codes to be hashed of 8 windows of 33 to 64 bases.
func (s *strand) wide512(group int, less string) (lo, hi value) {
	bytes := s.do("VMOVDQU64", fmt.Sprintf("%d(BX)", 2*group))
	lo = s.do("VPERMB", bytes, zBytes0)
	hi = s.do("VPERMB", bytes, zBytes8)
	next := s.do("VPERMB", bytes, zBytes16)
	s.update("VPSHRDVQ", lo, "steps<>(SB)", hi)
	s.update("VPSHRDVQ", hi, "steps<>(SB)", next)
	rhi := s.reverseComplement512(lo)
	rlo := s.reverseComplement512(hi)
	hi = s.do("VPANDQ.BCST", param("high"), hi)
	s.update("VPSHRDVQ.BCST", rlo, param("up"), rhi)
	rhi = s.do("VPSRLVQ.BCST", param("up"), rhi)
	return s.smaller512(lo, hi, rlo, rhi, less)
}

// smaller512 is the smaller of two numbers of two words.
func (s *strand) smaller512(lo, hi, rlo, rhi value, less string) (value, value) {
	s.raw("VPCMPUQ", "$1", rhi, hi, less)
	s.raw("VPCMPUQ", "$0", rhi, hi, kEqual)
	s.glued("VPCMPUQ", "$1", rlo, lo, kEqual, kEqual)
	s.glued("KORB", less, kEqual, less)
	lo = s.do("VPBLENDMQ", lo, rlo, less)
	hi = s.do("VPBLENDMQ", hi, rhi, less)
	return lo, hi
}

// avx512 is the isa. Its constants are registers, unless those are scarce.
type avx512 struct{ scarce bool }

var registers512 = map[string]string{"c1": zC1, "c2": zC2, "f1": zF1, "f2": zF2}

var tails512 = map[string]string{"tail1": kTail1, "tail2": kTail2}

func (a avx512) letters(s *strand, code value, word int, tail string) value {
	fields := s.do("VPMULTISHIFTQB", code, fmt.Sprintf("Z%d", zFields+word%4))
	if tail != "" {
		return s.do("VPERMB.Z", zLetters, fields, tails512[tail])
	}
	return s.do("VPERMB", zLetters, fields)
}

func (a avx512) mul(s *strand, constant string, x value) value {
	if a.scarce {
		return s.do("VPMULLQ.BCST", constant+"<>(SB)", x)
	}
	return s.do("VPMULLQ", registers512[constant], x)
}

func (avx512) rotate(s *strand, left int, x value) value {
	return s.do("VPROLQ", fmt.Sprintf("$%d", left), x)
}

func (avx512) fold(s *strand, x value) value {
	return s.do("VPXORQ", s.do("VPSRLQ", "$33", x), x)
}

func (avx512) add(s *strand, x, y value) value { return s.do("VPADDQ", x, y) }
func (avx512) xor(s *strand, x, y value) value { return s.do("VPXORQ", x, y) }

func (avx512) addParam(s *strand, name string, x value) value {
	return s.do("VPADDQ.BCST", param(name), x)
}

func (avx512) xorParam(s *strand, name string, x value) value {
	return s.do("VPXORQ.BCST", param(name), x)
}

func (avx512) xor3(s *strand, name string, x, y value) value {
	s.update("VPTERNLOGQ.BCST", y, "$0x96", param(name), x)
	return y
}

func (avx512) addConstant(s *strand, name string, x value) value {
	return s.do("VPADDQ.BCST", name+"<>(SB)", x)
}

// prologue512 loads the registers that stay and returns the others.
func prologue512(w io.Writer, c class) (free []string) {
	lines(w,
		"VBROADCASTI32X4 letters<>(SB), Z31",
		"VPBROADCASTQ vectorParams_fields+0(AX), Z20", "VPBROADCASTQ vectorParams_fields+8(AX), Z21",
		"VPBROADCASTQ vectorParams_fields+16(AX), Z22", "VPBROADCASTQ vectorParams_fields+24(AX), Z23",
		"KMOVQ vectorParams_tail1(AX), K1", "KMOVQ vectorParams_tail2(AX), K2",
		"VMOVDQU64 reverseLanes<>(SB), Z24",
	)
	free = registers(0, 19)
	if c.wide() {
		lines(w, "VMOVDQU64 bytes0<>(SB), Z30", "VMOVDQU64 bytes8<>(SB), Z29", "VMOVDQU64 bytes16<>(SB), Z28")
		return append(free, registers(25, 27)...)
	}
	lines(w,
		"VPBROADCASTQ c1<>(SB), Z30", "VPBROADCASTQ c2<>(SB), Z29",
		"VPBROADCASTQ f1<>(SB), Z28", "VPBROADCASTQ f2<>(SB), Z27",
		"VMOVDQU64 steps<>(SB), Z26", "VPBROADCASTQ vectorParams_up(AX), Z25",
	)
	return free
}

// hash512 writes the kernel of a class that hashes: 32 windows in a step.
func hash512(w io.Writer, c class) {
	fmt.Fprintf(w, "\n// func hash%dAVX512(p *vectorParams, out, codes *uint64, steps int)\n", c.last)
	fmt.Fprintf(w, "TEXT ·hash%dAVX512(SB), NOSPLIT, $0-32\n", c.last)
	lines(w, "MOVQ p+0(FP), AX", "MOVQ out+8(FP), CX", "MOVQ codes+16(FP), BX", "MOVQ steps+24(FP), DX")
	free := prologue512(w, c)
	fmt.Fprintln(w, "loop:")
	next := 0
	var strands []*strand
	for group := range 4 {
		s := &strand{next: &next}
		var lo, hi value
		if c.wide() {
			lo, hi = s.wide512(group, fmt.Sprintf("K%d", 3+group))
		} else {
			lo = s.narrow512(c, group)
		}
		h := hashing{s, avx512{scarce: c.wide()}}
		x := h.hash(h.halfFinish(h.state(c, lo, hi)))
		s.raw("VMOVDQU64", x, fmt.Sprintf("%d(CX)", 64*group))
		strands = append(strands, s)
	}
	lines(w, assign(weave(strands), free)...)
	lines(w, "ADDQ $256, CX", "ADDQ $8, BX", "DECQ DX", "JNZ loop", "VZEROUPPER", "RET")
}

// registers names Z registers.
func registers(first, last int) (names []string) {
	for i := first; i <= last; i++ {
		names = append(names, fmt.Sprintf("Z%d", i))
	}
	return names
}

func lines(w io.Writer, ls ...string) {
	for _, l := range ls {
		fmt.Fprintf(w, "\t%s\n", l)
	}
}
