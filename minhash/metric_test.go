// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/sketch"
)

// Jaccard distance, 1 - J, obeys the triangle inequality, and so does its
// estimate from slots, which is a Hamming distance.
func TestTriangleInequality(t *testing.T) {
	b := builder(t, kpermParams(sketch.Affine64, 1, 64))
	rapid.Check(t, func(rt *rapid.T) {
		var sets [3]map[uint64]bool
		var sketches [3]sketch.Estimable
		for i := range sets {
			hashes := rapid.SliceOfN(rapid.Uint64Range(0, 20), 1, 30).Draw(rt, "set")
			sets[i] = map[uint64]bool{}
			for _, h := range hashes {
				sets[i][h] = true
			}
			sketches[i] = finish(t, b, hashes)
		}
		exact := func(i, j int) float64 {
			shared := 0
			for h := range sets[i] {
				if sets[j][h] {
					shared++
				}
			}
			return 1 - float64(shared)/float64(len(sets[i])+len(sets[j])-shared)
		}
		estimated := func(i, j int) float64 {
			s, err := sketches[i].Similarity(sketches[j], 0.95)
			if err != nil {
				rt.Fatal(err)
			}
			return 1 - s.Value
		}
		const rounding = 1e-12
		for name, d := range map[string]func(i, j int) float64{"exact": exact, "estimated": estimated} {
			if d(0, 2) > d(0, 1)+d(1, 2)+rounding {
				rt.Fatalf("%s: %v > %v + %v", name, d(0, 2), d(0, 1), d(1, 2))
			}
		}
	})
}
