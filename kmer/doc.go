// SPDX-License-Identifier: Apache-2.0

// Package kmer turns the bases of DNA into k-mer hashes, bit for bit those of
// Mash and sourmash: the first word of MurmurHash3 x64_128 of the k-mer's
// upper-case letters, of the smaller of the two strands where k-mers are
// canonical.
//
// Bases go into a Block, which packs the sequence of many records (or a piece
// of one long record); a Hasher is the sketch.Source of a Block:
//
//	b := kmer.NewBlock(4 << 20)
//	h := kmer.NewHasher(21, true, 64, 42)
//	b.Append([]byte("ACGT...\nACGT...\n"))
//	b.EndRecord()
//	h.Reset(b)
//	err := sketch.Feed(h, buf, builder)
//
// A k-mer with any letter but A, C, G and T has no hash, and no k-mer joins
// two records. Hash and Canonical are the specification in a few plain lines;
// everything else here is only faster.
package kmer
