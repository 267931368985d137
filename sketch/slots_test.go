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
		all = append(all, slotParams(KPerm, size, 0, Affine32), slotParams(KPerm, size, 0, Affine64), slotParams(ICWS, size, 0, Hashed))
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
	} {
		q := p
		change(&q)
		if err := p.Comparable(q); !errors.Is(err, ErrIncompatible) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestValidateSlots(t *testing.T) {
	for name, change := range map[string]func(*Params){
		"no size":         func(q *Params) { q.Size = 0 },
		"too many slots":  func(q *Params) { q.Size = MaxSlots + 1 },
		"bits of kperm":   func(q *Params) { q.Bits = 8 },
		"weighted kperm":  func(q *Params) { q.Weighted = true },
		"scaled kperm":    func(q *Params) { q.Scaled = 10 },
		"bbit of 0 bits":  func(q *Params) { q.Family = BBit },
		"bbit of 33 bits": func(q *Params) { q.Family, q.Bits = BBit, 33 },
		"icws of sets":    func(q *Params) { q.Family = ICWS },
		"simhash of 100":  func(q *Params) { q.Family, q.Size = SimHash, 100 },
		"unknown family":  func(q *Params) { q.Family = "hyperminhash" },
	} {
		p := slotParams(KPerm, 128, 0, Affine32)
		change(&p)
		if p.Validate() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
