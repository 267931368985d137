// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/gsketch/gsketch/sketch"
)

// fewHashes is the number of hashes of a reference below which its containment
// has a standard error of more than 7 points at one half: sqrt(0.25/50).
const fewHashes = 50

// warnOfFewHashes says which items, called what, are too small for their
// FracMinHash sketches. Those at scaled = 1 are the sets themselves.
func warnOfFewHashes(what string, items []sketch.Item, warn func(string)) {
	few, smallest := 0, -1
	for i, it := range items {
		if _, ok := it.Sketch.(*unread); ok {
			continue // another job's
		}
		if p := it.Sketch.Params(); p.Family == sketch.FracMinHash && p.Scaled > 1 && it.Sketch.Len() < fewHashes {
			few++
			if smallest < 0 || it.Sketch.Len() < items[smallest].Sketch.Len() {
				smallest = i
			}
		}
	}
	if few == 0 {
		return
	}
	it := items[smallest]
	scaled := it.Sketch.Params().Scaled
	finer := max(1, scaled*uint64(it.Sketch.Len())/fewHashes/2)
	warn(fmt.Sprintf("%d of %d %s have fewer than %d hashes (%s has %d): what is found of them is uncertain; sketch all with --scaled %d or finer",
		few, len(items), what, fewHashes, it.Meta.Label(), it.Sketch.Len(), finer))
}
