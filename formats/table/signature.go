// SPDX-License-Identifier: Apache-2.0

package table

import (
	"fmt"

	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/simhash"
	"github.com/gsketch/gsketch/sketch"
)

// slotBytes are the slots of s as they lie in the column signature.
func slotBytes(s sketch.Signature) ([]byte, error) {
	p := s.Params()
	values := s.AppendSlots(nil)
	if len(values) != p.Size*p.Stride() {
		return nil, fmt.Errorf("a signature of %d values for %d slots", len(values), p.Size)
	}
	if width := p.SlotBits(); width < 64 { // what does not fit would be cut
		for i, v := range values {
			if v>>width != 0 {
				return nil, fmt.Errorf("slot value %d is %d, wider than %d bits", i, v, width)
			}
		}
	}
	return p.AppendSlotBytes(nil, values), nil
}

// newSignature is the inverse of slotBytes.
func newSignature(p sketch.Params, b []byte) (sketch.Signature, error) {
	values, err := p.ParseSlotBytes(b)
	if err != nil {
		return nil, err
	}
	if p.Family == sketch.SimHash {
		return simhash.New(p, values)
	}
	return minhash.New(p, values)
}
