// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

package minhash

import "golang.org/x/sys/cpu"

// The vector kernels do what their twins in Go do, min32Generic and so on. Of
// the slices of slots all have the length of mins, a multiple of lanes32 or
// lanes64; hashes is not empty.

//go:noescape
func min32AVX512(mins, a, b, hashes []uint32)

//go:noescape
func min64AVX512(mins, a, b, hashes []uint64)

//go:noescape
func min32AVX2(mins, a, b, hashes []uint32)

//go:noescape
func min64AVX2(mins, a, b, hashes []uint64)

// differingAVX512 is differingGeneric for planes of 1, 2, 4 or a multiple of 8
// words.
//
//go:noescape
func differingAVX512(a, b []uint64, width int) int

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ
	hasAVX2   = cpu.X86.HasAVX2
	hasPOPCNT = hasAVX512 && cpu.X86.HasAVX512VPOPCNTDQ
)

var vectorPaths = []path{
	{"avx512", hasAVX512, min32AVX512, min64AVX512},
	{"avx2", hasAVX2, min32AVX2, min64AVX2},
}

// shortPlanes is the number of words up to which plain Go is faster.
const shortPlanes = 8

func differing(a, b []uint64, width int) int {
	if hasPOPCNT && len(a) > shortPlanes {
		return differingAVX512(a, b[:len(a)], width)
	}
	return differingGeneric(a, b, width)
}
