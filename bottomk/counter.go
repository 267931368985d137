// SPDX-License-Identifier: Apache-2.0

package bottomk

import (
	"github.com/gsketch/gsketch/internal/radix"
	"github.com/gsketch/gsketch/sketch"
)

// A Counter is the Builder of sketches with abundances or a minimum number of
// copies: the s smallest distinct hashes that occur at least MinCopies times,
// exactly that set whatever the order, with exact counts.
//
// Once s hashes with enough copies are known, no hash above the s-th of them
// can belong to the sketch: that is the bound, and counts above it are
// forgotten. Since the bound only falls, every hash that ends up in the sketch
// was counted from its first copy on.
type Counter struct {
	params   sketch.Params
	how      sketch.Counting
	bound    uint64
	tally    *sketch.Tally
	cutAt    int // number of distinct hashes at which the bound is looked for again
	frequent []uint64
	seen     uint64
	kept     uint64
	rate     float64
}

// NewCounter returns a Counter. The sketch has abundances if p.Weighted.
func NewCounter(p sketch.Params, how sketch.Counting) *Counter {
	c := &Counter{params: p, how: how, tally: sketch.NewTally(how)}
	c.reset()
	return c
}

func (c *Counter) Params() sketch.Params { return c.params }
func (c *Counter) Bound() uint64         { return c.bound }

// Start lowers the bound before the first hash, where the caller can guess below
// which hash the sketch will lie. Full tells whether the guess was high enough;
// if not, the input must be read again without it.
func (c *Counter) Start(bound uint64) { c.bound = min(c.bound, bound) }

// Full says whether s hashes with enough copies are known. Counts that were
// spilled are not looked at.
func (c *Counter) Full() bool {
	c.frequent = c.tally.AppendFrequent(c.frequent[:0], c.how.MinCopies)
	return len(c.frequent) >= c.params.Size
}

// AddHashes fails if counts cannot be spilled.
func (c *Counter) AddHashes(hashes []uint64) error {
	for _, h := range hashes {
		if h > c.bound {
			continue
		}
		if err := c.tally.Add(h, 1); err != nil {
			return err
		}
		if c.tally.Len() >= c.cutAt {
			c.cut()
		}
	}
	return nil
}

// cut lowers the bound to the s-th smallest hash with enough copies. Looking
// again only when the number of hashes has doubled makes its cost per hash
// constant.
func (c *Counter) cut() {
	c.frequent = c.tally.AppendFrequent(c.frequent[:0], c.how.MinCopies)
	if s := c.params.Size; len(c.frequent) >= s {
		radix.Sort(c.frequent)
		c.bound = min(c.bound, c.frequent[s-1])
		c.tally.Prune(c.bound)
	}
	c.cutAt = max(2*c.tally.Len(), c.firstCut())
}

func (c *Counter) firstCut() int { return min(4*c.params.Size, 1<<20) }

// Merge takes over the counts of another *Counter with the same parameters. An
// approximate filter depends on order, so counters with one do not merge.
func (c *Counter) Merge(other sketch.Builder) error {
	o, ok := other.(*Counter)
	if !ok || o.params != c.params || o.how != c.how || c.how.FilterBytes > 0 {
		return sketch.ErrIncompatible
	}
	c.bound = min(c.bound, o.bound)
	err := c.tally.Merge(o.tally)
	o.reset()
	c.cut()
	return err
}

// Finish returns the sketch and empties the counter.
func (c *Counter) Finish() (sketch.Sketch, error) {
	var hashes, counts []uint64
	var seen uint64
	err := c.tally.Each(func(h, n uint64) bool {
		seen++
		if n >= c.how.MinCopies {
			hashes = append(hashes, h)
			counts = append(counts, n)
		}
		return len(hashes) < c.params.Size && h <= c.bound
	})
	rate := c.tally.FalsePositives()
	c.reset()
	if err != nil {
		return nil, err
	}
	c.seen, c.kept, c.rate = seen, uint64(len(hashes)), rate
	if !c.params.Weighted {
		counts = nil
	}
	return New(c.params, hashes, counts)
}

// Filtered tells of the last sketch how many distinct hashes, up to its
// largest one, were looked at and how many had enough copies.
func (c *Counter) Filtered() (seen, kept uint64) { return c.seen, c.kept }

// FalsePositives is the rate of the approximate filter at the last Finish.
func (c *Counter) FalsePositives() float64 { return c.rate }

func (c *Counter) reset() {
	c.bound = widest(c.params)
	c.tally.Reset()
	c.cutAt = c.firstCut()
}
