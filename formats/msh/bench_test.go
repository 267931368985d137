// SPDX-License-Identifier: Apache-2.0

package msh

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// genomes is a collection of n sketches of 1000 hashes.
func genomes(t testing.TB, n int) *sketch.List {
	t.Helper()
	p := dna(21, 1000)
	items := make([]sketch.Item, n)
	for i := range items {
		hashes := make([]uint64, 1000)
		for j := range hashes {
			hashes[j] = uint64(j)<<40 + uint64(i)
		}
		items[i] = item(t, p, sketch.Meta{ID: fmt.Sprint("genome ", i), Length: uint64(i)}, hashes, nil)
	}
	list, err := sketch.NewList(p, items)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func BenchmarkRead(b *testing.B) {
	var buf bytes.Buffer
	if err := Write(&buf, genomes(b, 1000)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(buf.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(buf.Bytes(), "bench.msh"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	list := genomes(b, 1000)
	b.SetBytes(8 * 1000 * 1000)
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(io.Discard, list); err != nil {
			b.Fatal(err)
		}
	}
}
