// SPDX-License-Identifier: Apache-2.0

package shingle_test

import (
	"fmt"
	"log"
	"slices"

	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// The Jaccard index of two texts as sets of three words in a row.
func ExampleShingler() {
	recipe, err := shingle.Parse("words=3/norm=1")
	if err != nil {
		log.Fatal(err)
	}
	s, err := shingle.New(recipe.Elements(), sketch.Hash{Algorithm: shingle.XXH3, Bits: 64}, nil)
	if err != nil {
		log.Fatal(err)
	}
	set := func(text string) []uint64 {
		s.Reset([]byte(text))
		hashes, err := shingle.AppendAll(nil, s)
		if err != nil {
			log.Fatal(err)
		}
		slices.Sort(hashes)
		return slices.Compact(hashes)
	}
	a := set("To be, or not to be: that is the question.")
	b := set("TO BE or not to be... that is  the answer!")
	shared := 0
	for _, h := range a {
		if _, ok := slices.BinarySearch(b, h); ok {
			shared++
		}
	}
	fmt.Printf("%d of %d\n", shared, len(a)+len(b)-shared)
	// Output: 7 of 9
}

func ExampleUnits() {
	units, err := shingle.ParseUnits("passage=4,2")
	if err != nil {
		log.Fatal(err)
	}
	for _, u := range units.Split([]byte("one two three, four five six")) {
		fmt.Printf("%d-%d %q\n", u.Start, u.End, u.Text)
	}
	// Output:
	// 0-20 "one two three, four "
	// 8-28 "three, four five six"
}

// Elements that are in most documents are left out of all.
func ExampleBoilerplate() {
	recipe, err := shingle.Parse("words=1/norm=1")
	if err != nil {
		log.Fatal(err)
	}
	hash := sketch.Hash{Algorithm: shingle.XXH3, Bits: 64}
	s, err := shingle.New(recipe.Elements(), hash, nil)
	if err != nil {
		log.Fatal(err)
	}
	count := shingle.NewFrequencies(1 << 20)
	for _, text := range []string{"Copyright by me. A tale", "Copyright by you. A story"} {
		s.Reset([]byte(text))
		hashes, err := shingle.AppendAll(nil, s)
		if err != nil {
			log.Fatal(err)
		}
		if err := count.Add(hashes); err != nil {
			log.Fatal(err)
		}
	}
	frequent, err := count.Frequent(1)
	if err != nil {
		log.Fatal(err)
	}
	common := shingle.NewBoilerplate(frequent)
	recipe.Without = common.Digest()
	if s, err = shingle.New(recipe.Elements(), hash, common); err != nil {
		log.Fatal(err)
	}
	s.Reset([]byte("Copyright by us. A poem"))
	left, err := shingle.AppendAll(nil, s)
	fmt.Println(common.Len(), len(left), err)
	// Output: 3 2 <nil>
}

// Options may stand in any order; a recipe is stored in one.
func ExampleRecipe() {
	r, err := shingle.Parse("chars=9/norm=1/html/fold")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r, r.Width, r.Elements())
	_, err = shingle.Parse("words=5/norm=1/space=one")
	fmt.Println(err)
	// Output:
	// chars=9/norm=1/fold/html 9 text/chars=9/norm=1/fold/html
	// recipe "words=5/norm=1/space=one": space=one: words have no white space in them
}

// Members of sets are hashed as they are.
func ExampleHasher() {
	h, err := shingle.NewHasher(sketch.Hash{Algorithm: shingle.XXH3, Bits: 64})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.Sum([]byte("apple")) == h.Sum([]byte("apple")), h.Sum([]byte("apple")) == h.Sum([]byte("pear")))
	// Output: true false
}

// The elements that are in more than one of three documents.
func ExampleFrequencies() {
	f := shingle.NewFrequencies(1 << 20)
	for _, document := range [][]uint64{{1, 2, 3}, {2, 3, 4}, {3, 5}} {
		if err := f.Add(document); err != nil {
			log.Fatal(err)
		}
	}
	frequent, err := f.Frequent(1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(frequent, "of", f.Documents(), "documents")
	// Output: [2 3] of 3 documents
}
