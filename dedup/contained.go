// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/sketch"
)

// A container is the kept document that holds most of another kept one.
type container struct {
	row         uint32
	containment float64
	similarity  float64
}

// contained finds, for each document that is kept, the larger kept one that has
// at least the share asked for of its elements: by an inverted index, so that
// the sizes do not matter as they do to a banding. Among equals the larger, then the one
// that is preferred. What it finds is not kept any more.
func (p *pipeline) contained(ctx context.Context) (int, error) {
	if p.opts.Containment == 0 {
		return 0, nil
	}
	items, rows, err := p.hashSets(func(row uint32) bool {
		if _, known := p.indexed[p.docs.first[row]]; known {
			return false
		}
		return p.verdict.kept[p.verdict.cluster[row]] == row
	})
	if err != nil {
		return 0, err
	}
	sets := make([]sketch.HashSet, len(items))
	for i := range items {
		sets[i] = items[i].Sketch.(sketch.HashSet)
	}
	best := map[uint32]container{}
	consider := func(small, large int, shared float64) {
		a, b := rows[small], rows[large]
		na, nb := float64(sets[small].Len()), float64(sets[large].Len())
		c := container{b, shared / na, shared / (na + nb - shared)}
		if c.containment < p.opts.Containment || p.docs.isNew(a) == 0 || na == nb && p.prefer.of(a) < p.prefer.of(b) || na > nb {
			return
		}
		old, known := best[a]
		if size := float64(p.docs.sizes[old.row]); !known || c.containment > old.containment ||
			c.containment == old.containment && (nb > size || nb == size && p.prefer.of(b) < p.prefer.of(old.row)) {
			best[a] = c
		}
	}
	err = distance.Triangle(ctx, sets, distance.Options{Threads: p.opts.Threads, Sparse: true},
		func(i int, counts []distance.Count, reuse []distance.Count) ([]distance.Count, error) {
			reuse = append(reuse[:0], distance.Count{Col: uint32(i)})
			for _, c := range counts {
				if float64(c.Shared) >= p.opts.Containment*float64(min(sets[i].Len(), sets[c.Col].Len())) {
					reuse = append(reuse, c)
				}
			}
			return reuse, nil
		}, func(found []distance.Count) error {
			i := int(found[0].Col)
			for _, c := range found[1:] {
				consider(i, int(c.Col), float64(c.Shared))
				consider(int(c.Col), i, float64(c.Shared))
			}
			return nil
		})
	p.containers = best
	return len(best), err
}

// holder is the document that is kept in favour of a contained one, through
// containers that are themselves contained.
func (r *Result) holder(row uint32) (uint32, bool) {
	c, found := r.containers[row]
	if !found {
		return row, false
	}
	for {
		next, more := r.containers[c.row]
		if !more {
			return c.row, true
		}
		c = next
	}
}
