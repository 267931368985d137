// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
)

// BenchmarkTexts is whole documents to sketches, one thread, the JSON included.
func BenchmarkTexts(b *testing.B) {
	path := filepath.Join(b.TempDir(), "docs.jsonl")
	size := unpack(b, shared.Path(b, "data", "text", "scancode5k.jsonl.gz"), path)
	for _, p := range textPlan("words=5/norm=1").Params[:4] {
		if p.Family == sketch.KPerm {
			p.Size = 128
		}
		b.Run(p.Family, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			docs := 0
			for b.Loop() {
				err := RunTexts(context.Background(), Plan{Params: []sketch.Params{p}}, jsonl, Options{Threads: 1}, []string{path}, func(r Result) error {
					docs += len(r.Items)
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(docs)/b.Elapsed().Seconds(), "docs/s")
		})
	}
}

func unpack(b *testing.B, from, to string) int64 {
	b.Helper()
	in, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		b.Fatal(err)
	}
	out, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	n, err := out.ReadFrom(z)
	if err != nil {
		b.Fatal(err)
	}
	return n
}
