// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/hex"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// TestDigestExample: the worked example of docs/formats.md. The digest comes
// from "python3 testdata/check_table.py example" (xxhash 4.1.0 of PyPI, which
// is Yann Collet's C code).
func TestDigestExample(t *testing.T) {
	c := content{
		meta:       sketch.Meta{Row: 7, ID: "phi", Source: "phi.fa", Length: 5386, Records: 1, Count: 5366},
		params:     "bottomk;dna/k=21/canonical;murmur3x64/bits=64/seed=42;size=3;weighted",
		hashes:     []uint64{1, 1 << 63, 1<<64 - 1},
		abundances: []uint64{1, 2, 300},
	}
	var d digester
	for range 2 { // a digester is used again
		sum := d.digest(&c)
		if got, want := hex.EncodeToString(sum[:]), "5126275c77c57ed79e390a4bc9fec4dd"; got != want {
			t.Errorf("digest %s, want %s", got, want)
		}
	}
}

// TestWords: what is copied on little-endian machines is what the others
// compute.
func TestWords(t *testing.T) {
	if !littleEndian {
		t.Skip("SKIPPED: this machine is not little-endian and has one way only")
	}
	defer func() { littleEndian = true }()
	v := make([]uint64, 1300)
	for i := range v {
		v[i] = uint64(i+1) * 0x9e3779b97f4a7c15
	}
	bytesOf := func() (b []byte) {
		writeWords(v, func(p []byte) { b = append(b, p...) })
		return b
	}
	fast := bytesOf()
	littleEndian = false
	slow := bytesOf()
	if string(fast) != string(slow) || len(fast) != 8*len(v) {
		t.Error("writeWords differs")
	}
	back := make([]uint64, len(v))
	putWords(back, fast)
	for i := range v {
		if back[i] != v[i] {
			t.Fatalf("word %d is %x, want %x", i, back[i], v[i])
		}
	}
	items := mixed(t)
	f, err := decode(encode(t, Options{}, items), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sameItems(t, f, items, 0)
}
