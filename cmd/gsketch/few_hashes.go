// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

// warnOfFewHashes says which items, called what, are too small for their
// FracMinHash sketches.
func warnOfFewHashes(what string, items []sketch.Item, warn func(string)) {
	few, smallest := 0, -1
	for i, it := range items {
		if _, ok := it.Sketch.(*unread); ok {
			continue // another job's
		}
		if fracminhash.IsSmall(it.Sketch) {
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
	finer := max(1, scaled*uint64(it.Sketch.Len())/fracminhash.Few/2)
	warn(fmt.Sprintf("%d of %d %s have fewer than %d hashes (%s has %d): what is found of them is uncertain; sketch all with --scaled %d or finer",
		few, len(items), what, fracminhash.Few, it.Meta.Label(), it.Sketch.Len(), finer))
}
