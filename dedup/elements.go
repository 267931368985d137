// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/internal/radix"
	"github.com/gsketch/gsketch/sketch"
)

// elementFamily is the family, in sketch.Params, of elements: all that there
// are, in one process and never in a file.
const elementFamily = "elements"

// elements are the exact set of a document, by the 64-bit hashes of its members.
type elements struct {
	params sketch.Params
	hashes []uint64 // distinct, ascending
	digest [16]byte // of the elements in order with their repeats; of a set, in the order of hashes
}

func (e *elements) Params() sketch.Params { return e.params }
func (e *elements) Len() int              { return len(e.hashes) }

// An elementBuilder keeps every hash. It is a sketch.Builder but for Merge: a
// document is read by one goroutine.
type elementBuilder struct {
	params sketch.Params
	sets   bool // the order of elements says nothing
	hashes []uint64
	bytes  []byte
}

func (b *elementBuilder) Params() sketch.Params { return b.params }
func (b *elementBuilder) Bound() uint64         { return ^uint64(0) }
func (b *elementBuilder) AddHashes(hashes []uint64) error {
	b.hashes = append(b.hashes, hashes...)
	return nil
}
func (b *elementBuilder) Merge(sketch.Builder) error { return sketch.ErrIncompatible }

func (b *elementBuilder) Finish() (sketch.Sketch, error) {
	e := &elements{params: b.params}
	if !b.sets {
		e.digest = b.digest()
	}
	b.hashes = radix.SortUnique(b.hashes)
	if b.sets {
		e.digest = b.digest()
	}
	e.hashes = append(make([]uint64, 0, len(b.hashes)), b.hashes...)
	b.hashes = b.hashes[:0]
	return e, nil
}

func (b *elementBuilder) digest() [16]byte {
	b.bytes = appendHashes(b.bytes[:0], b.hashes)
	return xxh3.Hash128(b.bytes).Bytes()
}

func appendHashes(dst []byte, hashes []uint64) []byte {
	for _, h := range hashes {
		dst = binary.LittleEndian.AppendUint64(dst, h)
	}
	return dst
}

// parseHashes is the inverse of appendHashes.
func parseHashes(dst []uint64, b []byte) []uint64 {
	for ; len(b) >= 8; b = b[8:] {
		dst = append(dst, binary.LittleEndian.Uint64(b))
	}
	return dst
}

// common counts the values that two ascending lists have in common.
func common(a, b []uint64) int {
	n, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		if x == y {
			n++
		}
		if x <= y {
			i++
		}
		if y <= x {
			j++
		}
	}
	return n
}
