// SPDX-License-Identifier: Apache-2.0

package fastx

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// genome returns a FASTA record of n bases in lines of the given width.
func genome(n, width int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	b := []byte(">chr1 made up\n")
	for i := range n {
		if i > 0 && i%width == 0 {
			b = append(b, '\n')
		}
		b = append(b, "ACGT"[rng.IntN(4)])
	}
	return append(b, '\n')
}

// reads returns n four-line FASTQ records.
func reads(n, length int) []byte {
	rng := rand.New(rand.NewPCG(3, 4))
	var b []byte
	for i := range n {
		b = fmt.Appendf(b, "@run.%d %d/1\n", i, i)
		for range length {
			b = append(b, "ACGT"[rng.IntN(4)])
		}
		b = append(b, "\n+\n"...)
		for range length {
			b = append(b, byte('!'+rng.IntN(42)))
		}
		b = append(b, '\n')
	}
	return b
}

func benchmark(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	src := bytes.NewReader(data)
	var text int
	for b.Loop() {
		src.Reset(data)
		r := NewReader(src, "bench")
		for {
			p, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			text += len(p.Text)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(len(data)), "ns/byte")
}

func BenchmarkFASTA(b *testing.B) {
	for _, width := range []int{60, 80, 1 << 30} {
		b.Run(fmt.Sprintf("width=%d", width), func(b *testing.B) { benchmark(b, genome(8<<20, width)) })
	}
	b.Run("crlf", func(b *testing.B) {
		benchmark(b, bytes.ReplaceAll(genome(8<<20, 80), []byte("\n"), []byte("\r\n")))
	})
}

func BenchmarkFASTQ(b *testing.B) {
	for _, length := range []int{100, 150, 10000} {
		b.Run(fmt.Sprintf("length=%d", length), func(b *testing.B) { benchmark(b, reads(8<<20/(2*length), length)) })
	}
	b.Run("crlf", func(b *testing.B) {
		benchmark(b, bytes.ReplaceAll(reads(8<<20/300, 150), []byte("\n"), []byte("\r\n")))
	})
}

// BenchmarkCopy is the floor: the same bytes into the same buffer.
func BenchmarkCopy(b *testing.B) {
	data := genome(8<<20, 80)
	b.SetBytes(int64(len(data)))
	buf := make([]byte, windowSize)
	src := bytes.NewReader(data)
	for b.Loop() {
		src.Reset(data)
		for {
			if _, err := src.Read(buf); err == io.EOF {
				break
			}
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/float64(len(data)), "ns/byte")
}
