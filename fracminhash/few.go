// SPDX-License-Identifier: Apache-2.0

package fracminhash

import "github.com/gsketch/gsketch/sketch"

// Few is the number of hashes below which the containment of a set has a
// standard error of more than 7 points at one half: sqrt(0.25/50).
const Few = 50

// IsSmall says whether s is a FracMinHash sketch of fewer than Few hashes, from
// which little can be told. One at scaled = 1 is the set itself and never small.
func IsSmall(s sketch.Sketch) bool {
	p := s.Params()
	return p.Family == sketch.FracMinHash && p.Scaled > 1 && s.Len() < Few
}
