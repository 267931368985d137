// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

// A Collection says what Sketches makes: a collection as large as those of
// public genomes, without the genomes. Its clusters have Largest, Largest/2,
// Largest/3, ... sketches (Zipf's law), the rest is alone. A sketch has each hash
// of the ancestor of its cluster with a probability of its own, between 0.2 and
// 1, and random hashes instead of the others; so the Jaccard index within a
// cluster spreads over 0.02 to 1, and it is 0 between clusters.
type Collection struct {
	Seed    uint64
	Number  int // of sketches
	Largest int // sketches of the largest cluster
	Length  int // bases of a genome, from 90 to 110 %
	Params  sketch.Params
}

// Sketches calls yield for every sketch, cluster after cluster.
func (c Collection) Sketches(yield func(sketch.Item) error) error {
	if c.Number < 1 || c.Largest < 1 || c.Length < 1 {
		return fmt.Errorf("collection: at least one sketch, of one base, in the largest cluster")
	}
	if err := c.Params.Validate(); err != nil {
		return err
	}
	r := NewRand(c.Seed)
	for n, rank := 0, 1; n < c.Number; rank++ {
		size := min(max(1, c.Largest/rank), c.Number-n)
		length := c.Length/10*9 + r.IntN(c.Length/5+1)
		drawn, top := c.drawn(length)
		ancestor := r.hashes(drawn, top)
		for m := range size {
			set, err := c.member(r, ancestor, top)
			if err != nil {
				return err
			}
			meta := sketch.Meta{ID: fmt.Sprintf("c%05d_m%05d", rank, m), Length: uint64(length), Records: 1}
			if err := yield(sketch.Item{Meta: meta, Sketch: set}); err != nil {
				return err
			}
		}
		n += size
	}
	return nil
}

// drawn is how many hashes are drawn for a sketch, and up to which. Of those for
// bottom-k some too many are drawn, and left out in the end.
func (c Collection) drawn(length int) (n int, top uint64) {
	if c.Params.Family == sketch.FracMinHash {
		return length / int(c.Params.Scaled), sketch.MaxHash(c.Params.Scaled)
	}
	n = min(length, c.Params.Size+c.Params.Size/4)
	return n, sketch.MaxHash(uint64(length / n))
}

// hashes draws n numbers below top.
func (r *Rand) hashes(n int, top uint64) []uint64 {
	drawn := make([]uint64, n)
	for i := range drawn {
		drawn[i], _ = bits.Mul64(r.pcg.Uint64(), top)
	}
	return drawn
}

// member draws a descendant of an ancestor.
func (c Collection) member(r *Rand, ancestor []uint64, top uint64) (sketch.Sketch, error) {
	const permille = 1000
	keep := permille/5 + r.IntN(permille*4/5+1)
	kept := make([]uint64, 0, len(ancestor))
	for _, h := range ancestor {
		if r.IntN(permille) < keep {
			kept = append(kept, h)
		}
	}
	kept = append(kept, r.hashes(len(ancestor)-len(kept), top)...)
	slices.Sort(kept)
	kept = slices.Compact(kept)
	if c.Params.Family == sketch.BottomK {
		return bottomk.New(c.Params, kept[:min(len(kept), c.Params.Size)], nil)
	}
	return fracminhash.New(c.Params, kept, nil)
}
