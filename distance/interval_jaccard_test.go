// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Unions of 3000 elements are sampled as either family does it. Of 1500 trials
// 92.5 % or more must cover the truth: 4.4 standard errors below 95 %.
func TestJaccardIntervalCovers(t *testing.T) {
	const union, trials = 3000, 1500
	rng := rand.New(rand.NewPCG(1, 2))
	for _, scaled := range []uint64{0, 2, 10, 100} { // 0: bottom-k of 100
		for _, truth := range []float64{0.01, 0.1, 0.5, 0.9} {
			both, covered, width := int(math.Round(truth*union)), 0, 0.0
			for range trials {
				p := Pair{Scaled: scaled}
				for i := range union {
					left := uint64(union - i)
					switch {
					case scaled == 0 && rng.Uint64N(left) >= 100-p.Of:
						continue
					case scaled != 0 && rng.Uint64N(scaled) != 0:
						continue
					}
					p.Of++
					if i < both {
						p.Shared++
					}
				}
				low, high := p.JaccardInterval(0.95)
				if low <= truth && truth <= high {
					covered++
				}
				width += high - low
			}
			share := float64(covered) / trials
			if share < 0.925 {
				t.Errorf("scaled %d, J = %v: %.3f covered", scaled, truth, share)
			}
			t.Logf("scaled %d, J = %v: %.3f covered, width %.4f", scaled, truth, share, width/trials)
		}
	}
}

func TestJaccardIntervalEnds(t *testing.T) {
	if low, high := (Pair{Scaled: 1, Shared: 3, Of: 7}).JaccardInterval(0.95); low != 3.0/7 || high != low {
		t.Errorf("of whole sets: %v to %v", low, high)
	}
	for _, scaled := range []uint64{0, 1, 10} {
		if low, high := (Pair{Scaled: scaled}).JaccardInterval(0.95); !math.IsNaN(low) || !math.IsNaN(high) {
			t.Errorf("scaled %d, empty: %v to %v", scaled, low, high)
		}
	}
}
