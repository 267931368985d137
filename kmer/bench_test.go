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
	short, long, reads := kmer.NewBlock(100_000), kmer.NewBlock(bases), kmer.NewBlock(2*bases)
	short.Append(text)
	long.Append(text)
	for i := 0; i < bases; i += 150 {
		reads.Append(text[i:min(i+150, bases)])
		reads.EndRecord()
	}
	inputs := []struct {
		name string
		*kmer.Block
	}{{"100kb", short}, {"4Mb", long}, {"reads", reads}}
	for _, k := range []int{15, 21, 31, 32, 51} {
		for _, path := range kmer.PathNames {
			for _, input := range inputs {
				for _, bound := range []uint64{sketch.MaxHash(1000), everything} {
					name := fmt.Sprintf("k=%d/%s/len=%s/scaled=%d", k, path, input.name, sketch.ScaledOf(bound))
					b.Run(name, func(b *testing.B) {
						kmer.UsePath(b, path)
						benchmarkHash(b, kmer.NewHasher(k, true, 64, 42), input.Block, bound)
					})
				}
			}
		}
	}
}

func benchmarkHash(b *testing.B, h *kmer.Hasher, block *kmer.Block, bound uint64) {
	dst := make([]uint64, sketch.BatchSize)
	b.SetBytes(int64(block.Bases()))
	b.ReportAllocs()
	for b.Loop() {
		h.Reset(block)
		for err := error(nil); err == nil; {
			_, err = h.Next(dst, bound)
		}
	}
}

// BenchmarkAppend packs text in lines and, at last, in reads of 150 bases.
func BenchmarkAppend(b *testing.B) {
	rng := rand.New(rand.NewPCG(13, 14))
	const bases = 4 << 20
	for _, path := range kmer.PathNames {
		for _, width := range []int{60, 80, 150, bases} {
			text := []byte(randomBases(rng, bases, 0))
			for i := width; i < len(text); i += width + 1 {
				text[i] = '\n'
			}
			b.Run(fmt.Sprintf("%s/line=%d", path, width), func(b *testing.B) {
				kmer.UsePath(b, path)
				block := kmer.NewBlock(bases)
				b.SetBytes(bases)
				for b.Loop() {
					block.Reset()
					block.Append(text)
				}
			})
		}
		text := []byte(randomBases(rng, bases, 0))
		b.Run(path+"/reads", func(b *testing.B) {
			kmer.UsePath(b, path)
			block := kmer.NewBlock(2 * bases)
			b.SetBytes(bases)
			for b.Loop() {
				block.Reset()
				for i := 0; i < bases; i += 150 {
					block.Append(text[i:min(i+150, bases)])
					block.EndRecord()
				}
			}
		})
	}
}
