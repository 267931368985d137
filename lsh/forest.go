// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/gsketch/gsketch/sketch"
)

// A Forest finds the k nearest without a threshold: l trees over prefixes of l
// parts of the signature, searched from the deepest prefix upwards (Bawa, Condie
// and Ganesan 2005, doi:10.1145/1060745.1060840). It is filled once, then
// searched; searching is safe for concurrent use.
type Forest struct {
	params sketch.Params
	depth  int
	trees  []tree
	rows   map[uint32]sketch.Signature // for ranking
}

// A tree is sorted by its part of the signature, equals by the order of adding.
type tree struct {
	keys [][]uint64
	rows []uint32
}

// NewForest returns a Forest of l trees; each has Size/l slots as its depth.
func NewForest(p sketch.Params, l int) (*Forest, error) {
	if p.SlotBits() == 0 {
		return nil, fmt.Errorf("lsh: %s sketches have no slots", p.Family)
	}
	if l < 1 || l > p.Size {
		return nil, fmt.Errorf("lsh: %d trees over %d slots", l, p.Size)
	}
	return &Forest{params: p, depth: p.Size / l, trees: make([]tree, l), rows: map[uint32]sketch.Signature{}}, nil
}

// Params are those of the signatures.
func (f *Forest) Params() sketch.Params { return f.params }

// Insert adds a signature; Index must be called before the next search.
func (f *Forest) Insert(row uint32, s sketch.Signature) error {
	if err := checkComparable(f.params, s.Params()); err != nil {
		return err
	}
	if e, ok := s.(sketch.Estimable); ok && e.Empty() {
		return ErrEmpty
	}
	if _, ok := f.rows[row]; ok {
		return fmt.Errorf("lsh: row %d is there already", row)
	}
	slots := s.AppendSlots(nil)
	f.rows[row] = s
	for i := range f.trees {
		t := &f.trees[i]
		t.keys = append(t.keys, f.part(slots, i))
		t.rows = append(t.rows, row)
	}
	return nil
}

// part is the part of the slots that tree i sorts by.
func (f *Forest) part(slots []uint64, i int) []uint64 {
	n := f.depth * f.params.Stride()
	return slots[i*n : (i+1)*n]
}

// Index sorts the trees.
func (f *Forest) Index() {
	for i := range f.trees {
		sort.Stable(byKey{&f.trees[i]})
	}
}

type byKey struct{ *tree }

func (b byKey) Len() int           { return len(b.keys) }
func (b byKey) Less(i, j int) bool { return slices.Compare(b.keys[i], b.keys[j]) < 0 }
func (b byKey) Swap(i, j int) {
	b.keys[i], b.keys[j] = b.keys[j], b.keys[i]
	b.rows[i], b.rows[j] = b.rows[j], b.rows[i]
}

// Nearest returns up to k rows in the order in which the deepest common prefixes
// come up, as datasketch collects them: good candidates for the k best, not
// ranked.
func (f *Forest) Nearest(s sketch.Signature, k int) ([]uint32, error) {
	if err := checkComparable(f.params, s.Params()); err != nil {
		return nil, err
	}
	if e, ok := s.(sketch.Estimable); ok && e.Empty() {
		return nil, nil
	}
	slots := s.AppendSlots(nil)
	var found []uint32
	seen := map[uint32]bool{}
	for depth := f.depth; depth > 0; depth-- {
		n := depth * f.params.Stride()
		for i, t := range f.trees {
			prefix := f.part(slots, i)[:n]
			at := sort.Search(len(t.keys), func(j int) bool { return slices.Compare(t.keys[j][:n], prefix) >= 0 })
			for ; at < len(t.keys) && slices.Equal(t.keys[at][:n], prefix); at++ {
				if !seen[t.rows[at]] {
					if len(found) == k {
						return found, nil
					}
					seen[t.rows[at]] = true
					found = append(found, t.rows[at])
				}
			}
		}
	}
	return found, nil
}

// TopK returns the k best of ahead*k candidates (ahead at least 1), by falling
// estimate, equals by row, with confidence intervals. If the trees have fewer
// than k candidates, all rows are compared, so that k rows come back where there
// are so many.
func (f *Forest) TopK(s sketch.Estimable, k, ahead int, confidence float64) ([]Hit, error) {
	rows, err := f.Nearest(s, k*max(1, ahead))
	if err != nil || s.Empty() {
		return nil, err
	}
	if len(rows) < min(k, len(f.rows)) {
		rows = slices.Collect(maps.Keys(f.rows))
	}
	hits, err := Rank(s, rows, func(row uint32) sketch.Signature { return f.rows[row] }, confidence)
	return hits[:min(k, len(hits))], err
}
