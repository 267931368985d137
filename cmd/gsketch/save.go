// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

// saveOptions name sketch files for what was found and what was not.
type saveOptions struct {
	matches string // references that were found
	found   string // hashes of the sample that references hold
	left    string // hashes of the sample that none holds

	items map[string][]sketch.Item
}

func (o *saveOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.matches, "save-matches", "", "write the sketches of the references found to this sketch file (FracMinHash)")
	f.StringVar(&o.found, "save-found", "", "write the hashes of the samples that a reference holds to this sketch file")
	f.StringVar(&o.left, "save-left", "", "write the hashes of the samples that no reference holds to this sketch file")
}

// add notes what came of a query. A reference that was found in several samples
// is written once.
func (o *saveOptions) add(query sketch.Item, matches []sketch.Item) error {
	if o.items == nil {
		o.items = map[string][]sketch.Item{}
	}
	for _, m := range matches {
		if !slices.ContainsFunc(o.items[o.matches], func(it sketch.Item) bool { return it.Meta == m.Meta && it.Sketch == m.Sketch }) {
			o.items[o.matches] = append(o.items[o.matches], m)
		}
	}
	found, left, err := divide(query, matches)
	if err != nil {
		return err
	}
	o.items[o.found] = append(o.items[o.found], found)
	o.items[o.left] = append(o.items[o.left], left)
	return nil
}

// addLeft is add for gather, whose rest has no name, as with sourmash.
func (o *saveOptions) addLeft(query sketch.Item, matches []sketch.Item) error {
	if err := o.add(query, matches); err != nil {
		return err
	}
	last := len(o.items[o.left]) - 1
	o.items[o.left][last].Meta = sketch.Meta{}
	return nil
}

// divide parts a FracMinHash query into the hashes that matches hold and the
// others, flat, named after the query as sourmash names them.
func divide(query sketch.Item, matches []sketch.Item) (found, left sketch.Item, err error) {
	p := query.Sketch.Params()
	p.Weighted = false
	held := map[uint64]bool{}
	for _, m := range matches {
		for _, h := range m.Sketch.(sketch.HashSet).Hashes() {
			held[h] = true
		}
	}
	var yes, no []uint64
	for _, h := range query.Sketch.(sketch.HashSet).Hashes() {
		if held[h] {
			yes = append(yes, h)
		} else {
			no = append(no, h)
		}
	}
	part := func(hashes []uint64, suffix string) (sketch.Item, error) {
		set, err := fracminhash.New(p, hashes, nil)
		return sketch.Item{Meta: sketch.Meta{ID: query.Meta.Label() + suffix}, Sketch: set}, err
	}
	if found, err = part(yes, "-known"); err != nil {
		return
	}
	left, err = part(no, "-unknown")
	return
}

// write writes the files that were asked for.
func (o *saveOptions) write(c *common) error {
	for _, path := range []string{o.matches, o.found, o.left} {
		if path == "" {
			continue
		}
		if err := writeSketches(path, o.items[path], nil, c.force); err != nil {
			return err
		}
	}
	return nil
}

// writeSketches writes a sketch file of the kind that its name says; "-" is
// stdout. What the kind cannot hold is an error of usage, found before anything
// is written.
func writeSketches(path string, items []sketch.Item, stdout io.Writer, force bool) error {
	target, err := formats.KindOf(path)
	if err != nil {
		return usagef("%v", err)
	}
	return writeAs(path, target, usualLayout, items, stdout, force)
}

// writeAs is writeSketches of a kind that is known.
func writeAs(path string, target formats.Kind, layout formats.Layout, items []sketch.Item, stdout io.Writer, force bool) error {
	for _, it := range items {
		if err := target.Holds(it.Sketch.Params()); err != nil {
			return usagef("%s: %s: %v", path, it.Meta.Label(), err)
		}
	}
	if target == formats.Directory {
		return writeDirectory(path, items, force)
	}
	out, err := create(path, stdout, force)
	if err != nil {
		return err
	}
	defer out.discard()
	w, err := formats.NewWriter(out, target, formats.WriteOptions{CreatedBy: "gsketch " + version, Layout: layout})
	if err != nil {
		return usagef("%s: %v", path, err)
	}
	for _, it := range items {
		if err := w.Write(it); err != nil {
			return usageUnlessOutput(err)
		}
	}
	if err := w.Close(); err != nil {
		return usageUnlessOutput(err)
	}
	return out.commit()
}

// usageUnlessOutput makes what a format cannot hold the user's to mend.
func usageUnlessOutput(err error) error {
	if exitCode(err) == exitOutput {
		return err
	}
	return usageError{fmt.Sprint(err)}
}
