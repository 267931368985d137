// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"slices"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/sketch"
)

// The kernels take slots in groups; arrays are filled up to whole ones.
const (
	lanes32 = 16
	lanes64 = 8
)

// A permuter holds the permutations of one scheme and the minima so far.
// Hashes go through it in batches of at most sketch.BatchSize.
type permuter interface {
	add(hashes []uint64)
	merge(other permuter) // of the same scheme and size
	reset()
	finish(p sketch.Params) *KPerm // the values, copied
}

func newPermuter(p sketch.Params) permuter {
	a, b := drawers[p.Hash.Permutation](p.Hash.Seed, p.Size)
	switch p.Hash.Permutation {
	case sketch.Affine32:
		return &permuter32{a: padded[uint32](a, lanes32), b: padded[uint32](b, lanes32),
			mins: full[uint32](p.Size, lanes32), buf: make([]uint32, sketch.BatchSize)}
	case sketch.Affine64:
		return &permuter64{a: padded[uint64](a, lanes64), b: padded[uint64](b, lanes64),
			mins: full[uint64](p.Size, lanes64), buf: make([]uint64, sketch.BatchSize)}
	}
	l := &permuterLegacy{a: a, b: b, mins: full[uint32](p.Size, 1)}
	if p.Hash.Permutation == sketch.Legacy {
		l.buf = make([]uint64, sketch.BatchSize)
	}
	return l
}

// padded copies values and appends zeros up to whole groups of lanes.
func padded[T uint32 | uint64](values []uint64, lanes int) []T {
	out := make([]T, groups(len(values), lanes))
	for i, v := range values {
		out[i] = T(v)
	}
	return out
}

// full returns n largest values, and more up to whole groups of lanes.
func full[T uint32 | uint64](n, lanes int) []T {
	return fill(make([]T, groups(n, lanes)))
}

func fill[T uint32 | uint64](values []T) []T {
	for i := range values {
		values[i] = ^T(0)
	}
	return values
}

func groups(n, lanes int) int { return (n + lanes - 1) / lanes * lanes }

func lower[T uint32 | uint64](mins, others []T) {
	for i, v := range others {
		mins[i] = min(mins[i], v)
	}
}

// permuter32 is affine32: the low 32 bits of the hash are mixed once, then
// permuted k times.
type permuter32 struct{ a, b, mins, buf []uint32 }

func (p *permuter32) add(hashes []uint64) {
	for len(hashes) > 0 {
		n := min(len(hashes), len(p.buf))
		for i, h := range hashes[:n] {
			p.buf[i] = mix.Bits32(uint32(h))
		}
		min32(p.mins, p.a, p.b, p.buf[:n])
		hashes = hashes[n:]
	}
}

func (p *permuter32) merge(other permuter) { lower(p.mins, other.(*permuter32).mins) }
func (p *permuter32) reset()               { fill(p.mins) }

func (p *permuter32) finish(q sketch.Params) *KPerm {
	return &KPerm{params: q, narrow: slices.Clone(p.mins[:q.Size])}
}

// permuter64 is affine64.
type permuter64 struct{ a, b, mins, buf []uint64 }

func (p *permuter64) add(hashes []uint64) {
	for len(hashes) > 0 {
		n := min(len(hashes), len(p.buf))
		for i, h := range hashes[:n] {
			p.buf[i] = mix.Bits64(h)
		}
		min64(p.mins, p.a, p.b, p.buf[:n])
		hashes = hashes[n:]
	}
}

func (p *permuter64) merge(other permuter) { lower(p.mins, other.(*permuter64).mins) }
func (p *permuter64) reset()               { fill(p.mins) }

func (p *permuter64) finish(q sketch.Params) *KPerm {
	return &KPerm{params: q, wide: slices.Clone(p.mins[:q.Size])}
}

// permuterLegacy is legacy, which takes the low 32 bits of the hash, and
// milvus, which takes all 64 and needs no buf.
type permuterLegacy struct {
	a, b []uint64
	mins []uint32
	buf  []uint64
}

func (p *permuterLegacy) add(hashes []uint64) {
	if p.buf == nil {
		minLegacy(p.mins, p.a, p.b, hashes)
		return
	}
	for len(hashes) > 0 {
		n := min(len(hashes), len(p.buf))
		for i, h := range hashes[:n] {
			p.buf[i] = h & 0xffffffff
		}
		minLegacy(p.mins, p.a, p.b, p.buf[:n])
		hashes = hashes[n:]
	}
}

func (p *permuterLegacy) merge(other permuter) { lower(p.mins, other.(*permuterLegacy).mins) }
func (p *permuterLegacy) reset()               { fill(p.mins) }

func (p *permuterLegacy) finish(q sketch.Params) *KPerm {
	return &KPerm{params: q, narrow: slices.Clone(p.mins)}
}
