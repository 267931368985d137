// SPDX-License-Identifier: Apache-2.0

package table

import (
	"fmt"

	"github.com/gsketch/gsketch/sketch"
)

// slots is a sketch.Signature read from a table. Tables know nothing of the
// families of signatures but what sketch.Params and sketch.Signature say.
type slots struct {
	params sketch.Params
	values []uint64
}

func (s *slots) Params() sketch.Params             { return s.params }
func (s *slots) Len() int                          { return s.params.Size }
func (s *slots) Stride() int                       { return s.params.Stride() }
func (s *slots) AppendSlots(dst []uint64) []uint64 { return append(dst, s.values...) }

// slotBytes are the slots of s as they lie in the column signature.
func slotBytes(s sketch.Signature) ([]byte, error) {
	p := s.Params()
	values := s.AppendSlots(nil)
	if len(values) != p.Size*p.Stride() {
		return nil, fmt.Errorf("a signature of %d values for %d slots", len(values), p.Size)
	}
	return p.AppendSlotBytes(nil, values), nil
}

// newSlots is the inverse of slotBytes.
func newSlots(p sketch.Params, b []byte) (*slots, error) {
	values, err := p.ParseSlotBytes(b)
	if err != nil {
		return nil, err
	}
	return &slots{params: p, values: values}, nil
}
