// SPDX-License-Identifier: Apache-2.0

package kmer_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/kmer"
)

// TestGolden holds the hashes that mash 2.3 and sourmash 4.9.4 gave.
func TestGolden(t *testing.T) { onEveryPath(t, testGolden) }

func testGolden(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "golden", "genomics", "kmers.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "id\t") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		mode, letters, hashed := f[1], f[3], f[5]
		seed, _ := strconv.ParseUint(f[6], 10, 32)
		want, err := strconv.ParseUint(f[7], 10, 64)
		if err != nil {
			t.Fatalf("row %q: %v", line, err)
		}
		rows++
		if got := kmer.Hash([]byte(hashed), uint32(seed)); got != want {
			t.Errorf("Hash(%s, %d) = %d, want %d", hashed, seed, got, want)
		}
		if mode == "protein" {
			continue
		}
		if mode == "canonical" {
			got := make([]byte, len(letters))
			kmer.Canonical(got, []byte(strings.ToUpper(letters)))
			if string(got) != hashed {
				t.Errorf("Canonical(%s) = %s, want %s", letters, got, hashed)
			}
		}
		for _, bits := range []int{64, 32} {
			want := want
			if bits == 32 {
				want &= 1<<32 - 1
			}
			b := kmer.NewBlock(100)
			b.Append([]byte(letters))
			h := kmer.NewHasher(len(letters), mode == "canonical", bits, uint32(seed))
			h.Reset(b)
			got := drain(t, h, 10, ^uint64(0))
			if len(got) != 1 || got[0] != want {
				t.Errorf("hasher of %s, %d bits: %d, want %d", letters, bits, got, want)
			}
		}
	}
	if rows != 30 {
		t.Errorf("%d rows, want 30", rows)
	}
}
