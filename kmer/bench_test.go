// SPDX-License-Identifier: Apache-2.0

package kmer_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gsketch/gsketch/kmer"
	"github.com/gsketch/gsketch/sketch"
)

func BenchmarkHash(b *testing.B) {
	rng := rand.New(rand.NewPCG(11, 12))
	const bases = 4 << 20
	text := []byte(randomBases(rng, bases, 0))
	short := kmer.NewBlock(100_000)
	short.Append(text)
	long, reads := kmer.NewBlock(bases), kmer.NewBlock(2*bases)
	long.Append(text)
	for i := 0; i < bases; i += 150 {
		reads.Append(text[i:min(i+150, bases)])
		reads.EndRecord()
	}
	dst := make([]uint64, sketch.BatchSize)
	for _, k := range []int{15, 21, 31, 32, 51} {
		for _, input := range []struct {
			name string
			*kmer.Block
		}{{"100kb", short}, {"4Mb", long}, {"150b", reads}} {
			for _, bound := range []uint64{sketch.MaxHash(1000), everything} {
				b.Run(fmt.Sprintf("k=%d/len=%s/scaled=%d", k, input.name, sketch.ScaledOf(bound)), func(b *testing.B) {
					b.SetBytes(int64(input.Bases()))
					b.ReportAllocs()
					h := kmer.NewHasher(k, true, 64, 42)
					for b.Loop() {
						h.Reset(input.Block)
						for err := error(nil); err == nil; {
							_, err = h.Next(dst, bound)
						}
					}
				})
			}
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	rng := rand.New(rand.NewPCG(13, 14))
	const bases = 4 << 20
	block := kmer.NewBlock(bases)
	for _, width := range []int{60, 80, 150, bases} {
		text := []byte(randomBases(rng, bases, 0))
		for i := width; i < len(text); i += width + 1 {
			text[i] = '\n'
		}
		b.Run(fmt.Sprintf("line=%d", width), func(b *testing.B) {
			b.SetBytes(bases)
			for b.Loop() {
				block.Reset()
				block.Append(text)
			}
		})
	}
}

func BenchmarkAppendReads(b *testing.B) {
	rng := rand.New(rand.NewPCG(15, 16))
	const bases = 150 * 20000
	block := kmer.NewBlock(2 * bases)
	text := []byte(randomBases(rng, bases, 0))
	b.SetBytes(bases)
	for b.Loop() {
		block.Reset()
		for i := 0; i < bases; i += 150 {
			block.Append(text[i : i+150])
			block.EndRecord()
		}
	}
}
