// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func slotParams(family string, size, bits int, perm string) Params {
	return Params{Family: family, Elements: Elements{Molecule: "text", Recipe: "words=5/norm=1"},
		Hash: Hash{"xxh3-64", 64, 1, perm}, Size: size, Bits: bits, Weighted: family == ICWS}
}

// Every width: each slot at its bit of the stream, nothing else.
func TestSlotBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var all []Params
	for bits := 1; bits <= 32; bits++ {
		all = append(all, slotParams(BBit, 1+r.IntN(200), bits, Affine64))
	}
	for _, size := range []int{1, 2, 3, 128} {
		all = append(all, slotParams(KPerm, size, 0, Affine32), slotParams(KPerm, size, 0, Affine64), slotParams(ICWS, size, 0, ""))
	}
	all = append(all, slotParams(SimHash, 64, 0, ""), slotParams(SimHash, 128, 0, ""))
	for _, p := range all {
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		width := p.SlotBits()
		slots := make([]uint64, p.Size*p.Stride())
		for i := range slots {
			slots[i] = r.Uint64() >> (64 - width)
		}
		b := p.AppendSlotBytes([]byte("x"), slots)[1:]
		for i := range len(slots) * width {
			if got, want := b[i/8]>>(i%8)&1, byte(slots[i/width]>>(i%width)&1); got != want {
				t.Fatalf("%s: bit %d is %d", p, i, got)
			}
		}
		got, err := p.ParseSlotBytes(b)
		if err != nil || !slices.Equal(got, slots) {
			t.Fatalf("%s: %v, %v; want %v", p, got, err, slots)
		}
		if _, err := p.ParseSlotBytes(b[:len(b)-1]); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: truncated: %v", p, err)
		}
		if _, err := p.ParseSlotBytes(append(slices.Clone(b), 0)); err == nil {
			t.Errorf("%s: a byte too many is accepted", p)
		}
		if len(slots)*width%8 != 0 {
			b[len(b)-1] |= 0x80
			if _, err := p.ParseSlotBytes(b); err == nil {
				t.Errorf("%s: a bit behind the last slot is accepted", p)
			}
		}
	}
}

func TestSlotBytesAreLittleEndian(t *testing.T) {
	p := slotParams(KPerm, 128, 0, Affine32)
	slots := make([]uint64, 128)
	var want []byte
	for i := range slots {
		slots[i] = uint64(i) * 0x01020304
		want = binary.LittleEndian.AppendUint32(want, uint32(slots[i]))
	}
	if got := p.AppendSlotBytes(nil, slots); !bytes.Equal(got, want) || len(got) != 512 || p.SlotBytes() != 512 {
		t.Errorf("%d bytes, want 512 little-endian", len(got))
	}
}

func TestSlotFamiliesNotComparable(t *testing.T) {
	p := slotParams(KPerm, 128, 0, Affine32)
	for want, change := range map[string]func(*Params){
		"hash":     func(q *Params) { q.Hash.Permutation = Legacy },
		"seed=2":   func(q *Params) { q.Hash.Seed = 2 },
		"size":     func(q *Params) { q.Size = 256 },
		"sha1":     func(q *Params) { q.Hash.Algorithm = "sha1" },
		"elements": func(q *Params) { q.Elements.Recipe = "chars=5/norm=1" },
		"weighted": func(q *Params) { q.Weighted = true },
		"scaled":   func(q *Params) { q.Scaled = 10 },
		"sampled":  func(q *Params) { q.Sampled = 10 },
		"densify":  func(q *Params) { q.Densify = Optimal },
	} {
		q := p
		change(&q)
		if err := p.Comparable(q); !errors.Is(err, ErrIncompatible) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestValidateSlots(t *testing.T) {
	oph := slotParams(OPH, 128, 0, "")
	oph.Densify = Optimal
	bbit := oph
	bbit.Family, bbit.Bits = BBit, 8
	ofScaled, ofBottomK := oph, oph
	ofScaled.Scaled, ofBottomK.Sampled = 1000, 1000
	for _, p := range []Params{oph, bbit, ofScaled, ofBottomK, slotParams(BBit, 1, 32, Affine32), slotParams(KPerm, 128, 0, Legacy),
		slotParams(ICWS, 64, 0, ""), slotParams(ICWS, 64, 0, "numpy:5"), slotParams(SimHash, 64, 0, "")} {
		got, err := ParseParams(p.String())
		if err != nil || got != p {
			t.Errorf("%s: %+v, %v", p, got, err)
		}
	}
	for name, c := range map[string]struct {
		p      Params
		change func(*Params)
	}{
		"no size":                  {oph, func(q *Params) { q.Size = 0 }},
		"too many slots":           {oph, func(q *Params) { q.Size = MaxSlots + 1 }},
		"bits of oph":              {oph, func(q *Params) { q.Bits = 8 }},
		"weighted oph":             {oph, func(q *Params) { q.Weighted = true }},
		"densified somehow":        {oph, func(q *Params) { q.Densify = "random" }},
		"permuted oph":             {oph, func(q *Params) { q.Hash.Permutation = Affine32 }},
		"of both":                  {ofScaled, func(q *Params) { q.Sampled = 1000 }},
		"kperm unpermuted":         {oph, func(q *Params) { q.Family, q.Densify = KPerm, "" }},
		"kperm densified":          {oph, func(q *Params) { q.Family, q.Hash.Permutation = KPerm, Legacy }},
		"kperm of 32-bit hashes":   {slotParams(KPerm, 128, 0, Affine64), func(q *Params) { q.Hash.Bits = 32 }},
		"scaled kperm":             {slotParams(KPerm, 128, 0, Affine64), func(q *Params) { q.Scaled = 10 }},
		"bbit of 0 bits":           {bbit, func(q *Params) { q.Bits = 0 }},
		"bbit of 33 bits":          {bbit, func(q *Params) { q.Bits = 33 }},
		"bbit of empty bins":       {bbit, func(q *Params) { q.Densify = "" }},
		"icws of sets":             {slotParams(ICWS, 64, 0, ""), func(q *Params) { q.Weighted = false }},
		"icws permuted":            {slotParams(ICWS, 64, 0, Affine32), func(*Params) {}},
		"icws without dimensions":  {slotParams(ICWS, 64, 0, "numpy:0"), func(*Params) {}},
		"simhash of 100":           {slotParams(SimHash, 64, 0, ""), func(q *Params) { q.Size = 100 }},
		"simhash with permutation": {slotParams(SimHash, 64, 0, Affine32), func(*Params) {}},
		"unknown family":           {oph, func(q *Params) { q.Family = "hyperminhash" }},
		"bottom-k densified": {Params{Family: BottomK, Elements: DNAElements(21), Hash: Murmur3(64, 42), Size: 10},
			func(q *Params) { q.Densify = Optimal }},
	} {
		c.change(&c.p)
		if c.p.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
