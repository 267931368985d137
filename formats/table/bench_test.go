// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// shapes of collections: many small sketches (a database of 54,118 bottom-k
// sketches of 1000 hashes, as RefSeq's genomes in Mash's), fewer larger ones,
// and one of 10 million hashes, which is cut into parts. Bytes per second are
// those of the hashes.
var shapes = []struct{ sketches, hashes int }{{54118, 1000}, {10000, 5000}, {1, 10_000_000}}

func shapeItems(b *testing.B, sketches, hashes int) []sketch.Item {
	r := rand.New(rand.NewPCG(3, 4))
	p := bottom
	p.Size = hashes
	items := make([]sketch.Item, sketches)
	for i := range items {
		name := fmt.Sprintf("GCF_%09d.1", i)
		items[i] = sketch.Item{
			Meta: sketch.Meta{ID: name, Source: "genomes/" + name + "_genomic.fna.gz", Length: 5_000_000, Records: 12, Count: 4_999_760,
				Comment: "[12 seqs] NZ_" + name + " Escherichia coli strain, whole genome shotgun sequence [...]"},
			Sketch: bottomkOf(b, p, ascending(r, hashes, math.MaxUint64)),
		}
	}
	return items
}

func writeAll(b *testing.B, w io.Writer, items []sketch.Item) {
	tw := NewWriter(w, Options{})
	for _, it := range items {
		if err := tw.Write(it); err != nil {
			b.Fatal(err)
		}
	}
	if err := tw.Close(); err != nil {
		b.Fatal(err)
	}
}

func forShapes(b *testing.B, run func(b *testing.B, items []sketch.Item)) {
	for _, s := range shapes {
		b.Run(fmt.Sprintf("%dx%d", s.sketches, s.hashes), func(b *testing.B) {
			items := shapeItems(b, s.sketches, s.hashes)
			b.SetBytes(int64(s.sketches) * int64(s.hashes) * 8)
			b.ReportAllocs()
			b.ResetTimer()
			run(b, items)
		})
	}
}

// BenchmarkWrite writes to memory that is thrown away.
func BenchmarkWrite(b *testing.B) {
	forShapes(b, func(b *testing.B, items []sketch.Item) {
		for b.Loop() {
			writeAll(b, io.Discard, items)
		}
	})
}

// BenchmarkOpen reads files that lie in the page cache, whole and their small
// columns alone.
func BenchmarkOpen(b *testing.B) {
	forShapes(b, func(b *testing.B, items []sketch.Item) {
		path := filepath.Join(b.TempDir(), "x.parquet")
		out, err := os.Create(path)
		if err != nil {
			b.Fatal(err)
		}
		buffered := bufio.NewWriter(out)
		writeAll(b, buffered, items)
		if err := buffered.Flush(); err != nil {
			b.Fatal(err)
		}
		if err := out.Close(); err != nil {
			b.Fatal(err)
		}
		hashBytes := int64(len(items)) * int64(items[0].Sketch.Len()) * 8
		for _, o := range []ReadOptions{{Threads: 1}, {Threads: 2}, {Threads: 1, SmallColumns: true}} {
			b.Run(fmt.Sprintf("threads=%d/small=%t", o.Threads, o.SmallColumns), func(b *testing.B) {
				b.SetBytes(hashBytes)
				b.ReportAllocs()
				for b.Loop() {
					openFile(b, path, o)
				}
			})
		}
	})
}

func openFile(b *testing.B, path string, o ReadOptions) {
	in, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := Open(in, info.Size(), path, o); err != nil {
		b.Fatal(err)
	}
}
