// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
)

// An AVX2 kernel works on windows 32 positions apart: word j of a vector is
// window 32j + i of 128. So a plain load, shifted, gives a vector of windows,
// and what is done to the bytes of the loads is shared by 4 of these.

// avx2 is the isa. All its constants and parameters are vectors in memory,
// where there is more room than in 16 registers.
type avx2 struct{}

func vector(name string) string   { return name + "x4<>(SB)" }
func param256(name string) string { return "avx2Params_" + name + "(AX)" }

func (avx2) letters(s *strand, code value, word int, tail string) value {
	x := s.do("VPSHUFB", fmt.Sprintf("codeBytes%d<>(SB)", word%4), code)
	y := s.do("VPSRLW", "$4", x)
	x = s.do("VPBLENDW", "$0xaa", y, x) // bases 2, 3, 6, 7 in the lower half of a byte, too
	x = s.do("VPAND", vector("oneBase"), x)
	x = s.do("VPSHUFB", x, vectorRegister)
	if tail != "" {
		x = s.do("VPAND", param256(tail), x)
	}
	return x
}

// vectorRegister holds the letters by code.
const vectorRegister = "Y15"

// mul multiplies 64-bit numbers by 32-bit multiplications: low halves in full,
// and of the cross products the lower halves.
func (avx2) mul(s *strand, constant string, x value) value {
	cross := s.do("VPMULLD", vector(constant+"Swapped"), x)
	other := s.do("VPSLLQ", "$32", cross)
	cross = s.do("VPADDD", cross, other)
	cross = s.do("VPAND", vector("upperHalf"), cross)
	return s.do("VPADDD", cross, s.do("VPMULUDQ", vector(constant), x))
}

func (avx2) rotate(s *strand, left int, x value) value {
	high := s.do("VPSLLQ", fmt.Sprintf("$%d", left), x)
	low := s.do("VPSRLQ", fmt.Sprintf("$%d", 64-left), x)
	return s.do("VPOR", low, high)
}

func (avx2) fold(s *strand, x value) value { return s.do("VPXOR", s.do("VPSRLQ", "$33", x), x) }

func (avx2) add(s *strand, x, y value) value { return s.do("VPADDQ", x, y) }
func (avx2) xor(s *strand, x, y value) value { return s.do("VPXOR", x, y) }

func (avx2) addParam(s *strand, name string, x value) value {
	return s.do("VPADDQ", param256(name), x)
}

func (avx2) xorParam(s *strand, name string, x value) value {
	return s.do("VPXOR", param256(name), x)
}

func (a avx2) xor3(s *strand, name string, x, y value) value {
	return a.xorParam(s, name, s.do("VPXOR", x, y))
}

func (avx2) addConstant(s *strand, name string, x value) value {
	return s.do("VPADDQ", vector(name), x)
}

// words is how many words a vector of windows is cut from.
func (c class) words() int {
	switch {
	case c.wide():
		return 3
	case c.last > 29:
		return 2
	}
	return 1
}

func read256(s *strand, word int) value {
	return s.do("VMOVDQU", fmt.Sprintf("%d(BX)", 8*word))
}

// reverseComplement256 goes by the halves of bytes. "alone" is all ones if
// there is no other strand to choose.
func reverseComplement256(s *strand, x value) value {
	x = s.do("VPSHUFB", vector("reverseBytes"), x)
	high := s.do("VPAND", vector("lowerNibbles"), s.do("VPSRLQ", "$4", x))
	low := s.do("VPAND", vector("lowerNibbles"), x)
	high = s.do("VPSHUFB", high, s.do("VMOVDQU", vector("otherLow")))
	low = s.do("VPSHUFB", low, s.do("VMOVDQU", vector("otherHigh")))
	return s.do("VPOR", param256("alone"), s.do("VPOR", low, high))
}

// cut256 returns the windows that start i bases from the start of a word.
func cut256(s *strand, word, i int, more bool) value {
	x := read256(s, word)
	if i == 0 {
		return x
	}
	x = s.do("VPSRLQ", fmt.Sprintf("$%d", 2*i), x)
	if more {
		next := s.do("VPSLLQ", fmt.Sprintf("$%d", 64-2*i), read256(s, word+1))
		x = s.do("VPOR", x, next)
	}
	return x
}

// cutOther256 does so on the other strand, whose words are given.
func cutOther256(s *strand, words []value, i int) value {
	if i == 0 {
		return words[0]
	}
	x := s.do("VPSLLQ", fmt.Sprintf("$%d", 2*i), words[0])
	if len(words) > 1 {
		next := s.do("VPSRLQ", fmt.Sprintf("$%d", 64-2*i), words[1])
		x = s.do("VPOR", x, next)
	}
	return x
}

// narrow256 finds the codes to be hashed of windows of up to 32 bases.
func narrow256(s *strand, other []value, i int) value {
	x := cut256(s, 0, i, len(other) > 1)
	r := cutOther256(s, other, i)
	x = s.do("VPSLLQ", xUp, x)
	less := s.less256(x, r)
	x = s.do("VPBLENDVB", less, x, r)
	return s.do("VPSRLQ", xUp, x)
}

// less256 compares numbers without a sign, which AVX2 does not know.
func (s *strand) less256(x, y value) value {
	x = s.do("VPXOR", vector("sign"), x)
	y = s.do("VPXOR", vector("sign"), y)
	return s.do("VPCMPGTQ", x, y)
}

// wide256 finds the codes to be hashed of windows of 33 to 64 bases.
func wide256(s *strand, other []value, i int) (lo, hi value) {
	lo = cut256(s, 0, i, true)
	hi = s.do("VPAND", param256("high"), cut256(s, 1, i, true))
	rhi := cutOther256(s, other[:2], i)
	rlo := cutOther256(s, other[1:], i)
	rlo = s.do("VPOR", s.do("VPSRLQ", xUp, rlo), s.do("VPSLLQ", xDown, rhi))
	rhi = s.do("VPSRLQ", xUp, rhi)
	less := s.less256(hi, rhi)
	equal := s.do("VPCMPEQQ", rhi, hi)
	less = s.do("VPOR", less, s.do("VPAND", equal, s.less256(lo, rlo)))
	lo = s.do("VPBLENDVB", less, lo, rlo)
	hi = s.do("VPBLENDVB", less, hi, rhi)
	return lo, hi
}

const (
	yHits = "Y14" // bits of the windows so far
	xUp   = "X13" // what a window leaves free of 64 or 128 bits
	xDown = "X12" // wide: 64 less that
)

// kernel256 writes the kernel of a class for 128 windows per step.
func kernel256(w io.Writer, c class, near bool) {
	name, step := "hash", 8*128
	if near {
		name, step = "near", 128/8
	}
	fmt.Fprintf(w, "\n// func %s%dAVX2(p *avx2Params, out, codes *uint64, steps int)\n", name, c.last)
	fmt.Fprintf(w, "TEXT ·%s%dAVX2(SB), NOSPLIT, $0-32\n", name, c.last)
	lines(w,
		"MOVQ p+0(FP), AX", "MOVQ out+8(FP), CX", "MOVQ codes+16(FP), BX", "MOVQ steps+24(FP), DX",
		"VMOVDQU "+vector("lettersByCode")+", Y15",
		"VMOVDQU "+param256("up")+", X13",
		"VMOVDQU "+param256("down")+", X12",
	)
	fmt.Fprintln(w, "step:")
	order := []int{0, 1, 2, 3}
	if near {
		// Hits are collected from the last window to the first: the bit of
		// each next one is shifted in from below.
		order = []int{3, 2, 1, 0}
		lines(w, "VPXOR Y14, Y14, Y14", "ADDQ $7, BX")
	}
	lines(w, "MOVQ $8, R8")
	fmt.Fprintln(w, "byte:")
	lines(w, assign(windows256(c, near, order), registers256(c))...)
	if near {
		lines(w, "DECQ BX", "DECQ R8", "JNZ byte",
			"VPXOR "+vector("ones")+", Y14, Y14",
			"VPSHUFD $0x08, Y14, Y14", "VPERMQ $0x08, Y14, Y14", "VMOVDQU X14, 0(CX)",
			fmt.Sprintf("ADDQ $%d, CX", step), "ADDQ $33, BX")
	} else {
		lines(w, "INCQ BX", "ADDQ $32, CX", "DECQ R8", "JNZ byte",
			fmt.Sprintf("ADDQ $%d, CX", step-8*32), "ADDQ $24, BX")
	}
	lines(w, "DECQ DX", "JNZ step", "VZEROUPPER", "RET")
}

func registers256(c class) (names []string) {
	n := 13
	if c.wide() {
		n = 12
	}
	for i := range n {
		names = append(names, fmt.Sprintf("Y%d", i))
	}
	return names
}

// windows256 is all that is done with the 4 times 4 windows that start in the
// byte at BX and every 8th byte after it.
func windows256(c class, near bool, order []int) []instruction {
	next := 0
	start := &strand{next: &next}
	var other []value
	for word := range c.words() {
		other = append(other, reverseComplement256(start, read256(start, word)))
	}
	code := start.code
	together := 2
	if c.words() > 1 { // not enough registers
		together = 1
	}
	for ; len(order) > 0; order = order[together:] {
		var strands []*strand
		end := &strand{next: &next}
		for _, i := range order[:together] {
			s := &strand{next: &next}
			strands = append(strands, s)
			var lo, hi value
			if c.wide() {
				lo, hi = wide256(s, other, i)
			} else {
				lo = narrow256(s, other, i)
			}
			h := hashing{s, avx2{}}
			h1, h2 := h.halfFinish(h.state(c, lo, hi))
			if near {
				x := s.do("VPADDQ", vector("two32sign"), h.nearly(h1, h2))
				miss := s.do("VPCMPGTQ", param256("near"), x)
				end.raw("VPADDQ", yHits, yHits, yHits)
				end.raw("VPSUBQ", miss, yHits, yHits)
			} else {
				x := h.hash(h1, h2)
				y := s.doHalf("VEXTRACTI128", "$1", x)
				end.raw("VMOVQ", half(x), fmt.Sprintf("%d(CX)", 8*i))
				end.raw("VPEXTRQ", "$1", half(x), fmt.Sprintf("%d(CX)", 8*i+256))
				end.raw("VMOVQ", half(y), fmt.Sprintf("%d(CX)", 8*i+512))
				end.raw("VPEXTRQ", "$1", half(y), fmt.Sprintf("%d(CX)", 8*i+768))
			}
		}
		code = append(code, weave(strands)...)
		code = append(code, end.code...)
	}
	return code
}
