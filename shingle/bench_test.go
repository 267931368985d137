// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

func BenchmarkShingler(b *testing.B) {
	docs := corpus(b)
	var bytes int64
	for _, d := range docs {
		bytes += int64(len(d))
	}
	for _, recipe := range []string{"words=5/norm=1", "uax29=5/norm=1", "tokens=1/norm=0", "chars=5/norm=1", "chars=9/norm=1", "words=5/norm=1/stem=english", "words=5/norm=1/html"} {
		b.Run(strings.ReplaceAll(recipe, "/", ","), func(b *testing.B) {
			s := newText(b, recipe)
			buf := make([]uint64, sketch.BatchSize)
			b.SetBytes(bytes)
			b.ReportAllocs()
			for b.Loop() {
				for _, d := range docs {
					s.Reset(d)
					for {
						if _, err := s.Next(buf, math.MaxUint64); err == io.EOF {
							break
						}
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(s.Stats().Elements), "ns/element")
		})
	}
}

func BenchmarkHash(b *testing.B) {
	docs := corpus(b)
	for _, name := range []string{XXH3, SHA1, Murmur3} {
		b.Run(name, func(b *testing.B) {
			s, err := New(sketch.Elements{Molecule: sketch.Text, Recipe: "words=5/norm=1"}, sketch.Hash{Algorithm: name, Bits: 64}, nil)
			if err != nil {
				b.Fatal(err)
			}
			buf := make([]uint64, sketch.BatchSize)
			for b.Loop() {
				for _, d := range docs {
					s.Reset(d)
					for {
						if _, err := s.Next(buf, math.MaxUint64); err == io.EOF {
							break
						}
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(s.Stats().Elements), "ns/element")
		})
	}
}
