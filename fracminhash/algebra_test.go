// SPDX-License-Identifier: Apache-2.0

package fracminhash

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

// of is the sketch of a whole set.
func of(set sketchtest.Multiset, p sketch.Params) (*sketch.Set, error) {
	var hashes, counts []uint64
	for _, h := range slices.Sorted(maps.Keys(set)) {
		if h <= sketch.MaxHash(p.Scaled) {
			hashes = append(hashes, h)
			if p.Weighted {
				counts = append(counts, set[h])
			}
		}
	}
	return New(p, hashes, counts)
}

func TestAlgebra(t *testing.T) {
	for _, scaled := range [][2]uint64{{2, 2}, {1, 3}, {4, 2}} {
		sketchtest.RunAlgebra(t, sketchtest.Algebra{Union: Union, Intersect: Intersect, Subtract: Subtract, Inflate: Inflate, Filter: Filter, Flatten: Flatten,
			Of: of, Fine: params(scaled[0], true), Next: params(scaled[1], true)})
	}
}

// A bottom-k sketch includes a FracMinHash sketch up to its largest hash, and
// all of them if it is not full.
func TestFrom(t *testing.T) {
	p := sketch.Params{Family: sketch.BottomK, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: 3}
	top := sketch.MaxHash(1000)
	full, err := sketch.NewSet(p, []uint64{0, 5, top + 1}, nil, top+1)
	if err != nil {
		t.Fatal(err)
	}
	made, err := From(full, 1000)
	if err != nil || made.Params() != params(1000, false) || !slices.Equal(made.Hashes(), []uint64{5}) {
		t.Errorf("%v, %v", made, err)
	}
	if made, err := From(full, 999); err == nil {
		t.Errorf("beyond its largest hash: %v", made.Hashes())
	}
}

func TestMismatches(t *testing.T) {
	flat, err1 := New(params(2, false), []uint64{1}, nil)
	weighted, err2 := New(params(2, true), []uint64{1}, []uint64{2})
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if _, err := Union(false, flat, weighted); !errors.Is(err, sketch.ErrIncompatible) {
		t.Error(err)
	}
	if _, err := Inflate(weighted, flat); err == nil {
		t.Error("abundances of nothing")
	}
	if _, err := Intersect(); err == nil {
		t.Error("an intersection of nothing")
	}
}
