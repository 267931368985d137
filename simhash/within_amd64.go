// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

package simhash

import "golang.org/x/sys/cpu"

// withinAVX512 is withinGeneric; query is the even and odd words in turns, hits
// is not empty.
//
//go:noescape
func withinAVX512(hits []byte, words *uint64, query *[8]uint64, distance int, pairs bool)

var hasPOPCNT = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VPOPCNTDQ

func within(hits []byte, words []uint64, f Fingerprint, distance int, pairs bool) {
	if !hasPOPCNT || len(hits) == 0 {
		withinGeneric(hits, words, f, distance, pairs)
		return
	}
	_ = words[8*len(hits)-1]
	query := [8]uint64{f[0], f[1], f[0], f[1], f[0], f[1], f[0], f[1]}
	withinAVX512(hits, &words[0], &query, distance, pairs)
}
