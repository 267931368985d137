// SPDX-License-Identifier: Apache-2.0

package table

import "github.com/gsketch/gsketch/sketch"

// A collection is the sketches of a file that have one Params.
type collection struct {
	params   sketch.Params
	entries  []*Entry
	sketches []sketch.Sketch
}

func (c *collection) Params() sketch.Params  { return c.params }
func (c *collection) Len() int               { return len(c.sketches) }
func (c *collection) Meta(i int) sketch.Meta { return c.entries[i].Meta }
func (c *collection) At(i int) sketch.Sketch { return c.sketches[i] }
func (c *collection) Close() error           { return nil }

// collect groups sketches by Params, in order of first appearance; within a
// collection their order stays.
func collect(entries []Entry, sketches []sketch.Sketch) []sketch.Collection {
	var all []sketch.Collection
	at := map[sketch.Params]*collection{}
	var c *collection
	for i, s := range sketches {
		e := &entries[i]
		if c == nil || c.params != e.Params {
			if c = at[e.Params]; c == nil {
				c = &collection{params: e.Params}
				at[e.Params] = c
				all = append(all, c)
			}
		}
		c.entries = append(c.entries, e)
		c.sketches = append(c.sketches, s)
	}
	return all
}
