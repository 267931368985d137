// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/sketch"
)

func TestElementsOf(t *testing.T) {
	for _, c := range []struct {
		recipe, text, want string // elements are separated by "|"
	}{
		{"words=2/norm=1", "The quick, brown fox_1!", "the quick|quick brown|brown fox_1"},
		{"words=5/norm=1", "fewer than five", "fewer than five"},
		{"words=5/norm=1", "...", ""},
		{"words=2/norm=1", "ab c", "ab c"},
		{"words=2/norm=1", "a bc", "a bc"},
		{"tokens=1/norm=0/case", " Don't  panic!\n", "Don't|panic!"},
		{"chars=3/norm=1", "  a\t\n b ", "a b"},
		{"chars=5/norm=1", "a b", "a b"},
		{"chars=3/norm=1", " \n", ""},
		{"chars=3/norm=0", "A  b", "a  |  b"},
		{"chars=2/norm=1/space=none", "a b c", "ab|bc"},
		{"chars=3/norm=1", "日本語の", "日本語|本語の"},
		{"bytes=3/norm=1", "日", "日"},
		{"bytes=2/norm=1", "é", "\xc3\xa9"},
		{"words=2/norm=1/stem=english", "Running dogs nationally", "run dog|dog nation"},
		{"words=1/norm=1/stem=russian", "важными", "важн"},
		{"words=2/norm=1/html", "<p>One<b>two</b></p><p>thr&eacute;e &amp; four</p><script>no()</script>", "onetwo thrée|thrée four"},
		{"words=2/norm=1/code=drop", "a b\n```go\nx y\n```\nc", "a b|b c"},
		{"words=2/norm=1/code=only", "a b\n~~~~\nx y\n~~~\nz\n~~~~\nc", "x y|y z"},
		{"words=2/norm=1/html/code=drop", "a b<pre>x y</pre>c", "a b|b c"},
		{"words=2/norm=1/html/code=only", "a b<pre>x<i>y</i> z</pre>c", "xy z"},
		{"words=2/norm=1/unspaced=2", "the 今天 end 气。好", "the end|今天|天气|气好"},
		{"words=2/norm=1/unspaced=3", "กำ", "กำ"},
		{"words=2/norm=1/unspaced=3", "ラーメン屋", "ラーメ|ーメン|メン屋"},
		{"words=1/norm=1", "abcабв中", "abcабв中"},
		{"words=1/norm=1/scripts", "abcабв中1文 x", "abc|абв|中1文|x"},
		{"words=1/norm=1/scripts", "ひらカタ漢", "ひら|カタ|漢"},
		{"words=1/norm=1", "a\xffb", "a|b"},
		{"chars=1/norm=1", "a\xff", "a|\ufffd"},
		// Figure 1 of Unicode Standard Annex 29.
		{"uax29=1/norm=0/case", "The quick (“brown”) fox can’t jump 32.3 feet, right?", "The|quick|brown|fox|can’t|jump|32.3|feet|right"},
		{"uax29=1/norm=1", "今天 _ …", "今|天"},
		{"words=1/norm=1", "can’t 32.3", "can|t|32|3"},
	} {
		got := strings.Join(elements(newText(t, c.recipe), []byte(c.text)), "|")
		if got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.recipe, c.text, got, c.want)
		}
	}
}

// TestLaterUnicode: the characters are unassigned in Unicode 15.0. 16.0 made
// the first two compose, and the third a mark that marks are sorted around;
// under the recipes they stay what they were, whatever the tables of the
// compiler.
func TestLaterUnicode(t *testing.T) {
	const text = "\U000113c2\U000113c2 e\u0301 a\U000113ce\u0301\u0323"
	const want = "\U000113c2\U000113c2 é a\U000113ce\u0323\u0301"
	if got := string(newNormalizer(mustParse(t, "chars=1/norm=1")).normalize([]byte(text))); got != want {
		t.Errorf("%+q, want %+q", got, want)
	}
	if got := elements(newText(t, "words=1/norm=1"), []byte("x\U000113c2y")); !slices.Equal(got, []string{"x", "y"}) {
		t.Errorf("%+q: what is not assigned is no letter", got)
	}
}

func TestHashes(t *testing.T) {
	// XXH3 and MurmurHash3: xxhash and mmh3 of Python; SHA-1: first bytes of
	// sha1("new york").
	for _, c := range []struct {
		hash sketch.Hash
		want uint64
	}{
		{sketch.Hash{Algorithm: XXH3, Bits: 64}, 0x1692c103800bfa0b},
		{sketch.Hash{Algorithm: XXH3, Bits: 64, Seed: 7}, 0x9795f70d637327ec},
		{sketch.Hash{Algorithm: XXH3, Bits: 32, Seed: 7, Permutation: "affine32"}, 0x1692c103800bfa0b & math.MaxUint32}, // the seed is that of permutations
		{sketch.Hash{Algorithm: SHA1, Bits: 64}, 0x828543dd0696dddd},
		{sketch.Hash{Algorithm: SHA1, Bits: 32}, 0x828543dd0696dddd & math.MaxUint32},
		{sketch.Hash{Algorithm: Murmur3, Bits: 64, Seed: 42}, 0x4bd78c85f4b70d7e},
	} {
		s, err := New(sketch.Elements{Molecule: sketch.Text, Recipe: "words=2/norm=1"}, c.hash, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := setOf(t, s, []byte("New York")); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %#x, want %#x", c.hash, got, c.want)
		}
	}
}

// A Shingler gives the same whatever the length of dst and the chunks, passes
// on nothing above the bound, counts all elements and allocates nothing.
func TestSource(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecipe(t)
		doc := rapid.SliceOfN(rapid.SampledFrom([]byte("aB1 \n.<p>`~#_é中\xff")), 0, 300).Draw(t, "doc")
		doc = bytes.Repeat(doc, rapid.SampledFrom([]int{1, 1, 1, 100}).Draw(t, "repeats"))
		s, err := New(r.Elements(), sketch.Hash{Algorithm: XXH3, Bits: 64}, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Reset(doc)
		want, err := AppendAll(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		if n := s.Stats().Elements; n != uint64(len(want)) {
			t.Fatalf("%d elements counted, %d returned", n, len(want))
		}
		bound := rapid.SampledFrom([]uint64{0, math.MaxUint64 / 3, math.MaxUint64}).Draw(t, "bound")
		want = slices.DeleteFunc(want, func(h uint64) bool { return h > bound })
		dst := make([]uint64, rapid.IntRange(1, 9).Draw(t, "dst"))
		var got []uint64
		s.Reset(doc)
		for {
			n, err := s.Next(dst, bound)
			got = append(got, dst[:n]...)
			if err == io.EOF {
				break
			}
			if err != nil || n < len(dst) {
				t.Fatalf("%d of %d filled, %v", n, len(dst), err)
			}
		}
		if n, err := s.Next(dst, bound); n != 0 || err != io.EOF {
			t.Fatalf("after the end: %d, %v", n, err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d hashes one way, %d another", len(got), len(want))
		}
	})
}

// Chunks are cut where nothing looks across, so that elements are those of the
// document as a whole.
func TestChunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRecipe(t)
		r.HTML, r.Code = false, ""
		word := rapid.SliceOfN(rapid.SampledFrom([]rune("aBΣσ1 \n.'e\u0301\u0308中ぁＦ\u00a0\U000113c2")), 1, 40).Draw(t, "word")
		doc := []byte(strings.Repeat(string(word), 1+2*chunk/len(word)))
		s, err := New(r.Elements(), sketch.Hash{Algorithm: XXH3, Bits: 64}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := elements(s, doc)
		s.norm.reset()
		s.windows.reset()
		s.windows.feed(s.norm.normalize(doc)) // at once
		s.windows.close()
		var want []string
		for e := s.windows.next(); e != nil; e = s.windows.next() {
			want = append(want, string(e))
		}
		slices.Sort(got) // unspaced scripts come a chunk at a time
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %d elements in chunks, %d at once", r, len(got), len(want))
		}
	})
}

func TestNoAllocations(t *testing.T) {
	doc := []byte(strings.Repeat("The quick brown fox, naïve as ever, jumps über the lazy 犬 dog.\n", 2000))
	buf := make([]uint64, sketch.BatchSize)
	for _, recipe := range []string{"words=5/norm=1", "uax29=5/norm=1/nfkc/fold", "tokens=1/norm=0/case", "chars=5/norm=1", "bytes=9/norm=0", "words=5/norm=1/unspaced=3/scripts", "words=5/norm=1/stem=english", "words=5/norm=1/code=drop"} {
		s := newText(t, recipe)
		run := func() {
			s.Reset(doc)
			for {
				if _, err := s.Next(buf, math.MaxUint64); err == io.EOF {
					return
				}
			}
		}
		run()
		if n := testing.AllocsPerRun(5, run); n != 0 {
			t.Errorf("%s: %g allocations a document", recipe, n)
		}
	}
}

func TestBoilerplate(t *testing.T) {
	texts := []string{"All rights reserved by us. One tale", "all rights reserved by us. Another story"}
	plain := newText(t, "words=2/norm=1")
	f := NewFrequencies(1 << 20)
	for _, text := range texts {
		plain.Reset([]byte(text))
		all, err := AppendAll(nil, plain)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Add(append(all, all...)); err != nil { // twice in one document counts once
			t.Fatal(err)
		}
	}
	both, err := f.Frequent(1)
	if err != nil || len(both) != 4 || f.Documents() != 2 {
		t.Fatalf("%d elements in both of %d documents, want 4; %v", len(both), f.Documents(), err)
	}
	if all, err := f.Frequent(0); err != nil || len(all) != 4+2+2 {
		t.Fatalf("%d elements in any document, %v", len(all), err)
	}
	common := NewBoilerplate(both)
	listed := NewBoilerplate(slices.Concat(setOf(t, plain, []byte("all rights reserved by us")), setOf(t, plain, []byte("reserved by"))))
	if listed.Digest() != common.Digest() {
		t.Errorf("the same set has digests %s and %s", listed.Digest(), common.Digest())
	}
	r := mustParse(t, "words=2/norm=1")
	r.Without = common.Digest()
	s, err := New(r.Elements(), sketch.Hash{Algorithm: XXH3, Bits: 64}, common)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := setOf(t, s, []byte(texts[0])), 2; len(got) != want { // us one, one tale
		t.Errorf("%d elements left, want %d", len(got), want)
	}
	if st := s.Stats(); st.Elements != 6 || st.Skipped != 4 {
		t.Errorf("%+v, want 6 elements, 4 of them left out", st)
	}
}

func FuzzShingler(f *testing.F) {
	for i, text := range []string{"", "a", "The quick brown fox", "<p>a&lt;b</p><pre>x", "```\ncode\n```\n# h\n", "e\u0301ΑΣ \xff\xfe中文ー\u0e33"} {
		f.Add(oracleRecipes[i], []byte(text))
	}
	f.Add("words=3/norm=1/nfkc/fold/html/code=drop/unspaced=2/scripts", []byte("<html><p>x"))
	f.Add("uax29=3/norm=1/stem=english", []byte("can’t stop"))
	f.Fuzz(func(t *testing.T, recipe string, doc []byte) {
		r, err := Parse(recipe)
		if err != nil || r.Kind == Set || r.Without != "" {
			return
		}
		s, err := New(r.Elements(), sketch.Hash{Algorithm: XXH3, Bits: 64}, nil)
		if err != nil {
			t.Fatal(err)
		}
		given := bytes.Clone(doc)
		for _, e := range elements(s, doc) {
			if r.Kind != Bytes && !utf8.ValidString(e) {
				t.Fatalf("%s of %q: element %q is not UTF-8", r, doc, e)
			}
			if n := utf8.RuneCountInString(e); r.Kind == Chars && n > r.Width {
				t.Fatalf("%s of %q: element %q has %d characters", r, doc, e, n)
			}
			if e == "" {
				t.Fatalf("%s of %q: an empty element", r, doc)
			}
		}
		if !bytes.Equal(doc, given) {
			t.Fatal("the document was changed")
		}
	})
}
