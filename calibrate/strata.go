// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bytes"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/internal/radix"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// The strata of pairs. A pair is in the first one whose condition it meets; J is
// the Jaccard index of all elements, T the threshold.
const (
	Exact       = "exact"       // equal bytes
	Formatting  = "formatting"  // equal after NFKC, case folding and without white space, punctuation and symbols
	Boilerplate = "boilerplate" // J >= T, but below T/2 without the elements that many documents have
	Edited      = "edited"      // J >= T
	Partial     = "partial"     // J < T, and one has at least 0.8 of the elements of the other
	Translation = "translation" // the same numbers, addresses and links, in other words
	Borderline  = "borderline"  // T/2 <= J < T
	Unlike      = "different"   // drawn at random, and none of the above
)

// Strata lists them in that order.
var Strata = []string{Exact, Formatting, Boilerplate, Edited, Partial, Translation, Borderline, Unlike}

// What makes a pair partial, and what a translation.
const (
	partialShare  = 0.8
	fewestMarks   = 3   // that both have
	marksAlike    = 0.5 // least Jaccard index of the marks
	wordsUnlike   = 0.2 // Jaccard index of the single words, which must be less
	strongRecipe  = "chars=8/norm=1/nfkc/fold/space=none/punct=drop"
	wordsRecipe   = "words=1/norm=1"
	sampledScaled = 32 // one element in so many is a key by which pairs are found
)

// A view is what of a document decides about its strata.
type view struct {
	document
	bytes  uint64   // hash of the text as it is
	strong uint64   // of its normalised characters; 0 if there are none
	marks  []uint64 // distinct, ascending
	all    []uint64 // all elements
	rest   []uint64 // those that are no boilerplate
	words  []uint64
}

// A viewer makes views. It belongs to one goroutine.
type viewer struct {
	elements, strong, words *shingle.Shingler
	buf                     []uint64
}

func newViewer(e sketch.Elements, h sketch.Hash) (*viewer, error) {
	v := &viewer{}
	for _, x := range []struct {
		to     **shingle.Shingler
		recipe string
	}{{&v.elements, e.Recipe}, {&v.strong, strongRecipe}, {&v.words, wordsRecipe}} {
		r, err := shingle.Parse(x.recipe)
		if err != nil {
			return nil, err
		}
		if *x.to, err = shingle.New(r.Elements(), h, nil); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// set is the distinct hashes of the elements of a text.
func (v *viewer) set(s *shingle.Shingler, text []byte) ([]uint64, error) {
	s.Reset(text)
	hashes, err := shingle.AppendAll(nil, s)
	return radix.SortUnique(hashes), err
}

// look makes the parts of a view that all documents need: hashes of the text,
// its marks, and its elements.
func (v *viewer) look(x *view) error {
	x.bytes = xxh3.Hash(x.text)
	v.strong.Reset(x.text)
	var err error
	if v.buf, err = shingle.AppendAll(v.buf[:0], v.strong); err != nil {
		return err
	}
	x.strong = 0
	for _, h := range v.buf { // in order: the sequence of runs tells the characters
		x.strong = xxh3.HashSeed(little(h), x.strong)
	}
	x.marks = marksOf(x.text)
	x.all, err = v.set(v.elements, x.text)
	return err
}

func little(h uint64) []byte {
	return []byte{byte(h), byte(h >> 8), byte(h >> 16), byte(h >> 24), byte(h >> 32), byte(h >> 40), byte(h >> 48), byte(h >> 56)}
}

// A Pair is a pair of documents of a stratum.
type Pair struct {
	A, B         string // names
	Stratum      string
	Jaccard      float64 // of all elements
	Containment  float64 // share of the elements of the smaller that the other has
	Rest         float64 // Jaccard index without boilerplate; NaN if nothing else is left of both
	TextA, TextB string
}

// similarity is the Jaccard index and the containment of the smaller set; NaN
// for two empty ones.
func similarity(a, b []uint64) (jaccard, containment float64) {
	n := common(a, b)
	if len(a)+len(b) == 0 {
		return math.NaN(), math.NaN()
	}
	containment = 0
	if least := min(len(a), len(b)); least > 0 {
		containment = float64(n) / float64(least)
	}
	return index(n, len(a), len(b)), containment
}

// common counts what two ascending lists have in common.
func common(a, b []uint64) int {
	n := 0
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}

// classify says what stratum a pair belongs to; "" if to none but, drawn at
// random, to Unlike.
func classify(a, b *view, threshold float64) Pair {
	p := Pair{A: a.id, B: b.id}
	p.Jaccard, p.Containment = similarity(a.all, b.all)
	p.Rest, _ = similarity(a.rest, b.rest)
	marked, _ := similarity(a.marks, b.marks)
	words, _ := similarity(a.words, b.words)
	switch {
	case a.bytes == b.bytes && bytes.Equal(a.text, b.text):
		p.Stratum = Exact
	case a.strong == b.strong && a.strong != 0:
		p.Stratum = Formatting
	case p.Jaccard >= threshold && !(p.Rest >= threshold/2):
		p.Stratum = Boilerplate
	case p.Jaccard >= threshold:
		p.Stratum = Edited
	case p.Containment >= partialShare:
		p.Stratum = Partial
	case marked >= marksAlike && common(a.marks, b.marks) >= fewestMarks && words < wordsUnlike:
		p.Stratum = Translation
	case p.Jaccard >= threshold/2:
		p.Stratum = Borderline
	}
	return p
}
