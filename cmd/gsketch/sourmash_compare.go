// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

// downsample brings the FracMinHash sketches of a grid within one list to the
// largest scaled among them, as sourmash compare does before it compares any.
func (g *grid) downsample() error {
	var scaled uint64
	for _, it := range g.rows {
		scaled = max(scaled, it.Sketch.Params().Scaled)
	}
	for i, it := range g.rows {
		if it.Sketch.Params().Scaled == scaled {
			continue
		}
		coarse, err := fracminhash.Downsample(it.Sketch.(sketch.Abundant), scaled)
		if err != nil {
			return err
		}
		g.rows[i].Sketch = coarse
	}
	return nil
}

// sourmashMeasure is what sourmash compare takes where nothing is said: the
// angular similarity of sketches with abundances, the Jaccard index of sketches
// without. Of a mixture it would silently take both.
func (g *grid) sourmashMeasure() (string, error) {
	weighted := 0
	for _, it := range g.rows {
		if it.Sketch.Params().Weighted {
			weighted++
		}
	}
	switch weighted {
	case 0:
		return "jaccard", nil
	case len(g.rows):
		return "angular", nil
	}
	return "", usagef("%d of %d sketches have abundances; choose --measure jaccard, which does not look at them, or another", weighted, len(g.rows))
}
