// SPDX-License-Identifier: Apache-2.0

package kmer_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/kmer"
)

// FuzzPaths: every path gives the hashes of the reference, whatever the text,
// the pieces that it comes in, the size of the blocks, and the recipe.
func FuzzPaths(f *testing.F) {
	f.Add([]byte("ACGTACGTTTGACCA\nNNACGT"), uint8(4), uint8(0), uint16(7), uint16(100), uint8(64))
	f.Add(bytes.Repeat([]byte("ACGGTTA"), 40), uint8(21), uint8(1), uint16(50), uint16(60), uint8(60))
	f.Add(bytes.Repeat([]byte("GATTACA>"), 40), uint8(51), uint8(2), uint16(1000), uint16(400), uint8(64))
	f.Add(bytes.Repeat([]byte("AT"), 100), uint8(32), uint8(3), uint16(1), uint16(1), uint8(33))
	f.Fuzz(func(t *testing.T, text []byte, k, flags uint8, piece, capacity uint16, boundBits uint8) {
		r := recipe{k: 1 + int(k)%kmer.MaxK, canonical: flags&1 == 0, bits: 64, seed: uint32(flags) * 0x01010101}
		if flags&2 > 0 {
			r.bits = 32
		}
		bound := everything >> (64 - min(64, uint(boundBits)))
		// A '>' in the text ends a record, for the sake of the fuzzer.
		records := strings.Split(string(text), ">")
		var want []string
		for _, record := range records {
			want = append(want, string(slices.DeleteFunc([]byte(record), func(c byte) bool {
				return strings.IndexByte(" \t\n\v\f\r", c) >= 0
			})))
		}
		hashes, stats := r.reference(want, bound)
		for _, path := range kmer.PathNames {
			if !kmer.HasPath(path) {
				continue
			}
			kmer.UsePath(t, path)
			h := r.hasher()
			b := kmer.NewBlock(1 + int(capacity))
			var got []uint64
			use := func() {
				h.Reset(b)
				got = append(got, drain(t, h, 1+int(capacity)%70, bound)...)
			}
			for _, record := range records {
				rest := []byte(record)
				for len(rest) > 0 {
					n := b.Append(rest[:min(len(rest), 1+int(piece))])
					rest = rest[n:]
					if b.Full() {
						use()
						b.Carry(b, r.k-1)
					}
				}
				b.EndRecord()
			}
			use()
			checkSame(t, fmt.Sprintf("%s %+v", path, r), got, hashes)
			if h.Stats() != stats {
				t.Fatalf("%s %+v: %+v, want %+v", path, r, h.Stats(), stats)
			}
		}
	})
}

func TestRealGenomes(t *testing.T) { onEveryPath(t, realGenomes) }

// realGenomes: every window of the genomes in testdata.
func realGenomes(t *testing.T) {
	files, err := filepath.Glob("../testdata/genomes/*.fa*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no genomes in testdata: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b := kmer.NewBlock(len(text))
		var records []string
		for record := range strings.SplitSeq(string(text), ">") {
			_, lines, _ := strings.Cut(record, "\n")
			records = append(records, strings.ReplaceAll(lines, "\n", ""))
			b.Append([]byte(lines))
			b.EndRecord()
		}
		for _, r := range []recipe{{11, true, 64, 42}, {21, true, 64, 42}, {31, true, 64, 42}, {51, true, 64, 42}} {
			h := r.hasher()
			h.Reset(b)
			want, stats := r.reference(records, everything)
			checkSame(t, fmt.Sprintf("%s %+v", file, r), drain(t, h, 512, everything), want)
			if h.Stats() != stats || stats.Elements < 5000 {
				t.Errorf("%s: %+v, want %+v", file, h.Stats(), stats)
			}
		}
	}
}

// TestGenerated: the assembly is what the generator in _asm writes.
func TestGenerated(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	dir := t.TempDir()
	run := exec.Command("go", "run", ".", dir)
	run.Dir = "_asm"
	run.Env = append(os.Environ(), "GOOS=", "GOARCH=") // this machine, not what is tested
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, pattern := range []string{"*.s", filepath.Join(dir, "*.s")} {
		files, _ := filepath.Glob(pattern)
		if len(files) == 0 {
			t.Errorf("no file %s", pattern)
		}
		for _, file := range files {
			name := filepath.Base(file)
			have, err1 := os.ReadFile(name)
			want, err2 := os.ReadFile(filepath.Join(dir, name))
			if err1 != nil || err2 != nil || !bytes.Equal(have, want) {
				t.Errorf("%s is not what the generator writes (%v, %v): run go generate ./kmer", name, err1, err2)
			}
		}
	}
}
