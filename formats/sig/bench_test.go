// SPDX-License-Identifier: Apache-2.0

package sig_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

// manyHashes is a FracMinHash sketch of n hashes, weighted if asked.
func manyHashes(t testing.TB, n int, weighted bool) sketch.Item {
	t.Helper()
	p := sketch.Params{Family: sketch.FracMinHash, Elements: sketch.DNAElements(31), Hash: sketch.Murmur3(64, 42), Scaled: 1000, Weighted: weighted}
	rng := rand.New(rand.NewPCG(1, 2))
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = rng.Uint64N(sketch.MaxHash(1000))
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	var counts []uint64
	if weighted {
		counts = make([]uint64, len(hashes))
		for i := range counts {
			counts[i] = 1 + rng.Uint64N(9)
		}
	}
	set, err := fracminhash.New(p, hashes, counts)
	if err != nil {
		t.Fatal(err)
	}
	return sketch.Item{Meta: sketch.Meta{ID: "many", Source: "many.fa"}, Sketch: set}
}

func BenchmarkRead(b *testing.B) {
	var buf bytes.Buffer
	if err := sig.Write(&buf, []sketch.Item{manyHashes(b, 1_000_000, false)}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(buf.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sig.Read(bytes.NewReader(buf.Bytes()), "bench.sig"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	items := []sketch.Item{manyHashes(b, 1_000_000, false)}
	var buf bytes.Buffer
	if err := sig.Write(&buf, items); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(buf.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if err := sig.Write(io.Discard, items); err != nil {
			b.Fatal(err)
		}
	}
}
