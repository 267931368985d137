// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
)

// A class is a range of k that one kernel serves.
type class struct {
	first, last int
	blocks      int // of 16 letters
	tails       int // words of up to 8 letters after them; they may be empty
}

var classes = []class{
	{1, 15, 0, 2},
	{16, 24, 1, 1},
	{25, 31, 1, 2},
	{32, 32, 2, 0},
	{33, 40, 2, 1},
	{41, 47, 2, 2},
	{48, 56, 3, 1},
	{57, 63, 3, 2},
	{64, 64, 4, 0},
}

// wide says that the code of a window does not fit into 64 bits.
func (c class) wide() bool { return c.first > 32 }

// Registers that hold the same thing throughout a kernel.
const (
	zLetters = "Z31" // ACGT 16 times
	zC1      = "Z30" // multipliers of MurmurHash3
	zC2      = "Z29"
	zF1      = "Z28"
	zF2      = "Z27"
	zSteps   = "Z25" // 0 2 4 6 0 2 4 6: where in its first byte a window starts
	zUp      = "Z24" // what a window leaves free of 64 or 128 bits
	zFields  = 20    // Z20 to Z23: where 8 bases lie in a code, for each of 4 words
	zBytes0  = "Z19" // wide: the first 8 bytes of each window, the 8 after those, the last byte
	zBytes8  = "Z18"
	zBytes16 = "Z17"
	kTail1   = "K1" // bytes of the last words that are letters
	kTail2   = "K2"
)

func field(word int) string { return fmt.Sprintf("Z%d", zFields+word%4) }

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
func (s *strand) wide512(group int, less, equal string) (lo, hi value) {
	bytes := s.do("VMOVDQU64", fmt.Sprintf("%d(BX)", 2*group))
	lo = s.do("VPERMB", bytes, zBytes0)
	hi = s.do("VPERMB", bytes, zBytes8)
	next := s.do("VPERMB", bytes, zBytes16)
	s.update("VPSHRDVQ", lo, zSteps, hi)
	s.update("VPSHRDVQ", hi, zSteps, next)
	rhi := s.reverseComplement512(lo)
	rlo := s.reverseComplement512(hi)
	hi = s.do("VPANDQ.BCST", param("high"), hi)
	s.update("VPSHRDVQ", rlo, zUp, rhi)
	rhi = s.do("VPSRLVQ", zUp, rhi)
	s.raw("VPCMPUQ", "$1", rhi, hi, less)
	s.raw("VPCMPUQ", "$0", rhi, hi, equal)
	s.raw("VPCMPUQ", "$1", rlo, lo, equal, equal)
	s.raw("KORB", less, equal, less)
	lo = s.do("VPBLENDMQ", lo, rlo, less)
	hi = s.do("VPBLENDMQ", hi, rhi, less)
	return lo, hi
}

// mixed returns a word of letters after its own part of MurmurHash3.
func (s *strand) mixed(word value, times, rotate, timesThen string) value {
	word = s.do("VPMULLQ", times, word)
	word = s.do("VPROLQ", rotate, word)
	return s.do("VPMULLQ", timesThen, word)
}

// state512 mixes all letters into the state. letters gives a word of them.
func (s *strand) state512(c class, letters func(i int, tail string) value) (h1, h2 value) {
	first := func(i int, tail string) value { return s.mixed(letters(i, tail), zC1, "$31", zC2) }
	second := func(i int, tail string) value { return s.mixed(letters(i, tail), zC2, "$33", zC1) }
	if c.blocks == 0 {
		h1 = s.do("VPXORQ.BCST", param("seedLength"), first(0, kTail1))
		h2 = s.do("VPXORQ.BCST", param("seedLength"), second(1, kTail2))
		return h1, h2
	}
	// The additions of the first block, where h1 = h2 = seed, are done ahead.
	h1 = s.do("VPXORQ.BCST", param("seed"), first(0, ""))
	h1 = s.do("VPROLQ", "$27", h1)
	h1 = s.timesFive(h1)
	h2 = s.do("VPXORQ.BCST", param("seed"), second(1, ""))
	h2 = s.do("VPROLQ", "$31", h2)
	h2 = s.do("VPADDQ", h1, h2)
	h2 = s.timesFive(h2)
	h1 = s.do("VPADDQ.BCST", param("add1"), h1)
	h2 = s.do("VPADDQ.BCST", param("add2"), h2)
	for b := 1; b < c.blocks; b++ {
		h1 = s.do("VPXORQ", first(2*b, ""), h1)
		h1 = s.do("VPROLQ", "$27", h1)
		h1 = s.do("VPADDQ", h2, h1)
		h1 = s.timesFive(h1)
		h1 = s.do("VPADDQ.BCST", "a1<>(SB)", h1)
		h2 = s.do("VPXORQ", second(2*b+1, ""), h2)
		h2 = s.do("VPROLQ", "$31", h2)
		h2 = s.do("VPADDQ", h1, h2)
		h2 = s.timesFive(h2)
		h2 = s.do("VPADDQ.BCST", "a2<>(SB)", h2)
	}
	length := param("length")
	if c.tails > 0 {
		s.update("VPTERNLOGQ.BCST", h1, "$0x96", length, first(2*c.blocks, kTail1))
	} else {
		h1 = s.do("VPXORQ.BCST", length, h1)
	}
	if c.tails > 1 {
		s.update("VPTERNLOGQ.BCST", h2, "$0x96", length, second(2*c.blocks+1, kTail2))
	} else {
		h2 = s.do("VPXORQ.BCST", length, h2)
	}
	return h1, h2
}

// timesFive adds instead of multiplying: multipliers and shifters share two of
// the four pipes of a Zen 4, which are the bottleneck, adders have all four.
func (s *strand) timesFive(x value) value {
	y := s.do("VPADDQ", x, x)
	y = s.do("VPADDQ", y, y)
	return s.do("VPADDQ", x, y)
}

// halfFinish is finish up to the last multiplication.
func (s *strand) halfFinish(h1, h2 value) (value, value) {
	h1 = s.do("VPADDQ", h2, h1)
	h2 = s.do("VPADDQ", h1, h2)
	for _, h := range []*value{&h1, &h2} {
		*h = s.do("VPXORQ", s.do("VPSRLQ", "$33", *h), *h)
	}
	for _, h := range []*value{&h1, &h2} {
		*h = s.do("VPMULLQ", zF1, *h)
	}
	for _, h := range []*value{&h1, &h2} {
		*h = s.do("VPXORQ", s.do("VPSRLQ", "$33", *h), *h)
	}
	return h1, h2
}

// near sets a mask where the hash may be at most the bound.
func (s *strand) near(h1, h2 value, mask string) {
	h := s.do("VPMULLQ", zF2, s.do("VPADDQ", h2, h1))
	h = s.do("VPADDQ.BCST", "two32<>(SB)", h)
	s.raw("VPCMPUQ.BCST", "$2", param("near"), h, mask)
}

// hash is the last step.
func (s *strand) hash(h1, h2 value) value {
	for _, h := range []*value{&h1, &h2} {
		*h = s.do("VPMULLQ", zF2, *h)
	}
	for _, h := range []*value{&h1, &h2} {
		*h = s.do("VPXORQ", s.do("VPSRLQ", "$33", *h), *h)
	}
	return s.do("VPADDQ", h2, h1)
}

// kernel512 writes the kernel of a class: near<k>AVX512 stores a bit for each
// of 32 windows per step, hash<k>AVX512 stores their hashes.
func kernel512(w io.Writer, c class, near bool) {
	name, step := "hash", 256
	if near {
		name, step = "near", 4
	}
	fmt.Fprintf(w, "\n// func %s%dAVX512(p *vectorParams, out, codes *uint64, steps int)\n", name, c.last)
	fmt.Fprintf(w, "TEXT ·%s%dAVX512(SB), NOSPLIT, $0-32\n", name, c.last)
	lines(w,
		"MOVQ p+0(FP), AX", "MOVQ out+8(FP), CX", "MOVQ codes+16(FP), BX", "MOVQ steps+24(FP), DX",
		"VBROADCASTI32X4 letters<>(SB), Z31",
		"VPBROADCASTQ c1<>(SB), Z30", "VPBROADCASTQ c2<>(SB), Z29",
		"VPBROADCASTQ f1<>(SB), Z28", "VPBROADCASTQ f2<>(SB), Z27",
		"VMOVDQU64 steps<>(SB), Z25",
		"VPBROADCASTQ vectorParams_up(AX), Z24",
		"VPBROADCASTQ vectorParams_fields+0(AX), Z20", "VPBROADCASTQ vectorParams_fields+8(AX), Z21",
		"VPBROADCASTQ vectorParams_fields+16(AX), Z22", "VPBROADCASTQ vectorParams_fields+24(AX), Z23",
		"KMOVQ vectorParams_tail1(AX), K1", "KMOVQ vectorParams_tail2(AX), K2",
	)
	registers, together := 20, 4
	if c.wide() {
		registers, together = 17, 2
		lines(w, "VMOVDQU64 bytes0<>(SB), Z19", "VMOVDQU64 bytes8<>(SB), Z18", "VMOVDQU64 bytes16<>(SB), Z17")
	}
	fmt.Fprintln(w, "loop:")
	for g := 0; g < 4; g += together {
		next := 0
		var strands []*strand
		for i := range together {
			s := &strand{next: &next}
			s.windows512(c, near, g+i, fmt.Sprintf("K%d", 3+i), fmt.Sprintf("K%d", 7-i))
			strands = append(strands, s)
		}
		lines(w, assign(weave(strands), pool(registers))...)
	}
	lines(w, fmt.Sprintf("ADDQ $%d, CX", step), "ADDQ $8, BX", "DECQ DX", "JNZ loop", "VZEROUPPER", "RET")
}

// windows512 is all that is done with 8 windows.
func (s *strand) windows512(c class, near bool, group int, mask, scratch string) {
	var lo, hi value
	if c.wide() {
		lo, hi = s.wide512(group, mask, scratch)
	} else {
		lo = s.narrow512(c, group)
	}
	h1, h2 := s.state512(c, func(i int, tail string) value {
		code := lo
		if i >= 4 {
			code = hi
		}
		fields := s.do("VPMULTISHIFTQB", code, field(i))
		if tail != "" {
			return s.do("VPERMB.Z", zLetters, fields, tail)
		}
		return s.do("VPERMB", zLetters, fields)
	})
	h1, h2 = s.halfFinish(h1, h2)
	if near {
		s.near(h1, h2, mask)
		s.raw("KMOVB", mask, fmt.Sprintf("%d(CX)", group))
	} else {
		s.raw("VMOVDQU64", s.hash(h1, h2), fmt.Sprintf("%d(CX)", 64*group))
	}
}

// pool names the registers Z0 to Zn-1.
func pool(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("Z%d", i))
	}
	return names
}

func lines(w io.Writer, ls ...string) {
	for _, l := range ls {
		fmt.Fprintf(w, "\t%s\n", l)
	}
}
