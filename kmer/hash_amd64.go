// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

package kmer

import "golang.org/x/sys/cpu"

//go:generate go -C _asm run . ..

var vectorPaths = []path{
	{"avx512", hasAVX512, newAVX512, (*Block).packAVX512},
	{"avx2", cpu.X86.HasAVX2, newAVX2, (*Block).packAVX2},
}

var hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL &&
	cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2 && cpu.X86.HasAVX512GFNI && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT
