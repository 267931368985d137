// SPDX-License-Identifier: Apache-2.0

package sketchtest

import (
	"errors"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/sketch"
)

// A Multiset is a whole set of elements, by their hashes, with how often each
// occurs.
type Multiset map[uint64]uint64

// Algebra are the operations on sets that a family has. Unknown is the error
// that an operation other than a union may give where sketches tell too little;
// nil if there is none.
type Algebra struct {
	Union      func(flat bool, sets ...sketch.Abundant) (*sketch.Set, error)
	Intersect  func(sets ...sketch.Abundant) (*sketch.Set, error)
	Subtract   func(set sketch.Abundant, others ...sketch.Abundant) (*sketch.Set, error)
	Inflate    func(set, from sketch.Abundant) (*sketch.Set, error)
	Filter     func(set sketch.Abundant, low, high uint64) (*sketch.Set, error)
	Flatten    func(set sketch.Abundant) (*sketch.Set, error)
	Unknown    error
	Of         func(Multiset, sketch.Params) (*sketch.Set, error) // the sketch of a whole set
	Fine, Next sketch.Params                                      // weighted; of the first and of other sketches
}

// RunAlgebra checks that what an operation makes of sketches is the sketch of
// what it makes of the whole sets, with the parameters that it claims.
func RunAlgebra(t *testing.T, a Algebra) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		pool := rapid.SliceOfNDistinct(rapid.Uint64Min(1), 1, 40, rapid.ID).Draw(rt, "pool")
		var sets []Multiset
		var sketches []sketch.Abundant
		for i := range 3 {
			set := Multiset{}
			for _, h := range pool {
				if n := rapid.Uint64Range(0, 3).Draw(rt, "n"); n > 0 {
					set[h] = n
				}
			}
			p := a.Fine
			if i > 0 {
				p = a.Next
			}
			s, err := a.Of(set, p)
			if err != nil {
				rt.Fatal(err)
			}
			sets, sketches = append(sets, set), append(sketches, s)
		}
		low := rapid.Uint64Range(1, 3).Draw(rt, "low")
		check := func(name string, want Multiset, flat bool) func(*sketch.Set, error) {
			return func(made *sketch.Set, err error) {
				if err != nil {
					if a.Unknown == nil || !errors.Is(err, a.Unknown) || name == "union" || name == "flatten" {
						rt.Fatalf("%s: %v", name, err)
					}
					return
				}
				p := made.Params()
				if p.Weighted == flat {
					rt.Fatalf("%s: weighted %t", name, p.Weighted)
				}
				whole, err := a.Of(want, p)
				if err != nil {
					rt.Fatal(err)
				}
				if got, expect := Of(made), Of(whole); !equal(got, expect) || made.Bound() != whole.Bound() {
					rt.Fatalf("%s of %v (%s):\n got %v\nwant %v", name, sets, p, got, expect)
				}
			}
		}
		check("union", union(sets), false)(a.Union(false, sketches...))
		check("union", union(sets), true)(a.Union(true, sketches...))
		check("intersection", both(sets[0], sets[1], sets[2]), true)(a.Intersect(sketches...))
		check("difference", without(sets[0], sets[1], sets[2]), true)(a.Subtract(sketches[0], sketches[1:]...))
		check("inflated", both(sets[1], sets[0]), false)(a.Inflate(sketches[0], sketches[1]))
		check("filtered", between(sets[0], low, low+1), false)(a.Filter(sketches[0], low, low+1))
		check("flatten", sets[0], true)(a.Flatten(sketches[0]))
	})
}

func union(sets []Multiset) Multiset {
	all := Multiset{}
	for _, s := range sets {
		for h, n := range s {
			all[h] += n
		}
	}
	return all
}

// both is what all sets have, with the numbers of the first.
func both(first Multiset, others ...Multiset) Multiset {
	left := maps.Clone(first)
	for _, o := range others {
		maps.DeleteFunc(left, func(h, _ uint64) bool { return o[h] == 0 })
	}
	return left
}

func without(set Multiset, others ...Multiset) Multiset {
	left := maps.Clone(set)
	for _, o := range others {
		maps.DeleteFunc(left, func(h, _ uint64) bool { return o[h] > 0 })
	}
	return left
}

func between(set Multiset, low, high uint64) Multiset {
	left := maps.Clone(set)
	maps.DeleteFunc(left, func(_, n uint64) bool { return n < low || n > high })
	return left
}
