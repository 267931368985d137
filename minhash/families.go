// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"

	"github.com/gsketch/gsketch/sketch"
)

// New returns the sketch of family p.Family that holds the slots given, which
// are copied. Values come from files, so all is checked.
func New(p sketch.Params, slots []uint64) (sketch.Estimable, error) {
	switch p.Family {
	case sketch.KPerm:
		return NewKPerm(p, slots)
	case sketch.OPH:
		return NewOPH(p, slots)
	case sketch.BBit:
		return NewBBit(p, slots)
	case sketch.ICWS:
		return NewICWS(p, slots)
	}
	return nil, fmt.Errorf("family %q has no slots", p.Family)
}

// NewBuilder returns an empty builder of sketches made with p.
func NewBuilder(p sketch.Params) (sketch.Builder, error) {
	switch p.Family {
	case sketch.KPerm:
		return NewKPermBuilder(p)
	case sketch.OPH:
		return NewOPHBuilder(p)
	case sketch.BBit:
		return NewBBitBuilder(p)
	case sketch.ICWS:
		return NewICWSBuilder(p)
	}
	return nil, fmt.Errorf("family %q has no slots", p.Family)
}
