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
