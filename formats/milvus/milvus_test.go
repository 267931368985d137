// SPDX-License-Identifier: Apache-2.0

package milvus

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

func params(family, scheme string, k int) sketch.Params {
	p := sketch.Params{Family: family, Elements: sketch.Elements{Molecule: "text", Recipe: "words=3/norm=1"}, Size: k,
		Hash: sketch.Hash{Algorithm: "xxh3-64", Bits: 64, Seed: 1, Permutation: scheme}}
	if family == sketch.OPH {
		p.Densify = sketch.Optimal
	}
	return p
}

func of(t testing.TB, p sketch.Params, hashes ...uint64) sketch.Estimable {
	t.Helper()
	b, err := minhash.NewBuilder(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.AddHashes(hashes); err != nil {
		t.Fatal(err)
	}
	s, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return s.(sketch.Estimable)
}

func same(a, b sketch.Signature) bool {
	return a.Params() == b.Params() && slices.Equal(a.AppendSlots(nil), b.AppendSlots(nil))
}

// Bytes written down by hand, in both byte orders.
func TestLayout(t *testing.T) {
	narrow, err := minhash.New(params(sketch.KPerm, sketch.Affine32, 2), []uint64{0x01020304, 0xa0b0c0d0})
	if err != nil {
		t.Fatal(err)
	}
	p := params(sketch.KPerm, sketch.Affine32, 2)
	p.Family, p.Bits = sketch.BBit, 7
	low, err := minhash.New(p, []uint64{5, 127})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s    sketch.Signature
		l    Layout
		want string
	}{
		{narrow, BuiltIn, "04030201" + "d0c0b0a0"},
		{narrow, Layout{32, true}, "01020304" + "a0b0c0d0"},
		{narrow, Datasketch, "0000000001020304" + "00000000a0b0c0d0"},
		{narrow, Layout{64, false}, "0403020100000000" + "d0c0b0a000000000"},
		{low, Layout{8, false}, "057f"},
		{low, Layout{16, true}, "0005007f"},
	} {
		v, err := Append(nil, c.s, c.l)
		if err != nil || hex.EncodeToString(v) != c.want || 8*len(v) != c.l.Dim(2) {
			t.Errorf("%+v: %x, %v; want %s", c.l, v, err, c.want)
		}
		free := c.s.Params()
		free.Size = 0
		for _, p := range []sketch.Params{c.s.Params(), free} {
			if got, err := Parse(v, p, c.l); err != nil || !same(got, c.s) {
				t.Errorf("%+v: %v, %v", c.l, got, err)
			}
		}
		if _, err := Parse(v[:len(v)-1], c.s.Params(), c.l); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%+v: truncated: %v", c.l, err)
		}
		if _, err := Parse(append(v, 0), c.s.Params(), c.l); err == nil {
			t.Errorf("%+v: a byte too many is accepted", c.l)
		}
	}
}

func TestSharedMilvusVectors(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "golden", "milvus", "milvus.json"))
	if err != nil {
		t.Fatal(err)
	}
	var g struct {
		Functions []struct {
			Seed      uint64
			Signature []uint64
			Vector    string `json:"binary_vector_hex_u32le"`
			Dim       int    `json:"dim_bits"`
		} `json:"function_cases"`
		Layouts []struct {
			Scheme string
			Values []uint64 `json:"hashvalues"`
			Docs   string   `json:"docs_example_64bit_big_endian_hex"`
			Little string   `json:"u32_little_endian_hex"`
			Big    string   `json:"u32_big_endian_hex"`
			Dim64  int      `json:"dim_64"`
			Dim32  int      `json:"dim_32"`
		} `json:"index_layouts"`
	}
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	check := func(scheme string, slots []uint64, l Layout, want string, dim int) {
		t.Helper()
		s, err := minhash.New(params(sketch.KPerm, scheme, len(slots)), slots)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Append(nil, s, l)
		if err != nil || hex.EncodeToString(v) != want || l.Dim(len(slots)) != dim {
			t.Errorf("%s %+v: %x, %v; want %s", scheme, l, v, err, want)
		}
		if back, err := Parse(v, s.Params(), l); err != nil || !same(back, s) {
			t.Errorf("%s %+v: %v", scheme, l, err)
		}
	}
	for _, c := range g.Functions {
		check(sketch.Milvus, c.Signature, BuiltIn, c.Vector, c.Dim)
	}
	for _, c := range g.Layouts {
		check(c.Scheme, c.Values, Datasketch, c.Docs, c.Dim64)
		check(c.Scheme, c.Values, BuiltIn, c.Little, c.Dim32)
		check(c.Scheme, c.Values, Layout{32, true}, c.Big, c.Dim32)
	}
	if len(g.Functions) != 28 || len(g.Layouts) != 2 {
		t.Errorf("%d and %d cases", len(g.Functions), len(g.Layouts))
	}
}

func TestHolds(t *testing.T) {
	bare := params(sketch.OPH, "", 8)
	bare.Densify = ""
	weighted := params(sketch.ICWS, "", 8)
	weighted.Weighted = true
	for _, c := range []struct {
		p  sketch.Params
		l  Layout
		ok bool
	}{
		{params(sketch.KPerm, sketch.Milvus, 8), BuiltIn, true},
		{params(sketch.KPerm, sketch.Affine64, 8), Datasketch, true},
		{params(sketch.OPH, "", 8), Datasketch, true},
		{params(sketch.KPerm, sketch.Affine64, 8), BuiltIn, false},
		{params(sketch.KPerm, sketch.Milvus, 8), Layout{Bits: 24}, false},
		{params(sketch.KPerm, sketch.Milvus, 8), Layout{Bits: 16}, false},
		{bare, Datasketch, false},
		{weighted, Datasketch, false},
		{params(sketch.SimHash, "", 64), Datasketch, false},
		{sketch.Params{}, Datasketch, false},
	} {
		if err := c.l.Holds(c.p); (err == nil) != c.ok {
			t.Errorf("%s in %+v: %v", c.p, c.l, err)
		}
	}
}

func TestFile(t *testing.T) {
	p := params(sketch.OPH, "", 3)
	items := []sketch.Item{
		{Meta: sketch.Meta{ID: "a \"quoted\" name"}, Sketch: of(t, p, 1, 2, 3, 4, 5)},
		{Meta: sketch.Meta{Source: "b.txt"}, Sketch: of(t, p, 4, 5)},
	}
	for n := range 3 {
		var buf bytes.Buffer
		w := NewWriter(&buf, Datasketch)
		for _, it := range items[:n] {
			if err := w.Write(it); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		text := buf.String()
		if !json.Valid(buf.Bytes()) {
			t.Fatalf("not JSON: %s", text)
		}
		bare := strings.TrimSuffix(strings.TrimPrefix(text, "{\"rows\":"), "}\n")
		for _, text := range []string{text, bare} {
			got, err := Read(strings.NewReader(text), "x.json", p, Datasketch)
			if err != nil || len(got) != n {
				t.Fatalf("%d rows, %v", len(got), err)
			}
			for i, it := range got {
				if it.Meta.ID != items[i].Meta.Label() || !same(it.Sketch.(sketch.Signature), items[i].Sketch.(sketch.Signature)) {
					t.Errorf("row %d: %+v", i, it)
				}
			}
		}
		for cut := range len(strings.TrimSpace(text)) {
			_, err := Read(strings.NewReader(text[:cut]), "x.json", p, Datasketch)
			var in *sketch.InputError
			if !errors.As(err, &in) || !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%q: %v", text[:cut], err)
			}
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, s := range []string{"1", "null", `{"row":[]}`, `{"rows":{}}`, `[{"id":"a","vector":"AAAA"}]`, `[{"id":"a","vector":[256]}]`,
		`[{"id":"a","vector":[-1]}]`, `[{"id":"a","vector":[]}]`, `[] 1`, `{"rows":[],"more":1}`, `[{"id":"a","vector":[1,2,3]}]`} {
		items, err := Read(strings.NewReader(s), "x.json", params(sketch.KPerm, sketch.Milvus, 0), BuiltIn)
		var in *sketch.InputError
		if !errors.As(err, &in) {
			t.Errorf("%s: %v, %v", s, items, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"rows":[` + "\n" + `{"id":"a","vector":[1,2,3,4,5,6,7,8]}` + "\n]}\n")
	f.Add(`[]`)
	p := params(sketch.KPerm, sketch.Milvus, 0)
	f.Fuzz(func(t *testing.T, s string) {
		items, err := Read(strings.NewReader(s), "x.json", p, BuiltIn)
		if err != nil {
			return
		}
		var buf bytes.Buffer
		w := NewWriter(&buf, BuiltIn)
		for _, it := range items {
			it.Meta.Source = ""
			if err := w.Write(it); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&buf, "x.json", p, BuiltIn)
		if err != nil || len(again) != len(items) {
			t.Fatalf("%d rows, then %d, %v", len(items), len(again), err)
		}
		for i := range items {
			if items[i].Meta.ID != again[i].Meta.ID || !same(items[i].Sketch.(sketch.Signature), again[i].Sketch.(sketch.Signature)) {
				t.Fatalf("row %d: %+v, then %+v", i, items[i], again[i])
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8}, uint8(0), false)
	f.Fuzz(func(t *testing.T, data []byte, kind uint8, big bool) {
		l := Layout{Bits: 8 << (kind % 4), BigEndian: big}
		p := params(sketch.KPerm, sketch.Affine64, 0)
		switch kind / 4 % 3 {
		case 1:
			p = params(sketch.OPH, "", 0)
		case 2:
			p.Family, p.Bits = sketch.BBit, min(l.Bits, 32)
		}
		s, err := Parse(data, p, l)
		if err != nil {
			return
		}
		if back, err := Append(nil, s, l); err != nil || !bytes.Equal(back, data) {
			t.Fatalf("%x is written as %x, %v", data, back, err)
		}
	})
}
