// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/sketch"
)

// indexed is the directories of the references if they are indexes, else nil.
func (o *searchOptions) indexed() (dirs []string, err error) {
	for _, r := range o.references {
		if index.IsIndex(r) {
			dirs = append(dirs, r)
		}
	}
	if dirs != nil && len(dirs) < len(o.references)+len(o.referenceOptions.lists) {
		return nil, usagef("%s is an index: either all references are, named by -r, or none", dirs[0])
	}
	return dirs, nil
}

// open opens indexes and brings the queries to their kind.
func (s *searching) open(ctx context.Context, dirs []string, queries []source, warn func(string)) error {
	o := s.o
	for i, dir := range dirs {
		x, err := index.Open(dir)
		if err != nil {
			return err
		}
		s.indexes, s.dirs = append(s.indexes, x), append(s.dirs, dir)
		first, p := s.indexes[0].Params(), x.Params()
		if err := first.Comparable(p); err != nil {
			return fmt.Errorf("%s and %s: %w", dirs[0], dirs[i], err)
		}
		if first != p {
			return fmt.Errorf("%s and %s: %w", dirs[0], dirs[i], &sketch.MismatchError{Field: "size, scaled or abundances", Left: first.String(), Right: p.String()})
		}
	}
	p := s.indexes[0].Params()
	if o.measure == "angular" && !p.Weighted {
		return usagef("%s holds no abundances, which angular similarity needs: build it from sketches with abundances", dirs[0])
	}
	if strings.Contains(o.measure, "containment") && p.Family == sketch.BottomK {
		return usagef("%s holds %s sketches, of which no containment follows: build it from %s ones", dirs[0], sketch.BottomK, sketch.FracMinHash)
	}
	p.Weighted = false // raw queries, as with a file
	var err error
	s.queries, err = o.items(ctx, queries, class(p), p, o.threads, warn)
	return err
}

func (s *searching) close() {
	for _, x := range s.indexes {
		x.Close()
	}
}

// found are the sketches in the indexes that share something with a query. Where
// abundances count, or on demand, the best of them are read and compared as a
// whole.
func (s *searching) found(q sketch.Item) ([]match, error) {
	var found []match
	for i, x := range s.indexes {
		hits, err := x.Search(q)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			found = append(found, match{meta: h.Meta, path: s.dirs[i], pair: h.Pair, place: len(found), index: i, hit: h})
		}
	}
	o := s.o
	angular := o.measure == "angular" || o.measure == "" && !o.flat && q.Sketch.Params().Weighted && s.indexes[0].Params().Weighted
	if !angular && o.refine == 0 {
		return found, nil
	}
	if o.refine > 0 {
		for i := range found {
			found[i].score = found[i].pair.Jaccard()
			if !angular {
				found[i].score = s.score(q, found[i])
			}
		}
		slices.SortFunc(found, better)
		found = found[:min(o.refine, len(found))]
	}
	if err := s.read(found); err != nil {
		return nil, err
	}
	for i := range found {
		found[i].pair = distance.Compare(q, sketch.Item{Meta: found[i].meta, Sketch: found[i].set})
	}
	return found, nil
}

// read reads the sketches of matches that have none yet.
func (s *searching) read(found []match) error {
	for i, x := range s.indexes {
		var at []int
		var hits []index.Hit
		for j, m := range found {
			if m.set == nil && m.index == i {
				at, hits = append(at, j), append(hits, m.hit)
			}
		}
		sets, err := x.Sketches(hits)
		if err != nil {
			return err
		}
		for k, j := range at {
			found[j].set = sets[k]
		}
	}
	return nil
}
