// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/sketch"
)

// A mashTable holds the Mash distances of one sketch size with their text:
// between full sketches of size s there are only s+1 of them, and a matrix has
// millions of pairs.
type mashTable struct {
	k, s   int
	values []float64
	texts  []string
}

// largestTable bounds the sizes for which a table is worth its memory.
const largestTable = 1 << 17

func newMashTable(g *grid) mashTable {
	t := mashTable{k: g.class.Elements.K}
	if len(g.rows) == 0 || g.class.Family != sketch.BottomK {
		return t
	}
	s := g.rows[0].Sketch.Params().Size
	if s > largestTable || len(g.rows)*len(g.cols) < s {
		return t
	}
	t.s = s
	t.values, t.texts = make([]float64, s+1), make([]string, s+1)
	for shared := range t.values {
		t.values[shared] = distance.Mash(uint64(shared), uint64(s), t.k)
		t.texts[shared] = string(appendG(nil, t.values[shared]))
	}
	return t
}

// distance is the Mash distance, NaN if it is undefined.
func (t *mashTable) distance(c distance.Count) float64 {
	if int(c.Of) == t.s && t.values != nil {
		return t.values[c.Shared]
	}
	return distance.Mash(uint64(c.Shared), uint64(c.Of), t.k)
}

// append appends the distance as mash prints it: 0 for two empty sketches.
func (t *mashTable) append(dst []byte, c distance.Count) []byte {
	if int(c.Of) == t.s && t.texts != nil {
		return append(dst, t.texts[c.Shared]...)
	}
	d := t.distance(c)
	if math.IsNaN(d) {
		d = 0
	}
	return appendG(dst, d)
}
