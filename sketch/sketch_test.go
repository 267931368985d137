// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParamsSpelling(t *testing.T) {
	for _, p := range []Params{
		{Family: BottomK, Elements: DNAElements(21), Hash: Murmur3(64, 42), Size: 1000},
		{Family: FracMinHash, Elements: Elements{Molecule: Protein, K: 10}, Hash: Murmur3(64, 0), Scaled: 200, Weighted: true},
		{Family: BottomK, Elements: Elements{Molecule: Letters, K: 9, Alphabet: "/;=ACGT", PreserveCase: true}, Hash: Murmur3(32, math.MaxUint32), Size: 1},
		{Family: "kperm", Elements: Elements{Molecule: "text", Recipe: "words=5/norm=1"}, Hash: Hash{"xxh3-64", 64, 1, "affine32"}, Size: 128},
	} {
		got, err := ParseParams(p.String())
		if err != nil || got != p {
			t.Errorf("%q: %+v, %v", p.String(), got, err)
		}
	}
	const want = "bottomk;dna/k=21/canonical;murmur3x64/bits=64/seed=42;size=1000"
	if got := (Params{Family: BottomK, Elements: DNAElements(21), Hash: Murmur3(64, 42), Size: 1000}).String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseParamsRefuses(t *testing.T) {
	for _, s := range []string{
		"", "bottomk", "bottomk;dna/k=21;murmur3x64/bits=64/seed=42",
		"bottomk;dna/k=0;murmur3x64/bits=64/seed=42;size=10",
		"bottomk;dna/k=021;murmur3x64/bits=64/seed=42;size=10",
		"bottomk;dna/k=21;murmur3x64/seed=42/bits=64;size=10",
		"bottomk;dna/k=21;murmur3x64/bits=65/seed=42;size=10",
		"bottomk;rna/k=21;murmur3x64/bits=64/seed=42;size=10",
		"bottomk;dna/k=21;murmur3x64/bits=64/seed=42;size=-1",
		"bottomk;dna/k=21;murmur3x64/bits=64/seed=42;size=10;scaled=10",
		"fracminhash;dna/k=21;murmur3x64/bits=64/seed=42;size=10",
		"bottomk;alphabet=TGCA/k=21;murmur3x64/bits=64/seed=42;size=10",
		"bottomk;dna/k=21;murmur3x64/bits=64/seed=42;size=10;colour=blue",
		"bottomk;dna/k=21;murmur3x64/bits=64/seed=42;size=10;size=10",
	} {
		if p, err := ParseParams(s); err == nil {
			t.Errorf("%q: accepted as %+v", s, p)
		}
	}
}

func FuzzParseParams(f *testing.F) {
	f.Add("bottomk;dna/k=21/canonical;murmur3x64/bits=64/seed=42;size=1000")
	f.Add("fracminhash;alphabet=AC%2F/k=9/case;murmur3x64/bits=64/seed=1;scaled=7;weighted")
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := ParseParams(s); err == nil && p.String() != s {
			t.Fatalf("%q is read as %q", s, p.String())
		}
	})
}

func TestMaxHash(t *testing.T) {
	// Values that sourmash 4.9.4 stores.
	for scaled, want := range map[uint64]uint64{0: 0, 1: math.MaxUint64, 100: 184467440737095520, 1000: 18446744073709552, 10000: 1844674407370955} {
		if got := MaxHash(scaled); got != want {
			t.Errorf("MaxHash(%d) = %d, want %d", scaled, got, want)
		}
	}
	for s := uint64(1); s <= 1_000_000; s++ {
		if got := ScaledOf(MaxHash(s)); got != s {
			t.Fatalf("ScaledOf(MaxHash(%d)) = %d", s, got)
		}
	}
}

func TestMashBits(t *testing.T) {
	for _, c := range []struct {
		e    Elements
		bits int
	}{
		{DNAElements(16), 32}, {DNAElements(17), 64},
		{Elements{Molecule: Letters, K: 7, Alphabet: MashProtein}, 32}, {Elements{Molecule: Letters, K: 8, Alphabet: MashProtein}, 64},
		{Elements{Molecule: Letters, K: 13, Alphabet: "ACGNT"}, 32}, {Elements{Molecule: Letters, K: 14, Alphabet: "ACGNT"}, 64},
	} {
		if got := c.e.MashBits(); got != c.bits {
			t.Errorf("%v: %d bits, want %d", c.e, got, c.bits)
		}
	}
}

func TestComparable(t *testing.T) {
	p := Params{Family: BottomK, Elements: DNAElements(21), Hash: Murmur3(64, 42), Size: 1000}
	q := p
	q.Size, q.Weighted = 400, true
	if err := p.Comparable(q); err != nil {
		t.Errorf("sizes reconcile: %v", err)
	}
	q.Elements.K = 31
	err := p.Comparable(q)
	if !errors.Is(err, ErrIncompatible) || !strings.Contains(err.Error(), "elements: dna/k=21/canonical, dna/k=31/canonical") {
		t.Errorf("%v", err)
	}
}

func TestInputErrorIsOneLine(t *testing.T) {
	err := &InputError{Path: "x.fq", Record: 6, Name: "m5\nrm", Offset: 1234, Err: errors.New("unexpected end of file")}
	if got, want := err.Error(), "x.fq: record 6 (m5 rm), byte 1234: unexpected end of file"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The filter may take an unseen hash for a seen one, never the reverse, and at
// about the rate it tells.
func TestApproximateFilter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tally := NewTally(Counting{FilterBytes: 1 << 14})
	const n = 20000
	twice := map[uint64]bool{}
	for range n {
		h := r.Uint64() >> 10
		for i := 0; i < 2; i++ {
			if err := tally.Add(h, 1); err != nil {
				t.Fatal(err)
			}
		}
		twice[h] = true
	}
	rate := tally.FalsePositives()
	const fresh = 20000
	for range fresh {
		if err := tally.Add(r.Uint64()>>10|1<<63, 1); err != nil {
			t.Fatal(err)
		}
	}
	wrong := 0
	found := 0
	err := tally.Each(func(h, c uint64) bool {
		switch {
		case twice[h]:
			found++
			if c < 2 || c > 3 { // 3 where the first sighting was a false positive
				t.Fatalf("hash seen twice counted %d times", c)
			}
		default:
			wrong++
		}
		return true
	})
	if err != nil || found != n {
		t.Fatalf("%d of %d hashes seen twice were found; %v", found, n, err)
	}
	// The filter fills up while the fresh hashes go in, so the rate lies
	// between that before and that after.
	if lo, hi := rate*fresh*0.8, tally.FalsePositives()*fresh*1.2; float64(wrong) < lo || float64(wrong) > hi {
		t.Fatalf("%d of %d slipped in, outside %.0f..%.0f", wrong, fresh, lo, hi)
	}
}
