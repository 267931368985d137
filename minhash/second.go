// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"

	"github.com/gsketch/gsketch/sketch"
)

// SecondMinima returns for each slot of a k-permutation or one-permutation
// signature of a set of hashes its second smallest value, math.MaxUint64 where
// there is none. A similar set that lacks the element of the smallest value is
// likely to have this one in the slot, so that an index is asked for it as well
// (lsh.Banding.Probe). Repeated hashes count once.
func SecondMinima(p sketch.Params, hashes []uint64) ([]uint64, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	first, second := full[uint64](p.Size, 1), full[uint64](p.Size, 1)
	lowerTwo := func(i int, v uint64) {
		switch {
		case v < first[i]:
			first[i], second[i] = v, first[i]
		case v > first[i] && v < second[i]:
			second[i] = v
		}
	}
	switch p.Family {
	case sketch.OPH:
		bound := ophBound(p)
		for _, h := range hashes {
			if h <= bound {
				lowerTwo(int(binOf(h, uint64(p.Size))), h)
			}
		}
		return second, nil
	case sketch.KPerm:
		b, err := NewKPermBuilder(p)
		if err != nil {
			return nil, err
		}
		var values []uint64
		for at := range hashes { // one hash alone: its value under each permutation
			b.permuter.add(hashes[at : at+1])
			values = b.permuter.finish(p).AppendSlots(values[:0])
			b.permuter.reset()
			for i, v := range values {
				lowerTwo(i, v)
			}
		}
		return second, nil
	}
	return nil, fmt.Errorf("family %q has no minima", p.Family)
}
