// SPDX-License-Identifier: Apache-2.0

package kmer_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/kmer"
	"github.com/gsketch/gsketch/sketch"
)

// thinned are the records that skip-mers of m letters in 3 are plain k-mers of.
func thinned(m int, records []string) (all []string) {
	for _, r := range records {
		for f := range min(3, len(r)) {
			var kept []byte
			for i := range len(r) - f {
				if i%3 < m {
					kept = append(kept, r[f+i])
				}
			}
			all = append(all, string(kept))
		}
	}
	return all
}

func TestSkipmers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		m := 1 + rng.IntN(2)
		r := recipe{k: 1 + rng.IntN(kmer.MaxK), canonical: rng.IntN(4) > 0, bits: 64, seed: 42}
		var records []string
		for range rng.IntN(5) {
			records = append(records, randomBases(rng, rng.IntN(500), 0.01))
		}
		capacity := 1 + rng.IntN(400)
		h := kmer.NewSkipHasher(r.k, r.canonical, r.bits, r.seed)
		lead, s := kmer.NewBlock(capacity), kmer.NewSkipBlock(m, capacity)
		var got []uint64
		use := func() {
			h.Reset(s)
			dst := make([]uint64, 1+rng.IntN(40))
			for {
				n, err := h.Next(dst, everything)
				got = append(got, dst[:n]...)
				if err == io.EOF {
					return
				}
			}
		}
		for _, record := range records {
			text := []byte(record)
			if len(text) > 0 {
				text = slices.Insert(text, rng.IntN(len(text)), '\n')
			}
			for len(text) > 0 {
				n := lead.Append(text)
				s.Append(text[:n])
				if text = text[n:]; len(text) > 0 {
					use()
					lead.Carry(lead, kmer.MaxK-1)
					s.Carry(s, kmer.MaxK-1)
				}
			}
			lead.EndRecord()
			s.EndRecord()
		}
		use()
		want, stats := r.reference(thinned(m, records), everything)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) || h.Stats() != stats {
			t.Fatalf("m = %d, %+v: %d hashes %+v, want %d %+v", m, r, len(got), h.Stats(), len(want), stats)
		}
	}
}

// A skip-mer leaves out what stands between: the third letter of three may be
// anything.
func TestSkipmersIgnoreTheThirdLetter(t *testing.T) {
	hashes := func(text string) []uint64 {
		s := kmer.NewSkipBlock(2, 100)
		s.Append([]byte(text))
		s.EndRecord()
		h := kmer.NewSkipHasher(4, false, 64, 42)
		h.Reset(s)
		dst := make([]uint64, sketch.BatchSize)
		n, _ := h.Next(dst, everything)
		return dst[:n]
	}
	want := kmer.Hash([]byte("ACTG"), 42)
	for _, text := range []string{"ACGTG", "ACATG", "ACNTG"} {
		if got := hashes(text); !slices.Contains(got, want) {
			t.Errorf("%s: %d", text, got)
		}
	}
	if !bytes.Equal([]byte("ACTG"), []byte(thinned(2, []string{"ACGTG"})[0])) {
		t.Error("the reference thins otherwise")
	}
}
