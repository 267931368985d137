// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

func bbitOf(p sketch.Params, b int) sketch.Params {
	p.Family, p.Bits = sketch.BBit, b
	return p
}

func TestBBitBuilder(t *testing.T) {
	for _, full := range []sketch.Params{kpermParams(sketch.Affine32, 1, 21), kpermParams(sketch.Legacy, 1, 8), ophParams(100, sketch.Optimal)} {
		for _, bits := range []int{1, 8, 31} {
			p := bbitOf(full, bits)
			t.Run(p.String(), func(t *testing.T) {
				want := ophWant(full)
				if full.Family == sketch.KPerm {
					want = kpermWant(full)
				}
				sketchtest.Run(t, func() sketch.Builder { return builder(t, p) }, func(hashes []uint64) sketchtest.Values {
					v := want(hashes)
					for i := range v.Hashes {
						v.Hashes[i] &= 1<<bits - 1
					}
					return v
				})
			})
		}
	}
}

// Planes hold what was put in, and agree where slots agree.
func TestBBitSlots(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{1, 2, 63, 64, 65, 127, 128, 129, 200, 256, 400, 512, 513, 1000} {
		for bits := 1; bits <= 32; bits++ {
			p := bbitOf(ophParams(k, sketch.Optimal), bits)
			a, b := make([]uint64, k), make([]uint64, k)
			agree := 0
			for i := range a {
				a[i] = r.Uint64() >> (64 - bits)
				b[i] = a[i]
				if r.IntN(2) == 0 {
					b[i] ^= 1 << r.IntN(bits)
				} else {
					agree++
				}
			}
			x, err := NewBBit(p, a)
			if err != nil {
				t.Fatal(err)
			}
			y, err := NewBBit(p, b)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(x.AppendSlots(nil), a) {
				t.Fatalf("k=%d b=%d: other slots", k, bits)
			}
			if got := x.agree(y); got != agree {
				t.Fatalf("k=%d b=%d: %d agree, want %d", k, bits, got, agree)
			}
			if bits < 32 {
				a[k-1] = 1 << bits
				if _, err := NewBBit(p, a); err == nil {
					t.Fatalf("k=%d b=%d: a wider slot is accepted", k, bits)
				}
			}
		}
	}
}

func TestLowBitsRefuses(t *testing.T) {
	bare := finish(t, builder(t, ophParams(10, "")), []uint64{1, 2})
	if _, err := LowBits(bare, 8); err == nil {
		t.Error("the low bits of empty bins are kept")
	}
	k := finish(t, builder(t, kpermParams(sketch.Affine32, 1, 10)), []uint64{1, 2})
	for _, b := range []int{-1, 0, 33} {
		if _, err := LowBits(k, b); err == nil {
			t.Errorf("%d bits are kept", b)
		}
	}
	x, err := LowBits(k, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LowBits(x, 4); err == nil {
		t.Error("the low bits of low bits are kept")
	}
}

func TestBBitEmpty(t *testing.T) {
	for _, p := range []sketch.Params{kpermParams(sketch.Affine64, 1, 130), ophParams(130, sketch.Rotation)} {
		b := builder(t, bbitOf(p, 3))
		empty, one := finish(t, b, nil), finish(t, b, []uint64{77})
		if !empty.Empty() || one.Empty() {
			t.Errorf("%s: empty is %t, %t", p, empty.Empty(), one.Empty())
		}
		if s, err := empty.Similarity(empty, 0.95); err != nil || !math.IsNaN(s.Value) {
			t.Errorf("%s: %+v, %v", p, s, err)
		}
	}
}

// Case 22 of the collected faults: the exponent is 2^b, not 2b.
func TestSharedBBitFormula(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "cases", "text", "22-bbit-estimator-formula", "input.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct{ Jaccard []float64 }
	readShared(t, &want, "cases", "text", "22-bbit-estimator-formula", "expected.json")
	lines := bufio.NewScanner(bytes.NewReader(data))
	n := 0
	for ; lines.Scan() && len(lines.Bytes()) > 0; n++ {
		var c struct {
			B      int
			R, Raw float64
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if got := BBitJaccard(c.Raw, c.B, c.R, c.R); math.Abs(got-want.Jaccard[n]) > 1e-12 {
			t.Errorf("%+v: %v, want %v", c, got, want.Jaccard[n])
		}
	}
	if n == 0 || n != len(want.Jaccard) {
		t.Errorf("%d cases for %d values", n, len(want.Jaccard))
	}
}

// The limit for small sets, and its derivative by r, are continuous.
func TestBBitLimit(t *testing.T) {
	for b := 1; b <= 32; b++ {
		for _, p := range []float64{0, 0.3, 1} {
			limit, near := BBitJaccard(p, b, 0, 0), BBitJaccard(p, b, 1e-15, 3e-15)
			if math.Abs(limit-near) > 1e-5 {
				t.Errorf("b=%d, P=%v: %v at 0, %v near 0", b, p, limit, near)
			}
		}
	}
}

func TestSharedBBit(t *testing.T) {
	var g struct {
		Cases []struct {
			Scheme string
			B      int
			R      float64
			Raw    float64 `json:"raw_match"`
			Want   float64 `json:"jaccard_correct_formula"`
			State  string  `json:"state_hex"`
		}
	}
	readShared(t, &g, "golden", "datasketch", "bbit.json")
	for _, c := range g.Cases {
		b := builder(t, bbitOf(kpermParams(c.Scheme, 1, 130), c.B))
		x := finish(t, b, decimalHashes(0, 1000)).(*BBit)
		y := finish(t, b, decimalHashes(500, 1500)).(*BBit)
		name := fmt.Sprintf("%s b=%d r=%v", c.Scheme, c.B, c.R)
		if got := float64(x.agree(y)) / 130; math.Abs(got-c.Raw) > 1e-12 {
			t.Errorf("%s: %v agree, want %v", name, got, c.Raw)
		}
		if got := BBitJaccard(c.Raw, c.B, c.R, c.R); math.Abs(got-c.Want) > 1e-12 {
			t.Errorf("%s: J = %v, want %v", name, got, c.Want)
		}
		if s, err := x.Similarity(y, 0.95); c.R == 0 && (err != nil || math.Abs(s.Value-c.Want) > 1e-12) {
			t.Errorf("%s: J = %v, want %v; %v", name, s.Value, c.Want, err)
		}
		if c.State != "" {
			if want := peerSlots(t, c.State); !slices.Equal(x.AppendSlots(nil), want) {
				t.Errorf("%s: other slots", name)
			}
		}
	}
	if len(g.Cases) != 48 {
		t.Errorf("%d cases", len(g.Cases))
	}
}

// peerSlots unpacks the pickled state of datasketch's bBitMinHash: i64 seed, u8
// b, f64 r, i32 count (negative with a scheme byte behind it), then u64 blocks
// of equal fields, the first value in the highest one.
func peerSlots(t *testing.T, state string) []uint64 {
	t.Helper()
	s, err := hex.DecodeString(state)
	if err != nil {
		t.Fatal(err)
	}
	b, count, s := int(s[8]), int(int32(binary.LittleEndian.Uint32(s[17:]))), s[21:]
	if count < 0 {
		count, s = -count, s[1:]
	}
	field := 1
	for field < b {
		field *= 2
	}
	perBlock := 64 / field
	slots := make([]uint64, count)
	for i := range slots {
		block := binary.LittleEndian.Uint64(s[8*(i/perBlock):])
		slots[i] = block >> ((perBlock - 1 - i%perBlock) * field) & (1<<field - 1)
	}
	return slots
}
