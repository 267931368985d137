// SPDX-License-Identifier: Apache-2.0

package sig_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

// The values of md5sum in these tests are of Python's hashlib, or written by
// sourmash 4.9.
const (
	emptyK21 = "3c59dc048e8850243be8079a5c74d079" // of "21"
	k21      = "a0bc671c2bbe978c889ab37f2c4b72b1" // of "21512": hashes 5, 12
	k11      = "646c9941d7fb1bc793a7929328ae3f2f" // of "11512"
)

// one is a signature file with these fields of the sketch and of the envelope.
func one(sketch, envelope string) string {
	return `[{"class":"sourmash_signature","email":"","hash_function":"0.murmur64",` + envelope +
		`"license":"CC0","signatures":[{` + sketch + `}],"version":0.4}]`
}

const dnaFields = `"ksize":21,"seed":42,"molecule":"DNA",`

func read(text string) ([]sketch.Item, error) {
	return sig.Read(strings.NewReader(text), "t.sig")
}

func TestReadFields(t *testing.T) {
	fmh := sketch.Params{Family: sketch.FracMinHash, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Scaled: 1000}
	weighted := fmh
	weighted.Weighted = true
	num := sketch.Params{Family: sketch.BottomK, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: 500}
	protein := fmh
	protein.Elements = sketch.Elements{Molecule: sketch.Protein, K: 7}
	residues3 := fmh
	residues3.Elements = sketch.Elements{Molecule: sketch.Protein, K: 3}
	hashes := `"mins":[5,12],"md5sum":"` + k21 + `"`
	for _, c := range []struct {
		name, fields string
		want         sketch.Params
		abundances   []uint64
	}{
		{"scaled", dnaFields + `"num":0,"max_hash":18446744073709552,` + hashes, fmh, nil},
		{"max_hash one less", dnaFields + `"num":0,"max_hash":18446744073709551,` + hashes, fmh, nil},
		{"num", dnaFields + `"num":500,"max_hash":0,` + hashes, num, nil},
		{"old: both, num has no effect", dnaFields + `"num":4294967295,"max_hash":18446744073709552,` + hashes, fmh, nil},
		{"abundances", dnaFields + `"num":0,"max_hash":18446744073709552,"abundances":[3,1],` + hashes, weighted, []uint64{3, 1}},
		{"abundances null", dnaFields + `"num":0,"max_hash":18446744073709552,"abundances":null,` + hashes, fmh, nil},
		{"old: not sorted", dnaFields + `"num":0,"max_hash":18446744073709552,"mins":[12,5],"md5sum":"` + k21 + `","abundances":[1,3]`, weighted, []uint64{3, 1}},
		{"old: molecule in lower case", `"ksize":21,"seed":42,"molecule":"dna","num":0,"max_hash":18446744073709552,` + hashes, fmh, nil},
		{"protein: ksize is 3k", `"ksize":21,"seed":42,"molecule":"Protein","num":0,"max_hash":18446744073709552,` + hashes, protein, nil},
		{"old: ksize of protein no multiple of 3", `"ksize":11,"seed":42,"molecule":"protein","num":0,"max_hash":18446744073709552,"mins":[5,12],"md5sum":"` + k11 + `"`, residues3, nil},
		{"unknown fields", dnaFields + `"num":0,"max_hash":18446744073709552,"new":{"a":[1.5e3,{"b":null}],"c":"\"]}"},` + hashes, fmh, nil},
		{"white space", "\n" + dnaFields + "\t\"num\" : 0,\r\n \"max_hash\" :18446744073709552 , " + strings.ReplaceAll(hashes, ",", " ,\n"), fmh, nil},
	} {
		items, err := read(one(c.fields, `"filename":"x.fa","name":"X \u00e4 \"q\"",`))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		set := items[0].Sketch.(sketch.Abundant)
		if len(items) != 1 || set.Params() != c.want || !slices.Equal(set.Hashes(), []uint64{5, 12}) || !slices.Equal(set.Abundances(), c.abundances) {
			t.Errorf("%s: %d of %s, %v, %v", c.name, len(items), set.Params(), set.Hashes(), set.Abundances())
		}
		if want := (sketch.Meta{ID: `X ä "q"`, Source: "x.fa"}); items[0].Meta != want {
			t.Errorf("%s: %+v, want %+v", c.name, items[0].Meta, want)
		}
	}
}

// TestReadEnvelope has what sourmash takes for granted when it is missing.
func TestReadEnvelope(t *testing.T) {
	body := `{` + dnaFields + `"num":0,"max_hash":18446744073709552,"mins":[],"md5sum":"` + emptyK21 + `"}`
	items, err := read(`[{"hash_function":"0.murmur64","filename":null,"name":null,"signatures":[` + body + `,` + body + `]},` +
		`{"signatures":[` + body + `],"name":"second","hash_function":"0.murmur64"}]` + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 3 || items[0].Meta != (sketch.Meta{}) || items[2].Meta.ID != "second" {
		t.Errorf("%+v", items)
	}
	if items, err := read("[]"); err != nil || len(items) != 0 {
		t.Errorf("[]: %v, %v", items, err)
	}
}

func TestRefused(t *testing.T) {
	frac := dnaFields + `"num":0,"max_hash":18446744073709552,`
	good := frac + `"mins":[5,12],"md5sum":"` + k21 + `"`
	for _, c := range []struct{ text, want string }{
		{"", "unexpected EOF"},
		{"GATTACA", "not a sourmash signature file"},
		{one(good, "") + "x", `byte`},
		{one(good, "") + "[]", "after the end"},
		{strings.Replace(one(good, ""), "CC0", "GPL", 1), `record 1`},
		{strings.Replace(one(good, ""), "CC0", "GPL", 1), `license "GPL", known is "CC0"`},
		{strings.Replace(one(good, ""), "sourmash_signature", "x", 1), `class "x"`},
		{strings.Replace(one(good, ""), "0.murmur64", "1.x", 1), `hash_function "1.x"`},
		{strings.Replace(one(good, ""), ":0.4", ":0.5", 1), "version 0.5, known is 0.4"},
		{one(good, `"name":"a","name":"b",`), `field "name" twice`},
		{one(good, `"name":"\ud800\x",`), "invalid character"},
		{one(good, "\"name\":\"\xff\","), "not UTF-8"},
		{one(strings.Replace(good, "DNA", "RNA", 1), ""), `unknown molecule "RNA"`},
		{one(strings.Replace(good, k21, emptyK21, 1), `"name":"a",`), `record 1 (a)`},
		{one(strings.Replace(good, k21, emptyK21, 1), ""), "md5sum"},
		{one(strings.Replace(good, "[5,12]", "[5,13]", 1), ""), "the file is damaged"},
		{one(strings.Replace(good, "[5,12]", "[5.0,12]", 1), ""), "not a whole number"},
		{one(strings.Replace(good, "[5,12]", "[5,1e1]", 1), ""), "not a whole number"},
		{one(strings.Replace(good, "[5,12]", "[-5,12]", 1), ""), "not a whole number"},
		{one(strings.Replace(good, "[5,12]", "[05,12]", 1), ""), "not a whole number"},
		{one(strings.Replace(good, "[5,12]", "[5,18446744073709551616]", 1), ""), "not a whole number"},
		{one(strings.Replace(good, "[5,12]", "[5,12,]", 1), ""), "not a whole number"},
		{one(strings.Replace(good, "[5,12]", `"5"`, 1), ""), "expected"},
		{one(good+`,"abundances":[1]`, ""), "1 abundances for 2 hashes"},
		{one(good+`,"abundances":[1,2,3]`, ""), "abundances: more than 2 numbers"},
		{one(good+`,"abundances":[1,1,1]`, ""), "abundances: more than 2 numbers"},
		{one(good+`,"abundances":[0,1]`, ""), "abundance 0"},
		{one(strings.Replace(good, `"seed":42,`, "", 1), ""), `no field "seed"`},
		{one(strings.Replace(good, `"seed":42,`, `"seed":4294967296,`, 1), ""), "more than 32 bits"},
		{one(strings.Replace(good, `18446744073709552`, `0`, 1), ""), "neither num nor max_hash"},
		{one(strings.Replace(good, `"num":0`, `"num":2`, 1), ""), "num has cut it"},
		{one(strings.Replace(good, `18446744073709552`, `7378697629483820646`, 1), ""), "not that of a whole scaled"}, // scaled 2.5
		{one(strings.Replace(good, `18446744073709552`, `11`, 1), ""), "above"},
		{one(strings.Replace(frac, `"num":0,"max_hash":18446744073709552`, `"num":1,"max_hash":0`, 1)+`"mins":[5,12],"md5sum":"`+k21+`"`, ""), "2 hashes in a sketch of size 1"},
		{`[{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}]`, "nested"},
		{`{"d":2,"version":6,"storage":{"backend":"FSStorage"}}`, "sourmash SBT index"},
		{`{"version":"2.1","type":"sourmash_lca","license":"CC0"}`, "sourmash LCA database"},
		{`{"class":"sourmash_signature"}`, "outside a list"},
		{`{"a":1}`, "a JSON object, not a list of sourmash signatures"},
	} {
		_, err := read(c.text)
		var in *sketch.InputError
		if !errors.As(err, &in) || !strings.HasPrefix(err.Error(), "t.sig") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.300s\n%v\nwant %q", c.text, err, c.want)
		}
	}
}

// TestEveryTruncation cuts a file at each byte, plain and gzipped.
func TestEveryTruncation(t *testing.T) {
	items := []sketch.Item{manyHashes(t, 40, true), manyHashes(t, 3, false)}
	for name, data := range map[string][]byte{"plain": written(t, sig.NewWriter, items), "gzip": written(t, sig.NewGzipWriter, items)} {
		for n := range data {
			if name == "gzip" && n == 1 {
				continue // half of the magic number says nothing yet
			}
			if _, err := sig.Read(bytes.NewReader(data[:n]), "cut"); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%s, cut at byte %d of %d: %v", name, n, len(data), err)
			}
		}
	}
}

// written are the bytes of a file with these items.
func written[W writer](t testing.TB, open func(io.Writer) W, items []sketch.Item) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := open(&buf)
	for _, item := range items {
		if err := w.Add(item); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// drawItem draws a sketch that a signature can hold.
func drawItem(t *rapid.T) sketch.Item {
	molecule := rapid.SampledFrom([]string{sketch.DNA, sketch.Protein, sketch.Dayhoff, sketch.HP, sketch.SkipM1N3, sketch.SkipM2N3}).Draw(t, "molecule")
	e := sketch.Elements{Molecule: molecule, K: rapid.IntRange(1, 99).Draw(t, "k")}
	e.Canonical = molecule == sketch.DNA || molecule == sketch.SkipM1N3 || molecule == sketch.SkipM2N3
	p := sketch.Params{Elements: e, Hash: sketch.Murmur3(64, rapid.Uint32().Draw(t, "seed")), Weighted: rapid.Bool().Draw(t, "weighted")}
	widest, most := uint64(math.MaxUint64), 20
	if rapid.Bool().Draw(t, "num") {
		p.Family, p.Size = sketch.BottomK, rapid.IntRange(1, 20).Draw(t, "size")
		most = p.Size
	} else {
		p.Family, p.Scaled = sketch.FracMinHash, rapid.Uint64Range(1, 1<<31).Draw(t, "scaled")
		widest = sketch.MaxHash(p.Scaled)
	}
	hashes := rapid.SliceOfNDistinct(rapid.Uint64Range(0, widest), 0, most, rapid.ID).Draw(t, "hashes")
	slices.Sort(hashes)
	var counts []uint64
	if p.Weighted {
		counts = rapid.SliceOfN(rapid.Uint64Min(1), len(hashes), len(hashes)).Draw(t, "counts")
	}
	make := bottomk.New
	if p.Family == sketch.FracMinHash {
		make = fracminhash.New
	}
	set, err := make(p, hashes, counts)
	if err != nil {
		t.Fatal(err)
	}
	return sketch.Item{Meta: sketch.Meta{ID: rapid.String().Draw(t, "name"), Source: rapid.StringMatching(`[^-].*`).Draw(t, "source")}, Sketch: set}
}

// same compares what a signature keeps of items.
func same(a, b []sketch.Item) error {
	if len(a) != len(b) {
		return fmt.Errorf("%d sketches, %d", len(a), len(b))
	}
	for i := range a {
		if a[i].Meta != b[i].Meta || a[i].Sketch.Params() != b[i].Sketch.Params() {
			return fmt.Errorf("sketch %d: %+v of %s, %+v of %s", i, a[i].Meta, a[i].Sketch.Params(), b[i].Meta, b[i].Sketch.Params())
		}
		x, y := a[i].Sketch.(sketch.Abundant), b[i].Sketch.(sketch.Abundant)
		if !slices.Equal(x.Hashes(), y.Hashes()) || !slices.Equal(x.Abundances(), y.Abundances()) || x.Bound() != y.Bound() {
			return fmt.Errorf("sketch %d differs", i)
		}
	}
	return nil
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(rapid.Custom(drawItem), 0, 5).Draw(t, "items")
		var plain, zipped bytes.Buffer
		if err := sig.Write(&plain, items); err != nil {
			t.Fatal(err)
		}
		back, err := sig.Read(&plain, "t.sig")
		if err != nil {
			t.Fatal(err)
		}
		if err := same(items, back); err != nil {
			t.Fatal(err)
		}
		z := sig.NewZipWriter(&zipped)
		for _, item := range items {
			if err := z.Add(item); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		back, err = sig.ReadZip(bytes.NewReader(zipped.Bytes()), int64(zipped.Len()), "t.zip", func(line string) { t.Fatal(line) })
		if err != nil {
			t.Fatal(err)
		}
		if err := same(items, back); err != nil {
			t.Fatal(err)
		}
	})
}

func TestDigest(t *testing.T) {
	for want, hashes := range map[string][]uint64{emptyK21: nil, k21: {5, 12}} {
		set, err := bottomk.New(sketch.Params{Family: sketch.BottomK, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: 9}, hashes, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := sig.Digest(set); got != want || err != nil {
			t.Errorf("%v: %s, %v, want %s", hashes, got, err, want)
		}
	}
}

func TestCannotHold(t *testing.T) {
	good := sketch.Params{Family: sketch.BottomK, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: 9}
	edit := func(f func(*sketch.Params)) sketch.Params {
		p := good
		f(&p)
		return p
	}
	for want, p := range map[string]sketch.Params{
		"32-bit hashes": edit(func(p *sketch.Params) { p.Hash.Bits = 32 }),
		"elements alphabet=": edit(func(p *sketch.Params) {
			p.Elements = sketch.Elements{Molecule: sketch.Letters, Alphabet: "ACGT", K: 21}
		}),
		"elements text":         edit(func(p *sketch.Params) { p.Elements = sketch.Elements{Molecule: "text", Recipe: "words=5/norm=1"} }),
		"nucleotides are canon": edit(func(p *sketch.Params) { p.Elements.Canonical = false }),
		"seed of 32 bits":       edit(func(p *sketch.Params) { p.Hash.Seed = 1 << 32 }),
		"scaled = 3221225920":   {Family: sketch.FracMinHash, Elements: good.Elements, Hash: good.Hash, Scaled: 3221225920},
		"kperm sketches":        edit(func(p *sketch.Params) { p.Family, p.Hash.Permutation = "kperm", sketch.Affine32 }),
	} {
		if err := sig.Holds(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", p, err, want)
		}
	}
	it := manyHashes(t, 3, false)
	it.Meta.ID = "caf\xe9"
	var buf bytes.Buffer
	if err := sig.Write(&buf, []sketch.Item{it}); err == nil || !strings.Contains(err.Error(), "not UTF-8") || buf.Len() > 0 {
		t.Errorf("a name in Latin-1: %v, %d bytes written", err, buf.Len())
	}
}

// TestHostileSizes has small files that ask for much memory.
func TestHostileSizes(t *testing.T) {
	var member bytes.Buffer
	zw := gzip.NewWriter(&member)
	if _, err := io.CopyN(zw, spaces{}, 1<<20); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	bomb := bytes.NewReader(bytes.Repeat(member.Bytes(), 200))
	for _, c := range []struct {
		name, want string
		r          io.Reader
	}{
		{"a name without end", "a string of more than", io.MultiReader(strings.NewReader(`[{"name":"`), spaces{})},
		{"a word without end", "is no JSON value", io.MultiReader(strings.NewReader(`[{"version":0.4`), sevens{})},
		{"200 MiB from 200 KiB of gzip", "inflates more than", bomb},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := sig.Read(c.r, "bomb")
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 20<<20 {
			t.Errorf("%s: %d MiB allocated", c.name, used>>20)
		}
	}
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

type sevens struct{}

func (sevens) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '7'
	}
	return len(p), nil
}
