// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/sketch"
)

func TestRecipeSpelling(t *testing.T) {
	for given, canonical := range map[string]string{
		"words=5/norm=1":     "words=5/norm=1",
		"set":                "set",
		"words=5/norm=1/nfc": "words=5/norm=1", // what norm=1 has anyway
		"words=5/norm=0/nfc": "words=5/norm=0/nfc",
		"chars=9/norm=1/html/nfkc/punct=space/space=one":          "chars=9/norm=1/nfkc/punct=space/html",
		"chars=5/norm=0/space=one":                                "chars=5/norm=0/space=one",
		"uax29=3/norm=1/stem=english/code=drop/fold":              "",
		"uax29=3/norm=1/stem=english/code=drop":                   "uax29=3/norm=1/code=drop/stem=english",
		"words=5/norm=1/scripts/unspaced=3/digits=zero":           "words=5/norm=1/digits=zero/unspaced=3/scripts",
		"tokens=1/norm=0/case":                                    "tokens=1/norm=0/case",
		"words=5/norm=1/without=0123456789abcdef0123456789abcdef": "words=5/norm=1/without=0123456789abcdef0123456789abcdef",
		"words=5/norm=1/without=0123456789ABCDEF0123456789abcdef": "",
		"words=5/norm=1/without=0123":                             "",
		"words=5":                                                 "",
		"":                                                        "",
		"words=0/norm=1":                                          "",
		"words=05/norm=1":                                         "",
		"words=1001/norm=1":                                       "",
		"words/norm=1":                                            "",
		"letters=5/norm=1":                                        "",
		"set=1/norm=1":                                            "",
		"words=5/norm=2":                                          "",
		"words=5/norm=1/nfc/nfkc":                                 "",
		"words=5/norm=1/html=yes":                                 "",
		"words=5/norm=1/html/html":                                "",
		"words=5/norm=1/space=none":                               "",
		"chars=5/norm=1/stem=english":                             "",
		"chars=5/norm=1/unspaced=3":                               "",
		"words=5/norm=1/stem=klingon":                             "",
		"words=5/norm=1/punct=":                                   "",
		"words=5/norm=1/punct=zero":                               "",
		"words=5/norm=1/colour=blue":                              "",
		"words=5/norm=1/":                                         "",
	} {
		r, err := Parse(given)
		switch {
		case canonical == "" && err == nil:
			t.Errorf("%q: accepted as %q", given, r)
		case canonical != "" && err != nil:
			t.Error(err)
		case canonical != "" && r.String() != canonical:
			t.Errorf("%q: %q, want %q", given, r, canonical)
		}
	}
}

// drawRecipe draws any valid recipe.
func drawRecipe(t *rapid.T) Recipe {
	pick := func(name string, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, name) }
	r := Recipe{Kind: pick("kind", Words, UAX29, Tokens, Chars, Bytes), Width: rapid.IntRange(1, 12).Draw(t, "width"), Norm: rapid.IntRange(0, 1).Draw(t, "norm")}
	r = r.base()
	if f := pick("form", "", "nfc", "nfd", "nfkc", "nfkd"); f != "" {
		r.Form = f
	}
	r.Case = pick("case", Lower, Fold, AsIs)
	r.Punct = pick("punct", "", ToSpace, Drop)
	r.Digits = pick("digits", "", Zero, Drop)
	r.Code = pick("code", "", "", Drop, Only)
	r.HTML = pick("html", "", "", "html") != ""
	if !r.byWord() {
		r.Space = pick("space", Keep, One, None)
		return r
	}
	if r.Case == Lower {
		r.Stem = pick("stem", "", "", "english", "russian", "turkish")
	}
	r.Scripts = rapid.Bool().Draw(t, "scripts")
	r.Unspaced = rapid.IntRange(0, 4).Draw(t, "unspaced")
	return r
}

func TestRecipeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecipe(t)
		got, err := Parse(r.String())
		if err != nil || got != r {
			t.Fatalf("%q is read as %+v, %v; was %+v", r, got, err, r)
		}
		p := sketch.Params{Family: sketch.BottomK, Elements: r.Elements(), Hash: sketch.Hash{Algorithm: XXH3, Bits: 64}, Size: 10}
		if q, err := sketch.ParseParams(p.String()); err != nil || q != p {
			t.Fatalf("%q is read as %+v, %v", p, q, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("words=5/norm=1")
	f.Add("chars=9/norm=0/nfkc/fold/space=none/punct=drop/digits=zero/html/code=only")
	f.Add("words=5/norm=1/stem=english/unspaced=3/scripts/without=0123456789abcdef0123456789abcdef")
	f.Fuzz(func(t *testing.T, s string) {
		r, err := Parse(s)
		if err != nil {
			return
		}
		if err := r.Validate(); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if again, err := Parse(r.String()); err != nil || again != r {
			t.Fatalf("%q: its canonical spelling %q is read as %+v, %v", s, r, again, err)
		}
	})
}

func TestNewRefuses(t *testing.T) {
	text := func(recipe string) sketch.Elements { return sketch.Elements{Molecule: sketch.Text, Recipe: recipe} }
	plain := sketch.Hash{Algorithm: XXH3, Bits: 64}
	some := NewBoilerplate([]uint64{1, 2, 3})
	for _, c := range []struct {
		elements sketch.Elements
		hash     sketch.Hash
		without  *Boilerplate
		want     string
	}{
		{sketch.DNAElements(21), plain, nil, "no elements of text"},
		{text("words=5/norm=1/nfc"), plain, nil, "not in canonical spelling"},
		{text("set"), plain, nil, "not cut out of text"},
		{text("words=5/norm=1"), plain, some, some.Digest()},
		{text("words=5/norm=1/without=" + some.Digest()), plain, nil, "leave out"},
		{text("words=5/norm=1"), sketch.Hash{Algorithm: XXH3, Bits: 48}, nil, "32 or 64"},
		{text("words=5/norm=1"), sketch.Hash{Algorithm: SHA1, Bits: 64, Seed: 7}, nil, "no seed"},
		{text("words=5/norm=1"), sketch.Hash{Algorithm: Murmur3, Bits: 64, Seed: 1 << 32}, nil, "32 bits"},
		{text("words=5/norm=1"), sketch.Hash{Algorithm: "md5", Bits: 64}, nil, "md5"},
	} {
		if _, err := New(c.elements, c.hash, c.without); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %q", c.elements, c.hash, err, c.want)
		}
	}
}

// Sketches of different recipes refuse to meet and name what differs.
func TestRecipesKeptApart(t *testing.T) {
	p := func(recipe, hash string) sketch.Params {
		return sketch.Params{Family: sketch.BottomK, Elements: sketch.Elements{Molecule: sketch.Text, Recipe: recipe}, Hash: sketch.Hash{Algorithm: hash, Bits: 64}, Size: 10}
	}
	a := p("words=5/norm=1", XXH3)
	for _, c := range []struct {
		b    sketch.Params
		want string
	}{
		{p("chars=5/norm=1", XXH3), "elements: text/words=5/norm=1, text/chars=5/norm=1"},
		{p("words=5/norm=1/nfkc", XXH3), "elements: text/words=5/norm=1, text/words=5/norm=1/nfkc"},
		{p("words=5/norm=1", SHA1), "hash: xxh3-64/bits=64/seed=0, sha1/bits=64/seed=0"},
	} {
		err := a.Comparable(c.b)
		if !errors.Is(err, sketch.ErrIncompatible) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
