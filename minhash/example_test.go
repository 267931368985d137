// SPDX-License-Identifier: Apache-2.0

package minhash_test

import (
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// words are the elements of the examples, hashed as datasketch does.
var words = sketch.Params{
	Elements: sketch.Elements{Molecule: "text", Recipe: "words=1/norm=1"},
	Hash:     sketch.Hash{Algorithm: "sha1", Bits: 64},
}

// build makes the sketch of the words of a text.
func build(p sketch.Params, text string) sketch.Estimable {
	b, err := minhash.NewBuilder(p)
	if err != nil {
		panic(err)
	}
	for _, w := range strings.Fields(text) {
		d := sha1.Sum([]byte(w))
		if err := b.AddHashes([]uint64{binary.LittleEndian.Uint64(d[:])}); err != nil {
			panic(err)
		}
	}
	s, err := b.Finish()
	if err != nil {
		panic(err)
	}
	return s.(sketch.Estimable)
}

const (
	one = "minhash is a probabilistic data structure for estimating the similarity between datasets"
	two = "minhash is a probability data structure for estimating the similarity between documents"
)

// The documents of datasketch's tutorial, whose Jaccard index is 10/14. Seed,
// scheme and number of slots are the defaults of datasketch, and so are the
// slots.
func ExampleKPerm() {
	p := words
	p.Family, p.Size = sketch.KPerm, 128
	p.Hash.Permutation, p.Hash.Seed = sketch.Affine32, 1

	a, b := build(p, one), build(p, two)
	s, _ := a.Similarity(b, 0.95)
	fmt.Printf("J = %.3f, 95 %% within %.2f and %.2f\n", s.Value, s.Low, s.High)
	fmt.Println(a.AppendSlots(nil)[:3], p.SlotBytes(), "bytes")
	// Output:
	// J = 0.625, 95 % within 0.54 and 0.70
	// [208646873 78957534 182869272] 512 bytes
}

// One-permutation hashing looks at each hash once. Small sets leave bins empty;
// filled ones serve banding, and the estimate leaves them out.
func ExampleOPH() {
	p := words
	p.Family, p.Size, p.Densify = sketch.OPH, 64, sketch.Optimal

	a := build(p, one).(*minhash.OPH)
	b := build(p, two).(*minhash.OPH)
	s, _ := a.Similarity(b, 0.95)
	fmt.Printf("%d of %d bins are full\n", a.Bins(), a.Len())
	fmt.Printf("J = %.3f, 95 %% within %.2f and %.2f\n", s.Value, s.Low, s.High)
	// Output:
	// 12 of 64 bins are full
	// J = 0.714, 95 % within 0.54 and 0.79
}

// One bit a slot: 256 slots in 32 bytes.
func ExampleBBit() {
	p := words
	p.Family, p.Size, p.Bits = sketch.BBit, 256, 1
	p.Hash.Permutation, p.Hash.Seed = sketch.Affine64, 1

	s, _ := build(p, one).Similarity(build(p, two), 0.95)
	fmt.Printf("J = %.2f, 95 %% within %.2f and %.2f, from %d bytes\n", s.Value, s.Low, s.High, p.SlotBytes())
	// Output:
	// J = 0.73, 95 % within 0.63 and 0.80, from 32 bytes
}

// Weighted sets: copies count. "york new" is half of "york new york new".
func ExampleICWS() {
	p := words
	p.Family, p.Size, p.Weighted = sketch.ICWS, 1024, true

	s, _ := build(p, "york new york new").Similarity(build(p, "new york"), 0.95)
	fmt.Printf("J = %.2f, 95 %% within %.2f and %.2f\n", s.Value, s.Low, s.High)
	// Output:
	// J = 0.51, 95 % within 0.48 and 0.54
}

// How many different words do both texts have?
func ExampleCardinality() {
	p := words
	p.Family, p.Size = sketch.KPerm, 400
	p.Hash.Permutation, p.Hash.Seed = sketch.Affine64, 1

	c, _ := minhash.Cardinality(0.95, build(p, one), build(p, two))
	fmt.Printf("%.1f words, 95 %% within %.1f and %.1f\n", c.Value, c.Low, c.High)
	// Output:
	// 14.4 words, 95 % within 13.1 and 15.9
}

// Hashes of 32 bits are too few for large sets.
func ExampleCollidedJaccard() {
	for _, n := range []float64{1e6, 1e8} {
		fmt.Printf("two unrelated sets of %.0g elements: J = %.4f\n", n, minhash.CollidedJaccard(0, n, n, 32))
	}
	// Output:
	// two unrelated sets of 1e+06 elements: J = 0.0001
	// two unrelated sets of 1e+08 elements: J = 0.0116
}
