// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/internal/interval"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// Sketches are those of one kind in sketch files. In one process a sketch is
// known by its place, in tables by its row.
type Sketches struct {
	Params sketch.Params
	rows   []int64 // ascending
	items  []sketch.Item
}

// LoadSketches reads sketch files, all of one kind; wanted chooses among the
// kinds that the first file has. Where keyed, rows are those that the files give,
// as shards do, and must differ, and files may be empty; otherwise sketches are
// numbered in order.
func LoadSketches(paths []string, keyed bool, wanted func(sketch.Params) bool, o formats.OpenOptions) (*Sketches, error) {
	s := &Sketches{}
	first := "" // of the files that have sketches
	for _, path := range paths {
		all, err := formats.Open(path, o)
		if err != nil {
			return nil, err
		}
		if keyed && len(all) == 0 {
			continue
		}
		c, err := chosen(path, all, wanted)
		if err != nil {
			return nil, err
		}
		if first == "" {
			s.Params, first = c.Params(), path
		} else if c.Params() != s.Params {
			if err := s.Params.Comparable(c.Params()); err != nil {
				return nil, fmt.Errorf("%s and %s: %w", first, path, err)
			}
			return nil, fmt.Errorf("%s and %s: %w", first, path, &sketch.MismatchError{Field: "parameters", Left: s.Params.String(), Right: c.Params().String()})
		}
		s.items = append(s.items, formats.InFileOrder([]sketch.Collection{c})...)
	}
	if int64(len(s.items)) > math.MaxUint32 {
		return nil, fmt.Errorf("%d sketches; one process takes %d", len(s.items), uint32(math.MaxUint32))
	}
	if keyed {
		return s, s.sortByRow()
	}
	for i := range s.items {
		s.rows = append(s.rows, int64(i))
	}
	return s, nil
}

// chosen is the one collection of a file that is wanted.
func chosen(path string, all []sketch.Collection, wanted func(sketch.Params) bool) (sketch.Collection, error) {
	var found sketch.Collection
	for _, c := range all {
		switch {
		case !wanted(c.Params()):
		case found != nil:
			return nil, fmt.Errorf("%s has more than one kind of sketch; choose by --family or -k: %w", path,
				&sketch.MismatchError{Field: "parameters", Left: found.Params().String(), Right: c.Params().String()})
		default:
			found = c
		}
	}
	if found == nil {
		return nil, sketch.BadInput(path, fmt.Errorf("none of its sketches fits what is asked for"))
	}
	return found, nil
}

func (s *Sketches) sortByRow() error {
	slices.SortStableFunc(s.items, func(a, b sketch.Item) int { return cmp.Compare(a.Meta.Row, b.Meta.Row) })
	for i, it := range s.items {
		if i > 0 && it.Meta.Row == s.items[i-1].Meta.Row {
			return fmt.Errorf("row %d is given twice, as %s and as %s: %w", it.Meta.Row, s.items[i-1].Meta.Label(), it.Meta.Label(), ErrRows)
		}
		s.rows = append(s.rows, it.Meta.Row)
	}
	return nil
}

// Len is the number of sketches.
func (s *Sketches) Len() int { return len(s.items) }

// ordinal is the place of a row.
func (s *Sketches) ordinal(row int64) (uint32, error) {
	i, ok := slices.BinarySearch(s.rows, row)
	if !ok {
		return 0, fmt.Errorf("row %d: %w", row, ErrRows)
	}
	return uint32(i), nil
}

// The measures of sketches, as Options.Measure spells them.
const (
	Jaccard        = "jaccard"
	MaxContainment = "max-containment" // of the smaller set in the larger; FracMinHash
	ANI            = "ani"             // average nucleotide identity; bottom-k and FracMinHash of k-mers
)

const confidence = 0.95

// A sketchComparer estimates by sketches.
type sketchComparer struct {
	sketches *Sketches
	measure  string
	bare     bool // no interval, which takes far longer than the estimate
}

// Compare estimates a pair. Containments are NaN but for FracMinHash.
func (c *sketchComparer) Compare(a, b uint32) (Edge, error) {
	x, y := c.sketches.items[a], c.sketches.items[b]
	e := Edge{A: a, B: b, AB: math.NaN(), BA: math.NaN()}
	if s, ok := x.Sketch.(sketch.Signature); ok {
		estimable, ok := s.(sketch.Estimable)
		if !ok {
			var err error
			if estimable, err = minhash.New(s.Params(), s.AppendSlots(nil)); err != nil {
				return e, err
			}
		}
		level := confidence
		if c.bare {
			level = 0
		}
		v, err := estimable.Similarity(y.Sketch.(sketch.Signature), level)
		e.Similarity, e.Low, e.High = v.Value, v.Low, v.High
		return e, err
	}
	p := distance.Compare(x, y)
	if p.Scaled > 0 {
		e.AB, e.BA = p.Containment(), p.ReverseContainment()
	}
	e.Similarity = measured(p, c.measure)
	switch {
	case c.bare:
	case c.measure == ANI && p.Scaled > 0:
		e.Low, e.High = p.MaxANIInterval(confidence)
	case c.measure == ANI:
		e.Low, e.High = p.ANIRange(confidence)
	case p.Scaled == 1 || c.measure == MaxContainment: // exact; no model for the other
		e.Low, e.High = e.Similarity, e.Similarity
	default:
		e.Low, e.High = interval.Proportion(float64(p.Shared), float64(p.Of), confidence)
	}
	return e, nil
}

func measured(p distance.Pair, measure string) float64 {
	switch measure {
	case ANI:
		return p.ANI()
	case MaxContainment:
		return p.MaxContainment()
	}
	return p.Jaccard()
}

// signature is what an item is banded by: its slots, or those that its hashes
// are binned into.
func signature(it sketch.Item, slots int) (sketch.Signature, error) {
	if s, ok := it.Sketch.(sketch.Signature); ok {
		return s, nil
	}
	return minhash.OPHOf(it.Sketch.(sketch.HashSet), slots, sketch.Optimal)
}
