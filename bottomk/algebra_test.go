// SPDX-License-Identifier: Apache-2.0

package bottomk

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
	hashes := slices.Sorted(maps.Keys(set))
	hashes = hashes[:min(p.Size, len(hashes))]
	var counts []uint64
	if p.Weighted {
		for _, h := range hashes {
			counts = append(counts, set[h])
		}
	}
	return New(p, hashes, counts)
}

func TestAlgebra(t *testing.T) {
	for _, sizes := range [][2]int{{10, 7}, {5, 20}, {40, 40}, {1, 1}} {
		sketchtest.RunAlgebra(t, sketchtest.Algebra{Union: Union, Intersect: Intersect, Subtract: Subtract, Inflate: Inflate, Filter: Filter, Flatten: Flatten,
			Unknown: ErrUnknown, Of: of, Fine: params(sizes[0], true), Next: params(sizes[1], true)})
	}
}

func set(t *testing.T, size int, hashes ...uint64) *sketch.Set {
	t.Helper()
	s, err := New(params(size, false), hashes, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What is known of a result is no less than the sketches tell.
func TestSizesOfResults(t *testing.T) {
	full, all := set(t, 4, 1, 2, 3, 8), set(t, 10, 2, 3, 5, 9)
	for name, c := range map[string]struct {
		made func() (*sketch.Set, error)
		want *sketch.Set
	}{
		"common":            {func() (*sketch.Set, error) { return Intersect(full, all) }, set(t, 2, 2, 3)},
		"common of all":     {func() (*sketch.Set, error) { return Intersect(all, set(t, 6, 1, 5)) }, set(t, 6, 5)},
		"all less full":     {func() (*sketch.Set, error) { return Subtract(all, full) }, set(t, 1, 5)}, // 9 may be in the other set
		"full less all":     {func() (*sketch.Set, error) { return Subtract(full, all) }, set(t, 2, 1, 8)},
		"nothing, all told": {func() (*sketch.Set, error) { return Subtract(all, all) }, set(t, 10)},
	} {
		made, err := c.made()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if made.Params() != c.want.Params() || !slices.Equal(made.Hashes(), c.want.Hashes()) {
			t.Errorf("%s: %v of size %d, want %v of size %d", name, made.Hashes(), made.Params().Size, c.want.Hashes(), c.want.Params().Size)
		}
	}
	if made, err := Subtract(full, full); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v, %v", made, err)
	}
}

func TestFrom(t *testing.T) {
	p := sketch.Params{Family: sketch.FracMinHash, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Scaled: 2}
	frac, err := sketch.NewSet(p, []uint64{1, 2, 3}, nil, sketch.MaxHash(2))
	if err != nil {
		t.Fatal(err)
	}
	made, err := From(frac, 2)
	if err != nil || made.Params() != params(2, false) || !slices.Equal(made.Hashes(), []uint64{1, 2}) {
		t.Errorf("%v, %v", made, err)
	}
	if made, err := From(frac, 4); err == nil {
		t.Errorf("of 3 hashes: %v", made.Hashes())
	}
	if made, err := From(set(t, 4, 1, 2), 5); err == nil {
		t.Errorf("of size 4: %v", made.Params())
	}
}

func TestMismatches(t *testing.T) {
	a := set(t, 4, 1)
	p := params(4, false)
	p.Elements.K = 31
	k31, err := New(p, []uint64{1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	weighted, err := New(params(4, true), []uint64{1}, []uint64{2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Intersect(a, k31); !errors.Is(err, sketch.ErrIncompatible) {
		t.Errorf("k: %v", err)
	}
	if _, err := Union(false, a, weighted); !errors.Is(err, sketch.ErrIncompatible) {
		t.Errorf("abundances: %v", err)
	}
	if _, err := Union(true, a, weighted); err != nil {
		t.Error(err)
	}
	if _, err := Filter(a, 1, 2); err == nil {
		t.Error("no abundances, and filtered by them")
	}
	if _, err := Union(true); err == nil {
		t.Error("a union of nothing")
	}
}
