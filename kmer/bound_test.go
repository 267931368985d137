// SPDX-License-Identifier: Apache-2.0

package kmer

import (
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// drained is what a hasher gives of a stream of blocks at a bound.
func drained(t *testing.T, h *Hasher, blocks []*Block, bound uint64) (all []uint64) {
	t.Helper()
	buf := make([]uint64, sketch.BatchSize)
	for _, b := range blocks {
		h.Reset(b)
		for {
			n, err := h.Next(buf, bound)
			all = append(all, buf[:n]...)
			if err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

// A bound leaves out what is above it and nothing else: on a long sequence, since
// one hash in a thousand is below it and a kernel looks for those alone.
func TestBoundOnLongSequence(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	seq := make([]byte, 300_000)
	for i := range seq {
		seq[i] = "ACGT"[r.IntN(4)]
		if r.IntN(5000) == 0 {
			seq[i] = 'N'
		}
	}
	var blocks []*Block
	b := NewBlock(64 << 10)
	for text := seq; ; {
		text = text[b.Append(text):]
		blocks = append(blocks, b)
		if len(text) == 0 {
			break
		}
		next := NewBlock(64 << 10)
		b.Carry(next, MaxK-1)
		b = next
	}
	b.EndRecord()
	for _, k := range []int{11, 21, 31, 51} {
		h := NewHasher(k, true, 64, 42)
		whole := drained(t, h, blocks, math.MaxUint64)
		for _, bound := range []uint64{sketch.MaxHash(1000), sketch.MaxHash(100), sketch.MaxHash(20)} {
			want := slices.DeleteFunc(slices.Clone(whole), func(x uint64) bool { return x > bound })
			if got := drained(t, h, blocks, bound); !slices.Equal(got, want) {
				t.Errorf("k = %d, bound %d: %d hashes, want %d", k, bound, len(got), len(want))
			}
		}
	}
}
