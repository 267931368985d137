// SPDX-License-Identifier: Apache-2.0

package simhash_test

import (
	"fmt"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/simhash"
	"github.com/gsketch/gsketch/sketch"
)

var params = sketch.Params{
	Family:   sketch.SimHash,
	Elements: sketch.Elements{Molecule: "text", Recipe: "words=1/norm=1"},
	Hash:     sketch.Hash{Algorithm: "xxh3-64", Bits: 64},
	Size:     128,
}

func fingerprint(text string) *simhash.Sketch {
	b, err := simhash.NewBuilder(params)
	if err != nil {
		panic(err)
	}
	for _, w := range strings.Fields(text) {
		if err := b.AddHashes([]uint64{xxh3.HashString(w)}); err != nil {
			panic(err)
		}
	}
	s, err := b.Finish()
	if err != nil {
		panic(err)
	}
	return s.(*simhash.Sketch)
}

var texts = []string{
	"the quick brown fox jumps over the lazy dog while the small grey cat sleeps on a warm stone in the garden behind our house",
	"the quick brown fox jumps over the lazy dog while the small black cat sleeps on a warm stone in the garden behind our house",
	"it was the best of times it was the worst of times it was the age of wisdom it was the age of foolishness",
}

// The cosine of two texts that differ in one word of 22: 21/22.
func ExampleSketch() {
	a, b := fingerprint(texts[0]), fingerprint(texts[1])
	s, _ := a.Similarity(b, 0.95)
	fmt.Printf("%d bits differ: cosine %.2f, 95 %% within %.2f and %.2f\n",
		a.Fingerprint().Distance(b.Fingerprint()), s.Value, s.Low, s.High)
	// Output:
	// 12 bits differ: cosine 0.96, 95 % within 0.88 and 0.99
}

// Fingerprints within 16 bits of a query.
func ExampleIndex() {
	list, _ := simhash.NewList(128)
	for _, t := range texts {
		list.Add(fingerprint(t).Fingerprint())
	}
	index, _ := simhash.NewIndex(list, 16)
	found, _ := index.Within(nil, fingerprint(texts[0]).Fingerprint(), 16)
	for _, m := range found {
		fmt.Printf("text %d at %d bits\n", m.Row, m.Distance)
	}
	// Output:
	// text 0 at 0 bits
	// text 1 at 12 bits
}

// Dense vectors at an angle of 45 degrees: a quarter of the bits differ.
func ExampleHyperplanes() {
	h, _ := simhash.NewHyperplanes(128, 2, 1)
	f, _ := h.Fingerprint([]float64{1, 0})
	g, _ := h.Fingerprint([]float64{3, 3})
	d := f.Distance(g)
	s := simhash.Cosine(d, 128, 0.95)
	fmt.Printf("%d of 128 bits differ: cosine %.2f, 95 %% within %.2f and %.2f\n", d, s.Value, s.Low, s.High)
	// Output:
	// 37 of 128 bits differ: cosine 0.62, 95 % within 0.39 and 0.78
}

// The bits that were decided by the least are the first that a similar text has
// otherwise; an index can be asked for them too (lsh.Banding.Probe).
func ExampleBuilder_FinishMargins() {
	b, err := simhash.NewBuilder(params)
	if err != nil {
		panic(err)
	}
	if err := b.AddHashes([]uint64{0b0011, 0b0101, 0b1001}); err != nil {
		panic(err)
	}
	s, margins := b.FinishMargins()
	fmt.Printf("%04b %v\n", s.Fingerprint()[0], margins[:4])
	// Output: 0001 [3 1 1 1]
}

// A list compares a query with every fingerprint, at any distance.
func ExampleList() {
	list, _ := simhash.NewList(64)
	for _, f := range []uint64{0b0000, 0b0111, 0b1111} {
		list.Add(simhash.Fingerprint{f})
	}
	fmt.Println(list.Within(nil, simhash.Fingerprint{0b0001}, 2))
	// Output: [{0 1} {1 2}]
}
