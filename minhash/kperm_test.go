// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

func textParams(family string, size int, hash sketch.Hash) sketch.Params {
	return sketch.Params{Family: family, Elements: sketch.Elements{Molecule: "text", Recipe: "words=5/norm=1"}, Hash: hash, Size: size}
}

func kpermParams(scheme string, seed uint64, k int) sketch.Params {
	return textParams(sketch.KPerm, k, sketch.Hash{Algorithm: "sha1", Bits: 64, Seed: seed, Permutation: scheme})
}

// kpermWant computes a signature from the specification, one value at a time.
func kpermWant(p sketch.Params) func(hashes []uint64) sketchtest.Values {
	a, b := drawers[p.Hash.Permutation](p.Hash.Seed, p.Size)
	value := func(i int, h uint64) uint64 {
		switch p.Hash.Permutation {
		case sketch.Affine32:
			return uint64(affine32(uint32(a[i]), uint32(b[i]), uint32(h)))
		case sketch.Affine64:
			return affine64(a[i], b[i], h)
		case sketch.Legacy:
			return uint64(legacy(a[i], b[i], uint64(uint32(h))))
		}
		return uint64(legacy(a[i], b[i], h))
	}
	return func(hashes []uint64) sketchtest.Values {
		slots := make([]uint64, p.Size)
		for i := range slots {
			slots[i] = math.MaxUint64 >> (64 - p.SlotBits())
			for _, h := range hashes {
				slots[i] = min(slots[i], value(i, h))
			}
		}
		return sketchtest.Values{Hashes: slots}
	}
}

var schemes = []string{sketch.Affine32, sketch.Affine64, sketch.Legacy, sketch.Milvus}

func TestKPermBuilder(t *testing.T) {
	for _, scheme := range schemes {
		for _, k := range []int{1, 8, 21} {
			t.Run(fmt.Sprintf("%s/%d", scheme, k), func(t *testing.T) {
				p := kpermParams(scheme, 3, k)
				sketchtest.Run(t, func() sketch.Builder { return builder(t, p) }, kpermWant(p))
			})
		}
	}
}

func builder(t testing.TB, p sketch.Params) sketch.Builder {
	t.Helper()
	b, err := NewBuilder(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// finish returns the sketch of hashes.
func finish(t testing.TB, b sketch.Builder, hashes []uint64) sketch.Estimable {
	t.Helper()
	if err := b.AddHashes(hashes); err != nil {
		t.Fatal(err)
	}
	s, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return s.(sketch.Estimable)
}

// goldens is what testdata/golden.py writes: values of datasketch 2.0.0.
type goldens struct {
	Hashes map[string][]string
	KPerm  []struct {
		Scheme  string
		Seed    uint64
		K       int
		Digest  string `json:"permutations_sha256"`
		Results map[string]struct {
			Digest string `json:"sha256"`
			First  string
			Count  float64
		} `json:"sets"`
	}
	Weighted []struct {
		Dim, K  int
		Seed    uint64
		Kind    string
		Weights []float64
		Slots   []int64
	}
}

func readGoldens(t *testing.T) goldens {
	t.Helper()
	data, err := os.ReadFile("testdata/datasketch.json")
	if err != nil {
		t.Fatal(err)
	}
	var g goldens
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func digest(values ...[]uint64) string {
	var b []byte
	for _, vs := range values {
		for _, v := range vs {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func TestKPermEqualsDatasketch(t *testing.T) {
	g := readGoldens(t)
	if len(g.KPerm) != 45 {
		t.Fatalf("%d cases", len(g.KPerm))
	}
	for _, c := range g.KPerm {
		name := fmt.Sprintf("%s seed %d k %d", c.Scheme, c.Seed, c.K)
		if got := digest(drawers[c.Scheme](c.Seed, c.K)); got != c.Digest {
			t.Errorf("%s: other permutations", name)
		}
		b := builder(t, kpermParams(c.Scheme, c.Seed, c.K))
		for set, want := range c.Results {
			var hashes []uint64
			for _, s := range g.Hashes[set] {
				h, err := strconv.ParseUint(s, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				hashes = append(hashes, h)
			}
			k := finish(t, b, hashes).(*KPerm)
			slots := k.AppendSlots(nil)
			if got := digest(slots); got != want.Digest {
				t.Errorf("%s: %s: other slots; the first is %d, want %s", name, set, slots[0], want.First)
			}
			if math.Abs(k.PeerCount()-want.Count) > 1e-9*want.Count {
				t.Errorf("%s: %s: count %v, want %v", name, set, k.PeerCount(), want.Count)
			}
			if k.Empty() != (set == "empty") {
				t.Errorf("%s: %s: empty is %t", name, set, k.Empty())
			}
		}
	}
}

func TestKPermUnion(t *testing.T) {
	for _, scheme := range schemes {
		b := builder(t, kpermParams(scheme, 1, 50))
		x := finish(t, b, []uint64{1, 2, 3}).(*KPerm)
		y := finish(t, b, []uint64{3, 4, 5}).(*KPerm)
		want := finish(t, b, []uint64{1, 2, 3, 4, 5})
		u, err := x.Union(y)
		if err != nil {
			t.Fatal(err)
		}
		if s, err := u.Similarity(want, 0.95); err != nil || s.Value != 1 {
			t.Errorf("%s: %+v, %v", scheme, s, err)
		}
		if u.Params() != x.Params() {
			t.Errorf("%s: %v", scheme, u.Params())
		}
	}
}

func TestKPermRefusesOthers(t *testing.T) {
	b := builder(t, kpermParams(sketch.Affine32, 1, 16))
	s := finish(t, b, []uint64{1}).(*KPerm)
	for _, p := range []sketch.Params{kpermParams(sketch.Legacy, 1, 16), kpermParams(sketch.Affine32, 2, 16), kpermParams(sketch.Affine32, 1, 17)} {
		o := builder(t, p)
		if err := b.Merge(o); !errors.Is(err, sketch.ErrIncompatible) {
			t.Errorf("%s: merged: %v", p, err)
		}
		other := finish(t, o, []uint64{1}).(*KPerm)
		if _, err := s.Similarity(other, 0.95); !errors.Is(err, sketch.ErrIncompatible) {
			t.Errorf("%s: compared: %v", p, err)
		}
		if _, err := s.Union(other); !errors.Is(err, sketch.ErrIncompatible) {
			t.Errorf("%s: united: %v", p, err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	p := kpermParams(sketch.Affine32, 1, 2)
	for name, c := range map[string]struct {
		p     sketch.Params
		slots []uint64
	}{
		"too few slots":  {p, []uint64{1}},
		"too many slots": {p, []uint64{1, 2, 3}},
		"33 bits":        {p, []uint64{1, 1 << 32}},
		"unknown scheme": {kpermParams("affine16", 1, 2), []uint64{1, 2}},
		"hash set":       {textParams(sketch.BottomK, 2, sketch.Hash{Algorithm: "sha1", Bits: 64}), []uint64{1, 2}},
	} {
		if _, err := New(c.p, c.slots); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if name != "too few slots" && name != "too many slots" && name != "33 bits" {
			if _, err := NewBuilder(c.p); err == nil {
				t.Errorf("%s: built", name)
			}
		}
	}
}

// Permutations that numpy cannot draw are their writer's own.
func TestSeedsOutsideNumpy(t *testing.T) {
	p := kpermParams(sketch.Affine32, 1<<32, 2)
	if _, err := New(p, []uint64{1, 2}); err != nil {
		t.Error(err)
	}
	if _, err := NewBuilder(p); err == nil {
		t.Error("built")
	}
}

// Two empty sets have no Jaccard index; an empty one shares nothing with another.
func TestEmptySimilarity(t *testing.T) {
	b := builder(t, kpermParams(sketch.Affine64, 1, 16))
	empty, one := finish(t, b, nil), finish(t, b, []uint64{1})
	if s, err := empty.Similarity(empty, 0.95); err != nil || !math.IsNaN(s.Value) || !math.IsNaN(s.Low) {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := empty.Similarity(one, 0.95); err != nil || s != (sketch.Similarity{}) {
		t.Errorf("%+v, %v", s, err)
	}
}

// foreign is a signature that is of no type of this package.
type foreign struct{ sketch.Signature }

func TestSimilarityToForeignSignature(t *testing.T) {
	b := builder(t, kpermParams(sketch.Affine64, 1, 16))
	one := finish(t, b, []uint64{1})
	if s, err := one.Similarity(foreign{one}, 0.95); err != nil || s.Value != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestKPermAllocatesNothingPerHash(t *testing.T) {
	hashes := make([]uint64, 1000)
	for i := range hashes {
		hashes[i] = mix.Bits64(uint64(i))
	}
	for _, scheme := range schemes {
		b := builder(t, kpermParams(scheme, 1, 128))
		if n := testing.AllocsPerRun(10, func() { b.AddHashes(hashes) }); n != 0 {
			t.Errorf("%s: %v allocations", scheme, n)
		}
	}
}

func TestStandardError(t *testing.T) {
	for k, want := range map[int]float64{128: 0.044, 400: 0.025} {
		if got := StandardError(k); math.Abs(got-want) > 0.0005 {
			t.Errorf("%d slots: %v, want %v", k, got, want)
		}
	}
}
