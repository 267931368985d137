// SPDX-License-Identifier: Apache-2.0

package table

import (
	"fmt"

	"github.com/gsketch/gsketch/sketch"
)

// slots is a sketch.Signature read from a table. Tables know nothing of the
// families of signatures but what sketch.Signature says.
type slots struct {
	params sketch.Params
	values []uint64
	stride int
}

func (s *slots) Params() sketch.Params             { return s.params }
func (s *slots) Len() int                          { return len(s.values) / s.stride }
func (s *slots) Stride() int                       { return s.stride }
func (s *slots) AppendSlots(dst []uint64) []uint64 { return append(dst, s.values...) }

// slotWidth is the number of bytes in which a slot value is stored: the
// smallest of 1, 2, 4 and 8 that holds Params.Bits, 8 where all bits are kept.
func slotWidth(p sketch.Params) int {
	switch {
	case p.Bits == 0 || p.Bits > 32:
		return 8
	case p.Bits > 16:
		return 4
	case p.Bits > 8:
		return 2
	}
	return 1
}

// appendSlots appends the slot values of s, little-endian at slot width.
func appendSlots(b []byte, s sketch.Signature) []byte {
	width := slotWidth(s.Params())
	for _, v := range s.AppendSlots(nil) {
		for i := range width {
			b = append(b, byte(v>>(8*i)))
		}
	}
	return b
}

// newSlots is the inverse of appendSlots. Two values per slot (ICWS) make
// twice as many as Params.Size says.
func newSlots(p sketch.Params, b []byte) (*slots, error) {
	width := slotWidth(p)
	stride := 1
	if len(b) == 2*p.Size*width {
		stride = 2
	}
	if p.Size < 1 || len(b) != p.Size*stride*width {
		return nil, fmt.Errorf("a signature of %d bytes for %d slots of %d bytes", len(b), p.Size, width)
	}
	s := &slots{params: p, values: make([]uint64, len(b)/width), stride: stride}
	for i := range s.values {
		for j := range width {
			s.values[i] |= uint64(b[i*width+j]) << (8 * j)
		}
	}
	return s, nil
}
