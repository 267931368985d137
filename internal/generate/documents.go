// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Documents is a corpus in JSON lines whose families are known. About half of
// the documents are like no other; the others are families of 2 to 6, whose
// members are copies or have a share of words replaced, dropped or added; a few are
// short or empty, and a share stands under one header of boilerplate. A share of
// all may be one page, in versions that differ by their last word.
type Documents struct {
	Number      int
	First       int     // number of the first document, where it is a part of a corpus
	Words       int     // in a document on average; half to one and a half times it
	Boilerplate float64 // share of documents under the header
	Page        float64 // share of documents that are the page
	Seed        uint64
}

// vocabulary is the number of words that documents are written in; those in
// front are the more frequent.
const vocabulary = 50_000

// Write writes the documents: id, text, family (a number), kind (base, copy,
// edit, page, short, empty), share (of words edited), domain (common or rare) and quality.
func (d Documents) Write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<20)
	g := documentWriter{Documents: d, r: NewRand(d.Seed), out: out}
	for range 60 {
		g.header = append(g.header, g.word())
	}
	if d.Page > 0 {
		g.page = g.words(2 * d.Words)
	}
	for pages := 0; g.n < d.Number; {
		if float64(pages) < d.Page*float64(g.n) {
			pages++
			g.write(append(g.page[:len(g.page):len(g.page)], spelled(g.r.IntN(30))), "page", 0)
			continue
		}
		g.family()
	}
	return out.Flush()
}

type documentWriter struct {
	Documents
	r      *Rand
	out    *bufio.Writer
	header []string
	page   []string
	n      int // documents so far
	number int // of the family
}

// word draws from the vocabulary, with a frequency that falls with its number as
// 1/x does from one decade to the next.
func (g *documentWriter) word() string {
	n := 10
	for n < vocabulary && g.r.IntN(5) > 0 {
		n *= 6
	}
	return spelled(g.r.IntN(min(n, vocabulary)))
}

// spelled writes a number in syllables.
func spelled(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for first := true; first || n > 0; first = false {
		b.WriteByte(consonants[n%len(consonants)])
		n /= len(consonants)
		b.WriteByte(vowels[n%len(vowels)])
		n /= len(vowels)
	}
	return b.String()
}

func (g *documentWriter) family() {
	g.number++
	draw := g.r.IntN(10_000)
	switch {
	case draw < 5:
		g.write(nil, "empty", 0)
		return
	case draw < 55:
		g.write(g.words(1+g.r.IntN(4)), "short", 0)
		return
	}
	text := g.words(g.Words/2 + g.r.IntN(g.Words+1))
	if g.r.IntN(1_000_000) < int(1e6*g.Boilerplate) {
		text = append(append([]string{}, g.header...), text...)
	}
	g.write(text, "base", 0)
	switch {
	case draw < 450:
		for range 1 + g.r.IntN(3) {
			g.write(text, "copy", 0)
		}
	case draw < 3000:
		for range []int{1, 1, 1, 2, 2, 3, 5}[g.r.IntN(7)] {
			mille := []int{2, 5, 10, 20, 40, 80}[g.r.IntN(6)]
			g.write(g.edited(text, mille), "edit", float64(mille)/1000)
		}
	}
}

func (g *documentWriter) words(n int) []string {
	text := make([]string, n)
	for i := range text {
		text[i] = g.word()
	}
	return text
}

// edited changes about so many of a thousand words: three of five are replaced,
// one is dropped, one has another behind it.
func (g *documentWriter) edited(text []string, mille int) []string {
	var out []string
	for _, w := range text {
		if g.r.IntN(1000) >= mille {
			out = append(out, w)
			continue
		}
		switch g.r.IntN(5) {
		case 0:
		case 1:
			out = append(out, w, g.word())
		default:
			out = append(out, g.word())
		}
	}
	return out
}

// write writes a document. Nothing in it needs escaping.
func (g *documentWriter) write(words []string, kind string, share float64) {
	if g.n == g.Number {
		return
	}
	domain := "common"
	if g.number%50 == 0 {
		domain = "rare"
	}
	fmt.Fprintf(g.out, `{"id": "d%08d", "text": "%s", "family": %d, "kind": "%s", "share": %g, "domain": "%s", "quality": %d}`+"\n",
		g.First+g.n, strings.Join(words, " "), g.number, kind, share, domain, g.r.IntN(1000))
	g.n++
}
