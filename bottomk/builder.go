// SPDX-License-Identifier: Apache-2.0

package bottomk

import (
	"slices"

	"github.com/gsketch/gsketch/internal/radix"
	"github.com/gsketch/gsketch/sketch"
)

// A Builder collects the s smallest distinct hashes. It keeps a threshold that
// only falls: hashes above it are dropped unseen by the Source, those below go
// into a buffer which is sorted, deduplicated and cut to s when it is full,
// and the largest hash that stays is the new threshold. (A selection without
// removing repeats would be wrong: ten copies of one hash are one member.)
//
// On n distinct hashes in random order about s(1 + ln(n/s)) pass the
// threshold.
type Builder struct {
	params sketch.Params
	bound  uint64
	buf    []uint64
	tidy   int // the first so many of buf are sorted and distinct
}

// NewBuilder returns a Builder for unweighted sketches. p must be valid, of
// family bottomk and not weighted; package ingest sees to that.
func NewBuilder(p sketch.Params) *Builder {
	return &Builder{params: p, bound: widest(p)}
}

func (b *Builder) Params() sketch.Params { return b.params }
func (b *Builder) Bound() uint64         { return b.bound }

// Start lowers the bound before the first hash, where the caller can guess
// (from the size of a file) below which hash the sketch will lie. If fewer
// than s hashes are found the guess was too low: Full tells, and the input
// must be read again without it. n is how many hashes to expect below the bound
// at most, room for which is made at once.
func (b *Builder) Start(bound uint64, n int) {
	b.bound = min(b.bound, bound)
	b.buf = slices.Grow(b.buf, min(n, b.limit()))
}

// limit is the length at which the buffer is cut: four sketches for small s;
// less for large s, since the buffer is then what takes the memory.
func (b *Builder) limit() int {
	s := b.params.Size
	return s + max(min(3*s, 1<<20), s/4)
}

// AddHashes never fails.
func (b *Builder) AddHashes(hashes []uint64) error {
	limit := b.limit()
	for _, h := range hashes {
		if h > b.bound {
			continue
		}
		if len(b.buf) >= limit {
			b.cut()
			if h > b.bound {
				continue
			}
		}
		b.buf = append(b.buf, h)
	}
	return nil
}

// cut reduces the buffer to the s smallest distinct hashes.
func (b *Builder) cut() {
	if b.tidy == len(b.buf) {
		return
	}
	b.buf = radix.SortUnique(b.buf)
	if s := b.params.Size; len(b.buf) >= s {
		b.buf = b.buf[:s]
		b.bound = min(b.bound, b.buf[s-1])
	}
	b.tidy = len(b.buf)
}

// Merge takes over the hashes of another *Builder with the same parameters.
func (b *Builder) Merge(other sketch.Builder) error {
	o, ok := other.(*Builder)
	if !ok || o.params != b.params {
		return sketch.ErrIncompatible
	}
	b.bound = min(b.bound, o.bound)
	err := b.AddHashes(o.buf)
	o.reset()
	return err
}

// Full says whether at least s distinct hashes have been seen.
func (b *Builder) Full() bool {
	b.cut()
	return len(b.buf) == b.params.Size
}

// Finish returns the sketch and empties the builder.
func (b *Builder) Finish() (sketch.Sketch, error) {
	b.cut()
	set, err := New(b.params, slices.Clone(b.buf), nil)
	b.reset()
	return set, err
}

func (b *Builder) reset() {
	b.bound = widest(b.params)
	b.buf = b.buf[:0]
	b.tidy = 0
}
