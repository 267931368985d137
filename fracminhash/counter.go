// SPDX-License-Identifier: Apache-2.0

package fracminhash

import "github.com/gsketch/gsketch/sketch"

// A Counter is the Builder of sketches with abundances or a minimum number of
// copies.
type Counter struct {
	params sketch.Params
	how    sketch.Counting
	bound  uint64
	tally  *sketch.Tally
	seen   uint64
	kept   uint64
	rate   float64
}

// NewCounter returns a Counter. The sketch has abundances if p.Weighted.
func NewCounter(p sketch.Params, how sketch.Counting) *Counter {
	return &Counter{params: p, how: how, bound: sketch.MaxHash(p.Scaled), tally: sketch.NewTally(how)}
}

func (c *Counter) Params() sketch.Params { return c.params }
func (c *Counter) Bound() uint64         { return c.bound }

// AddHashes fails if counts cannot be spilled.
func (c *Counter) AddHashes(hashes []uint64) error {
	for _, h := range hashes {
		if h > c.bound || h == 0 {
			continue
		}
		if err := c.tally.Add(h, 1); err != nil {
			return err
		}
	}
	return nil
}

// Merge takes over the counts of another *Counter with the same parameters. An
// approximate filter depends on order, so counters with one do not merge.
func (c *Counter) Merge(other sketch.Builder) error {
	o, ok := other.(*Counter)
	if !ok || o.params != c.params || o.how != c.how || c.how.FilterBytes > 0 {
		return sketch.ErrIncompatible
	}
	return c.tally.Merge(o.tally)
}

// Finish returns the sketch and empties the counter.
func (c *Counter) Finish() (sketch.Sketch, error) {
	var hashes, counts []uint64
	c.seen = 0
	err := c.tally.Each(func(h, n uint64) bool {
		c.seen++
		if n >= c.how.MinCopies {
			hashes = append(hashes, h)
			counts = append(counts, n)
		}
		return true
	})
	c.kept, c.rate = uint64(len(hashes)), c.tally.FalsePositives()
	c.tally.Reset()
	if err != nil {
		return nil, err
	}
	if !c.params.Weighted {
		counts = nil
	}
	return New(c.params, hashes, counts)
}

// Filtered tells of the last sketch how many distinct hashes were seen below
// the threshold and how many had enough copies.
func (c *Counter) Filtered() (seen, kept uint64) { return c.seen, c.kept }

// FalsePositives is the rate of the approximate filter at the last Finish.
func (c *Counter) FalsePositives() float64 { return c.rate }
