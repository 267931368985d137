// SPDX-License-Identifier: Apache-2.0

package lean

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// words are elements that the bytes say nothing about.
var words = sketch.Params{Elements: sketch.Elements{Molecule: "text", Recipe: "words=1/norm=1"}, Hash: sketch.Hash{Algorithm: "sha1"}}

var layouts = map[string]Layout{"<": Little, "=": Little, ">": Big, "!": Big, "@": Native}

func params(scheme string, seed uint64, k int) sketch.Params {
	return sketch.Params{Family: sketch.KPerm, Elements: words.Elements, Size: k,
		Hash: sketch.Hash{Algorithm: "sha1", Bits: 64, Seed: seed, Permutation: scheme}}
}

// check encodes and decodes what datasketch wrote.
func check(t *testing.T, scheme string, seed uint64, slots []string, order, want string) {
	t.Helper()
	l, ok := layouts[order]
	if !ok {
		t.Fatalf("unknown byte order %q", order)
	}
	values := make([]uint64, len(slots))
	for i, s := range slots {
		v, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		values[i] = v
	}
	k, err := minhash.NewKPerm(params(scheme, seed, len(slots)), values)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("%s seed %d k %d %s", scheme, seed, len(slots), order)
	b, err := Append(nil, k, l)
	if err != nil || hex.EncodeToString(b) != want {
		t.Fatalf("%s: %x, %v; want %s", name, b, err, want)
	}
	got, rest, err := Decode(append(b, 7), words, l)
	if err != nil || !bytes.Equal(rest, []byte{7}) || got.Params() != k.Params() || !slices.Equal(got.AppendSlots(nil), values) {
		t.Fatalf("%s: decoded to %v, rest %v, %v", name, got, rest, err)
	}
	for n := range b {
		if _, _, err := Decode(b[:n], words, l); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%s: %d of %d bytes: %v", name, n, len(b), err)
		}
	}
}

func TestAgainstDatasketch(t *testing.T) {
	data, err := os.ReadFile("testdata/lean.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Scheme string
		Seed   uint64
		Slots  []string
		Bytes  map[string]string
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for order, want := range c.Bytes {
			check(t, c.Scheme, c.Seed, c.Slots, order, want)
		}
	}
	if len(cases) != 9 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestSharedLeanMinHash(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "golden", "datasketch", "lean_minhash.json"))
	if err != nil {
		t.Fatal(err)
	}
	var g struct {
		Cases []struct {
			Scheme string
			Seed   int64
			Slots  []string `json:"hashvalues"`
			Bytes  map[string]struct{ Hex string }
		}
	}
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	for _, c := range g.Cases {
		for order, want := range c.Bytes {
			check(t, c.Scheme, uint64(c.Seed), c.Slots, order, want.Hex)
		}
	}
	if len(g.Cases) != 27 {
		t.Errorf("%d cases", len(g.Cases))
	}
}

func TestFile(t *testing.T) {
	for _, l := range []Layout{Little, Big, Native} {
		var buf bytes.Buffer
		w := NewWriter(&buf, l)
		var want []sketch.Sketch
		for i, scheme := range []string{sketch.Legacy, sketch.Affine64, sketch.Affine32} {
			b, err := minhash.NewBuilder(params(scheme, 1, 5+i))
			if err != nil {
				t.Fatal(err)
			}
			if err := b.AddHashes([]uint64{1, 2, 3}); err != nil {
				t.Fatal(err)
			}
			s, err := b.Finish()
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, s)
			if err := w.Write(sketch.Item{Sketch: s}); err != nil {
				t.Fatal(err)
			}
		}
		items, err := Read(buf.Bytes(), "x.lean", words, l)
		if err != nil || len(items) != len(want) {
			t.Fatalf("%d items, %v", len(items), err)
		}
		for i, it := range items {
			if s, err := it.Sketch.(sketch.Estimable).Similarity(want[i].(sketch.Signature), 0.95); err != nil || s.Value != 1 {
				t.Errorf("layout %d: item %d: %+v, %v", l, i, s, err)
			}
		}
		_, err = Read(buf.Bytes()[:buf.Len()-1], "x.lean", words, l)
		var in *sketch.InputError
		if !errors.As(err, &in) || in.Record != 3 || in.Path != "x.lean" || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("truncated: %v", err)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	k, err := minhash.NewKPerm(params(sketch.Milvus, 1, 2), []uint64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	p := params("", 1, 2)
	p.Family = sketch.OPH
	b, err := minhash.NewBuilder(p)
	if err != nil {
		t.Fatal(err)
	}
	o, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []sketch.Sketch{k, o} {
		if err := NewWriter(io.Discard, Little).Write(sketch.Item{Sketch: s}); err == nil {
			t.Errorf("%s is written", s.Params())
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	k, err := minhash.NewKPerm(params(sketch.Affine32, 1, 2), []uint64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		write, read Layout
		change      func([]byte)
	}{
		"another byte order":   {Little, Big, func([]byte) {}},
		"not padded":           {Little, Native, func([]byte) {}},
		"unknown scheme":       {Little, Little, func(b []byte) { b[12] = 3 }},
		"padding":              {Native, Native, func(b []byte) { b[14] = 1 }},
		"two thousand million": {Little, Little, func(b []byte) { b[11] = 0x80 }},
		"no slots":             {Little, Little, func(b []byte) { copy(b[8:], []byte{0, 0, 0, 0}) }},
	} {
		b, err := Append(nil, k, c.write)
		if err != nil {
			t.Fatal(err)
		}
		c.change(b)
		if got, _, err := Decode(append(b, make([]byte, 100)...), words, c.read); err == nil {
			t.Errorf("%s: read as %s", name, got.Params())
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, scheme := range []string{sketch.Legacy, sketch.Affine32, sketch.Affine64} {
		k, err := minhash.NewKPerm(params(scheme, 1, 3), []uint64{1, 2, 3})
		if err != nil {
			f.Fatal(err)
		}
		for _, l := range []Layout{Little, Big, Native} {
			b, err := Append(nil, k, l)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b, int(l))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, layout int) {
		l := Layout(uint(layout) % 3)
		k, rest, err := Decode(data, words, l)
		if err != nil {
			return
		}
		b, err := Append(nil, k, l)
		if err != nil || !bytes.Equal(b, data[:len(data)-len(rest)]) {
			t.Fatalf("%x is written as %x, %v", data[:len(data)-len(rest)], b, err)
		}
	})
}
