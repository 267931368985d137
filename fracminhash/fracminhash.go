// SPDX-License-Identifier: Apache-2.0

// Package fracminhash holds FracMinHash sketches: of all distinct hashes of a
// set, those at or below a threshold, one in `scaled` on average. It is
// sourmash's scaled sketch (Irber et al. 2022, doi:10.1101/2022.01.11.475838;
// Hera et al. 2023, doi:10.1101/gr.277651.123).
//
// The size follows the size of the set, so containment can be estimated
// between sets of any two sizes; a sketch reduces to any larger scaled without
// loss.
package fracminhash

import (
	"fmt"
	"sort"

	"github.com/gsketch/gsketch/sketch"
)

// New returns a sketch of the hashes given: strictly ascending, none above
// sketch.MaxHash(p.Scaled); counts parallel if p.Weighted, nil otherwise. The
// slices are kept. Values come from files, so all is checked.
func New(p sketch.Params, hashes, counts []uint64) (*sketch.Set, error) {
	if p.Family != sketch.FracMinHash {
		return nil, fmt.Errorf("family %q is not fracminhash", p.Family)
	}
	return sketch.NewSet(p, hashes, counts, sketch.MaxHash(p.Scaled))
}

// Downsample returns the sketch with the larger scaled that the same input
// would have given. A scaled smaller than the sketch's own is an error: the
// hashes are not there.
func Downsample(set sketch.Abundant, scaled uint64) (*sketch.Set, error) {
	p := set.Params()
	if scaled < p.Scaled {
		return nil, fmt.Errorf("a sketch with scaled = %d has no hashes for scaled = %d", p.Scaled, scaled)
	}
	p.Scaled = scaled
	bound := sketch.MaxHash(scaled)
	hashes, counts := set.Hashes(), set.Abundances()
	n := sort.Search(len(hashes), func(i int) bool { return hashes[i] > bound })
	if counts != nil {
		counts = counts[:n]
	}
	return New(p, hashes[:n], counts)
}
