// SPDX-License-Identifier: Apache-2.0

package simhash

import (
	"fmt"
	"math"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/internal/radix"
	"github.com/gsketch/gsketch/sketch"
)

// A Builder makes sketches of the hashes of features. Not weighted, each
// distinct hash counts once, and they are kept until Finish; weighted, each
// copy counts, or has a weight of its own, and only the sums are kept.
//
// The first 64 bits are those of the hash itself; the next 64 those of the mixed
// hash, since there is only one.
type Builder struct {
	params sketch.Params
	sums   sums
	seen   []uint64 // not weighted
	cutAt  int
}

// firstCut is the number of hashes at which repeats are dropped for the first
// time.
const firstCut = 1 << 14

// NewBuilder returns an empty builder.
func NewBuilder(p sketch.Params) (*Builder, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	if p.Hash.Bits != 64 {
		return nil, fmt.Errorf("fingerprints need hashes of 64 bits, not %d", p.Hash.Bits)
	}
	return &Builder{params: p, cutAt: firstCut}, nil
}

func (b *Builder) Params() sketch.Params { return b.params }

// Bound is the largest hash: each feature counts.
func (b *Builder) Bound() uint64 { return math.MaxUint64 }

// AddHashes never fails.
func (b *Builder) AddHashes(hashes []uint64) error {
	if b.params.Weighted {
		b.sums.count(hashes, b.params.Size)
		return nil
	}
	b.seen = append(b.seen, hashes...)
	if len(b.seen) >= b.cutAt {
		b.cut()
		b.cutAt = max(2*len(b.seen), firstCut)
	}
	return nil
}

func (b *Builder) cut() { b.seen = radix.SortUnique(b.seen) }

// AddWeighted adds features with weights, which may be negative but must be
// finite, to a weighted sketch. Sums of weights that are integers below 2^53 do
// not depend on order; those of others may in their last bits.
func (b *Builder) AddWeighted(hashes []uint64, weights []float64) error {
	if !b.params.Weighted {
		return fmt.Errorf("weights for a sketch without: %s", b.params)
	}
	if len(hashes) != len(weights) {
		return fmt.Errorf("%d weights for %d features", len(weights), len(hashes))
	}
	for i, w := range weights {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("weight %v (place %d) is not finite", w, i)
		}
	}
	for i, w := range weights {
		b.sums.add(words(hashes[i]), w, b.params.Size)
	}
	return nil
}

// Merge takes over the features of another *Builder with the same Params.
func (b *Builder) Merge(other sketch.Builder) error {
	o, ok := other.(*Builder)
	if !ok || o.params != b.params {
		return sketch.ErrIncompatible
	}
	for i, s := range o.sums {
		b.sums[i] += s
	}
	err := error(nil)
	if len(o.seen) > 0 {
		err = b.AddHashes(o.seen)
	}
	o.reset()
	return err
}

// Finish returns a *Sketch and empties the builder.
func (b *Builder) Finish() (sketch.Sketch, error) {
	s, _ := b.FinishMargins()
	return s, nil
}

// FinishMargins is Finish with the margin of each bit: by how much the weights
// of one side exceed those of the other. A bit of small margin is the likeliest
// to differ in a similar set.
func (b *Builder) FinishMargins() (*Sketch, []float64) {
	b.cut()
	b.sums.count(b.seen, b.params.Size)
	s := &Sketch{params: b.params, bits: b.sums.signs()}
	margins := make([]float64, b.params.Size)
	for i := range margins {
		margins[i] = math.Abs(b.sums[i])
	}
	b.reset()
	return s, margins
}

func (b *Builder) reset() {
	b.sums = sums{}
	b.seen = b.seen[:0]
	b.cutAt = firstCut
}

// words are the bits that a feature votes with.
func words(h uint64) Fingerprint { return Fingerprint{h, mix.Bits64(h ^ mix.Golden)} }

// sums are the weights with a bit set less those without.
type sums [128]float64

func (s *sums) add(f Fingerprint, w float64, size int) {
	for i := range size {
		if f[i/64]>>(i%64)&1 == 1 {
			s[i] += w
		} else {
			s[i] -= w
		}
	}
}

// signs are the bits whose sum is above 0.
func (s *sums) signs() Fingerprint {
	var f Fingerprint
	for i, v := range s {
		if v > 0 {
			f[i/64] |= 1 << (i % 64)
		}
	}
	return f
}

// count adds hashes of weight 1 each.
func (s *sums) count(hashes []uint64, size int) {
	var c counters
	for len(hashes) > 0 {
		batch := hashes[:min(len(hashes), 255)]
		hashes = hashes[len(batch):]
		c.flush(s[:64], batch)
		if size == 128 {
			var second [255]uint64
			for i, h := range batch {
				second[i] = words(h)[1]
			}
			c.flush(s[64:], second[:len(batch)])
		}
	}
}

// counters are 64 counters of a byte each: counter i%8 of word i/8 counts bit i.
type counters [8]uint64

// flush counts the bits of at most 255 words and adds to sums what a bit has
// more ones than zeros.
func (c *counters) flush(sums []float64, words []uint64) {
	*c = counters{}
	for _, w := range words {
		for i := range c {
			c[i] += spread[byte(w>>(8*i))]
		}
	}
	for i := range 64 {
		ones := c[i/8] >> (8 * (i % 8)) & 255
		sums[i] += float64(2*int(ones) - len(words))
	}
}

// spread[b] has byte i set to bit i of b.
var spread = func() (table [256]uint64) {
	for b := range table {
		for i := range 8 {
			table[b] |= uint64(b) >> i & 1 << (8 * i)
		}
	}
	return table
}()
