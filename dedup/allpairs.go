// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"
	"fmt"
	"math"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

// MostAll bounds the documents of which all pairs are compared: their sets lie
// in memory, and time grows with the pairs that share anything.
const MostAll = 100_000

// allPairs makes candidates of all pairs that are as similar as the threshold (of
// edits: that share anything), found by an inverted index of all elements.
func (p *pipeline) allPairs(ctx context.Context) error {
	if n := len(p.docs.ids); n > MostAll {
		return fmt.Errorf("%d documents; all pairs of at most %d are compared: take candidates by bands", n, MostAll)
	}
	items, rows, err := p.hashSets(func(row uint32) bool {
		_, known := p.indexed[row]
		return p.docs.first[row] == row && !known
	})
	if err != nil {
		return err
	}
	sets := make([]sketch.HashSet, len(items))
	for i := range items {
		sets[i] = items[i].Sketch.(sketch.HashSet)
	}
	measure, least := p.opts.Measure, p.opts.Threshold
	switch p.opts.Verify {
	case ByContainment:
		measure = MaxContainment
	case Edit:
		least = math.SmallestNonzeroFloat64 // all that share a shingle: spans are not aligned without one
	}
	return distance.Triangle(ctx, sets, distance.Options{Threads: p.opts.Threads, Sparse: true},
		func(i int, counts []distance.Count, reuse []uint32) ([]uint32, error) {
			reuse = append(reuse[:0], rows[i])
			for _, c := range counts {
				if measured(distance.Counted(items[i], items[c.Col], c), measure) >= least {
					reuse = append(reuse, rows[c.Col])
				}
			}
			return reuse, nil
		}, func(found []uint32) error {
			for _, b := range found[1:] {
				a := found[0]
				if err := p.pairs.add(triple{key: uint64(min(a, b))<<32 | uint64(max(a, b))}); err != nil {
					return err
				}
			}
			return nil
		})
}

// hashSets are the sets of wanted documents with their rows; of copies, the first.
func (p *pipeline) hashSets(wanted func(row uint32) bool) (items []sketch.Item, rows []uint32, err error) {
	if p.sketches != nil {
		for i, it := range p.sketches.items {
			if _, ok := it.Sketch.(sketch.HashSet); !ok {
				return nil, nil, fmt.Errorf("%s sketches are compared by bands, not all with all", p.sketches.Params.Family)
			}
			if wanted(uint32(i)) {
				items, rows = append(items, it), append(rows, uint32(i))
			}
		}
		return items, rows, nil
	}
	all := sketch.Params{Family: sketch.FracMinHash, Elements: p.opts.Params.Elements, Hash: p.opts.Params.Hash, Scaled: 1}
	all.Hash.Permutation, all.Hash.Seed = "", 0
	c := exactComparer{sets: p.sets}
	for i, first := range p.docs.first {
		row := uint32(i)
		if p.docs.sizes[row] == 0 || !wanted(row) {
			continue
		}
		hashes, err := c.set(nil, first)
		if err != nil {
			return nil, nil, err
		}
		set, err := fracminhash.New(all, hashes, nil)
		if err != nil {
			return nil, nil, err
		}
		items, rows = append(items, sketch.Item{Sketch: set}), append(rows, row)
	}
	return items, rows, nil
}
