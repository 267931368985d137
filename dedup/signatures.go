// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"fmt"
	"math"

	"github.com/gsketch/gsketch/formats/steps"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// LoadSignatures reads tables of signatures, which an engine has taken from
// sketch tables: row, params and signature, of one kind. They have no names.
func LoadSignatures(paths []string) (*Sketches, error) {
	s := &Sketches{}
	parsed := map[string]sketch.Params{}
	for _, path := range paths {
		for sig, err := range steps.ReadSignatures(path) {
			if err != nil {
				return nil, err
			}
			p, known := parsed[sig.Params]
			if !known {
				if p, err = sketch.ParseParams(sig.Params); err != nil {
					return nil, signatureError(path, sig, err)
				}
				if len(parsed) > 0 {
					return nil, signatureError(path, sig, &sketch.MismatchError{Field: "parameters", Left: s.Params.String(), Right: sig.Params})
				}
				s.Params, parsed[sig.Params] = p, p
			}
			slots, err := p.ParseSlotBytes(sig.Slots)
			if err != nil {
				return nil, signatureError(path, sig, err)
			}
			own, err := minhash.New(p, slots)
			if err != nil {
				return nil, signatureError(path, sig, err)
			}
			if int64(len(s.items)) == math.MaxUint32 {
				return nil, fmt.Errorf("more than %d signatures; one process takes no more", uint32(math.MaxUint32))
			}
			s.items = append(s.items, sketch.Item{Meta: sketch.Meta{Row: sig.Row}, Sketch: own})
		}
	}
	return s, s.sortByRow()
}

func signatureError(path string, s steps.Signature, err error) error {
	return sketch.BadInput(path, fmt.Errorf("row %d: %w", s.Row, err))
}
