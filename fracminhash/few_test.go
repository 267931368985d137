// SPDX-License-Identifier: Apache-2.0

package fracminhash

import (
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// Sketches below 50 hashes are small, but for whole sets.
func TestIsSmall(t *testing.T) {
	for _, c := range []struct {
		scaled uint64
		n      int
		small  bool
	}{{100, 49, true}, {100, 50, false}, {1, 3, false}, {100, 0, true}} {
		hashes := make([]uint64, c.n)
		for i := range hashes {
			hashes[i] = uint64(i + 1)
		}
		p := sketch.Params{Family: sketch.FracMinHash, Elements: sketch.DNAElements(21), Hash: sketch.Hash{Algorithm: "murmur3x64", Bits: 64, Seed: 42}, Scaled: c.scaled}
		s, err := New(p, hashes, nil)
		if err != nil {
			t.Fatal(err)
		}
		if IsSmall(s) != c.small {
			t.Errorf("scaled = %d, %d hashes: small is %t", c.scaled, c.n, !c.small)
		}
	}
}
