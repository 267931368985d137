// SPDX-License-Identifier: Apache-2.0

package kmer_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/gsketch/gsketch/kmer"
)

func TestAppendCounts(t *testing.T) { onEveryPath(t, appendCounts) }

// appendCounts: how much is taken, and what is counted, for texts of every
// length around a vector and a block with room for all, some or none.
func appendCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for length := range 300 {
		text := []byte(randomBases(rng, length, 0.05))
		for i := range text {
			if rng.IntN(20) == 0 {
				text[i] = " \t\n\v\f\r"[rng.IntN(6)]
			}
		}
		for _, room := range []int{1, length / 2, length, length + 100} {
			b := kmer.NewBlock(max(room, 1))
			taken := b.Append(text)
			var bad [256]uint64
			letters := uint64(0)
			for _, c := range text[:taken] {
				if bytes.IndexByte([]byte(" \t\n\v\f\r"), c) >= 0 {
					continue
				}
				letters++
				if bytes.IndexByte([]byte("ACGTacgt"), c) >= 0 {
					continue
				}
				if 'a' <= c && c <= 'z' {
					c -= 'a' - 'A'
				}
				bad[c]++
			}
			if taken < length && (!b.Full() || bytes.IndexByte([]byte(" \t\n\v\f\r"), text[taken]) >= 0) {
				t.Fatalf("length %d, room %d: %d bytes taken", length, room, taken)
			}
			if b.Bases() != letters || b.Len() != int(letters) || *b.Bad() != bad {
				t.Fatalf("length %d, room %d: %d bases, want %d; bad %v, want %v", length, room, b.Bases(), letters, *b.Bad(), bad)
			}
		}
	}
}

func TestEmpty(t *testing.T) { onEveryPath(t, empty) }

// empty: nothing, white space and empty records take no room and have no hash.
func empty(t *testing.T) {
	b := kmer.NewBlock(5)
	h := kmer.NewHasher(1, true, 64, 42)
	for range 10 {
		if n := b.Append([]byte(" \r\n")); n != 3 {
			t.Fatalf("%d of 3 bytes of white space taken", n)
		}
		b.EndRecord()
	}
	h.Reset(b)
	if got := drain(t, h, 10, everything); len(got) > 0 || b.Len() != 0 || b.Full() {
		t.Errorf("%d hashes of nothing, Len = %d, Full = %t", len(got), b.Len(), b.Full())
	}
	if got := h.Stats(); got.Elements != 0 {
		t.Errorf("%+v of nothing", got)
	}
}

func TestRNA(t *testing.T) { onEveryPath(t, rna) }

func rna(t *testing.T) {
	const text = "ACGUacguUUUUGGGACTTTTTuuuuuuuuuuuuuuuuuuuuuAGCUGAUCGUAGCUGAUCGUAUCGUACGUAGCUAGUC"
	asDNA := bytes.ReplaceAll(bytes.ReplaceAll([]byte(text), []byte("U"), []byte("T")), []byte("u"), []byte("t"))
	r := recipe{9, true, 64, 42}
	b := kmer.NewBlock(1000)
	for _, on := range []bool{true, false} {
		b.Reset()
		b.RNA(on)
		b.Append([]byte(text))
		h := r.hasher()
		h.Reset(b)
		want, stats := r.reference([]string{text}, everything)
		wantU := uint64(bytes.Count(bytes.ToUpper([]byte(text)), []byte("U")))
		if on {
			want, stats = r.reference([]string{string(asDNA)}, everything)
			wantU = 0
		}
		checkSame(t, "hashes", drain(t, h, 10, everything), want)
		if h.Stats() != stats {
			t.Errorf("RNA(%t): %+v, want %+v", on, h.Stats(), stats)
		}
		if got := b.Bad()['U']; got != wantU {
			t.Errorf("RNA(%t): %d bad U, want %d", on, got, wantU)
		}
	}
}

func TestCarryToItself(t *testing.T) { onEveryPath(t, carryToItself) }

// carryToItself: one block serves a record of any length.
func carryToItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	record := randomBases(rng, 5000, 0.003)
	r := recipe{31, true, 64, 42}
	h := r.hasher()
	b := kmer.NewBlock(300)
	var got []uint64
	for text := []byte(record); len(text) > 0; b.Carry(b, 30) {
		text = text[b.Append(text):]
		h.Reset(b)
		got = append(got, drain(t, h, 100, everything)...)
	}
	want, stats := r.reference([]string{record}, everything)
	checkSame(t, "hashes", got, want)
	if h.Stats() != stats {
		t.Errorf("%+v, want %+v", h.Stats(), stats)
	}
}
