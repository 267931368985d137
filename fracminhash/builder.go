// SPDX-License-Identifier: Apache-2.0

package fracminhash

import (
	"slices"

	"github.com/gsketch/gsketch/internal/radix"
	"github.com/gsketch/gsketch/sketch"
)

// A Builder collects the distinct hashes at or below the threshold. A hash of
// 0 is dropped, as in sourmash.
type Builder struct {
	params sketch.Params
	bound  uint64
	buf    []uint64
	cutAt  int
}

// NewBuilder returns a Builder for unweighted sketches. p must be valid, of
// family fracminhash and not weighted; package ingest sees to that.
func NewBuilder(p sketch.Params) *Builder {
	return &Builder{params: p, bound: sketch.MaxHash(p.Scaled), cutAt: firstCut}
}

// firstCut is the length at which repeats are dropped for the first time.
const firstCut = 1 << 14

func (b *Builder) Params() sketch.Params { return b.params }
func (b *Builder) Bound() uint64         { return b.bound }

// AddHashes never fails.
func (b *Builder) AddHashes(hashes []uint64) error {
	for _, h := range hashes {
		if h <= b.bound && h != 0 {
			b.buf = append(b.buf, h)
		}
	}
	if len(b.buf) >= b.cutAt {
		b.cut()
		b.cutAt = max(2*len(b.buf), firstCut)
	}
	return nil
}

func (b *Builder) cut() { b.buf = radix.SortUnique(b.buf) }

// Merge takes over the hashes of another *Builder with the same parameters.
func (b *Builder) Merge(other sketch.Builder) error {
	o, ok := other.(*Builder)
	if !ok || o.params != b.params {
		return sketch.ErrIncompatible
	}
	err := b.AddHashes(o.buf)
	o.reset()
	return err
}

// Finish returns the sketch and empties the builder.
func (b *Builder) Finish() (sketch.Sketch, error) {
	b.cut()
	hashes := b.buf
	if len(hashes) < cap(hashes)/2 || len(hashes) < firstCut {
		hashes = slices.Clone(hashes)
	} else { // too large to copy: the next sketch gets a buffer of its own
		b.buf = nil
	}
	set, err := New(b.params, hashes, nil)
	b.reset()
	return set, err
}

func (b *Builder) reset() {
	b.buf = b.buf[:0]
	b.cutAt = firstCut
}
