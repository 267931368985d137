// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"math"
	"testing"

	"github.com/gsketch/gsketch/minhash"
)

// TestWorkedNumbers holds the figures of the literature.
func TestWorkedNumbers(t *testing.T) {
	for _, c := range []struct {
		what              string
		got, want, within float64
	}{
		{"P(0.8) of 20x5", Probability(0.8, 20, 5), 0.9996, 0.00005},
		{"P(0.3) of 20x5", Probability(0.3, 20, 5), 0.047, 0.0006}, // 0.04749, cut off
		{"P(0.2) of 20x5", Probability(0.2, 20, 5), 0.0064, 0.00005},
		{"P(0.696133) of 20x5", Probability(0.696133, 20, 5), 0.971846, 5e-7},
		{"threshold of 20x5", Threshold(20, 5), 0.549280, 5e-7},
		{"threshold of 6x1", Threshold(6, 1), 0.17, 0.005},
		{"threshold of 3x2", Threshold(3, 2), 0.58, 0.005},
		{"threshold of 2x3", Threshold(2, 3), 0.79, 0.005},
		{"threshold of 1x6", Threshold(1, 6), 1, 0},
		{"standard error of 128 slots", minhash.StandardError(128), 0.044, 0.0005},
		{"standard error of 400 slots", minhash.StandardError(400), 0.025, 0.0005},
		{"bytes of 128 slots of 32 bits", float64(params(128).SlotBytes()), 512, 0},
	} {
		if math.Abs(c.got-c.want) > c.within {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	for _, c := range []struct {
		what     string
		wFP, wFN float64
		b, r     int
	}{{"misses weigh more", 0.1, 0.9, 32, 4}, {"false positives weigh more", 0.9, 0.1, 16, 8}} {
		if b, r, err := Optimal(0.5, 128, c.wFP, c.wFN); err != nil || b != c.b || r != c.r {
			t.Errorf("128 slots, threshold 0.5, %s: %dx%d, %v; want %dx%d", c.what, b, r, err, c.b, c.r)
		}
	}
}
