// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/formats"
	sketchtable "github.com/gsketch/gsketch/formats/table"
	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/sketch"
)

// fill adds inputs to an index, which is made where fresh: all of them or none.
func (o *indexOptions) fill(ctx context.Context, cmd *cobra.Command, dir string, args []string, fresh bool) (err error) {
	warn := warner(cmd.ErrOrStderr())
	memory, err := parseSize(o.memory, bytesUnit)
	if err != nil {
		return usagef("--memory %s: %v", o.memory, err)
	}
	inputs, err := o.expand(args, warn)
	if err != nil {
		return err
	}
	if isDatasketch(dir) {
		return o.fillDatasketch(ctx, cmd, dir, inputs)
	}
	if !fresh && isBands(dir) {
		if o.pick.given() {
			return usagef("--picklist, --include and --exclude do not choose what an index of bands takes in: gsketch set extract does")
		}
		return o.addBands(ctx, cmd, dir, inputs, memory)
	}
	sources, err := o.open(inputs, warn)
	if err != nil {
		return err
	}
	var cl sketch.Params
	if fresh {
		if cl, err = o.choose(sources, indexFamilies(dir)); err != nil {
			return err
		}
		if slotMeasures(cl) != nil {
			return o.buildBands(ctx, cmd, dir, cl, sources, memory)
		}
	}
	if err := o.postingsOnly(cmd.Flags()); err != nil {
		return err
	}
	w, err := o.writer(dir, sources, cl, fresh)
	if err != nil {
		return err
	}
	defer func() {
		if closed := w.Close(); err == nil && closed != nil {
			err = &outputError{dir, reason(closed)}
		}
	}()
	debug.SetMemoryLimit(int64(min(memory, 1<<62)))
	f := &filling{w: w, dir: dir, most: memory / 2}
	if err := o.each(ctx, sources, w.Params(), warn, f.add); err != nil {
		return err
	}
	if err := f.flush(); err != nil {
		return err
	}
	if err := w.Commit(); err != nil {
		return &outputError{dir, reason(err)}
	}
	o.note(cmd.ErrOrStderr(), "%d sketches added to %s", f.sketches, dir)
	return nil
}

// open opens inputs, without reading the sketches of tables unless picklists
// are to look at them.
func (o *indexOptions) open(inputs []input, warn func(string)) ([]source, error) {
	if !o.pick.given() {
		return outline(inputs, o.threads, warn)
	}
	sources, err := o.loadPicked(inputs, o.threads, warn)
	for i := range sources {
		sources[i].kind = formats.Unknown // no longer all of a table
	}
	return sources, err
}

// writer opens the index for writing; cl is the class of sketches of a fresh one.
func (o *indexOptions) writer(dir string, sources []source, cl sketch.Params, fresh bool) (*index.Writer, error) {
	if !fresh {
		return index.Change(dir, o.threads)
	}
	p, err := o.like(sources, cl)
	if err != nil {
		return nil, err
	}
	p.Weighted = o.weighted(sources, cl)
	w, err := index.Create(dir, p, o.threads)
	switch {
	case errors.Is(err, os.ErrExist):
		return nil, &outputError{dir, errors.New("is an index already; gsketch index add adds to it")}
	case errors.Is(err, index.ErrLocked):
		return nil, err
	case err != nil:
		return nil, &outputError{dir, reason(err)}
	}
	return w, nil
}

// weighted says whether the sketches of a class have abundances.
func (o *selectOptions) weighted(sources []source, cl sketch.Params) bool {
	for i := range sources {
		for _, c := range sources[i].collections {
			if q := c.Params(); class(q) == cl {
				return q.Weighted
			}
		}
	}
	return false
}

// outline is load, but of native tables it reads only what kinds of sketches
// are in them.
func outline(inputs []input, threads int, warn func(string)) ([]source, error) {
	return loadButTables(inputs, threads, warn, tableKinds)
}

// loadButTables is load, but of native tables it takes what tables gives.
func loadButTables(inputs []input, threads int, warn func(string), tables func(path string, threads int) ([]sketch.Collection, error)) ([]source, error) {
	sources := make([]source, 0, len(inputs))
	for _, in := range inputs {
		kind, err := formats.Sniff(in.path)
		if err != nil {
			return nil, in.wrap(err)
		}
		if kind != formats.Table {
			loaded, err := load([]input{in}, threads, warn)
			if err != nil {
				return nil, err
			}
			sources = append(sources, loaded...)
			continue
		}
		s := source{input: in, kind: kind}
		if s.collections, err = tables(in.path, threads); err != nil {
			return nil, in.wrap(err)
		}
		sources = append(sources, s)
	}
	return sources, nil
}

func tableKinds(path string, threads int) (all []sketch.Collection, err error) {
	err = withTable(path, func(f *os.File, size int64) error {
		t, err := sketchtable.Open(f, size, path, sketchtable.ReadOptions{Threads: threads, SmallColumns: true})
		if err != nil {
			return err
		}
		var kinds []sketch.Item
		for _, e := range t.Entries() {
			if !slices.ContainsFunc(kinds, func(it sketch.Item) bool { return it.Sketch.Params() == e.Params }) {
				kinds = append(kinds, sketch.Item{Sketch: kindOnly{e.Params}})
			}
		}
		for _, kind := range sketch.Group(kinds) {
			all = append(all, kind)
		}
		return nil
	})
	return all, err
}

// kindOnly stands for the sketches of a kind that are not read yet.
type kindOnly struct{ params sketch.Params }

func (k kindOnly) Params() sketch.Params { return k.params }
func (kindOnly) Len() int                { return 0 }

func withTable(path string, do func(f *os.File, size int64) error) error {
	f, err := os.Open(path)
	if err != nil {
		return sketch.BadInput(path, reason(err))
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return sketch.BadInput(path, reason(err))
	}
	return do(f, st.Size())
}

// each yields the sketches of the kind p in the order of the sources. Tables are
// read one row group at a time, raw files sketched some at a time.
func (o *indexOptions) each(ctx context.Context, sources []source, p sketch.Params, warn func(string), yield func(sketch.Item) error) error {
	const atOnce = 256 // files
	for len(sources) > 0 {
		if sources[0].kind == formats.Table {
			if err := o.eachOfTable(ctx, &sources[0], class(p), yield); err != nil {
				return sources[0].wrap(err)
			}
			sources = sources[1:]
			continue
		}
		n := 1
		for n < min(atOnce, len(sources)) && sources[n].kind != formats.Table {
			n++
		}
		items, err := o.items(ctx, sources[:n], class(p), p, o.threads, warn)
		if err != nil {
			return err
		}
		for _, it := range items {
			if err := yield(it); err != nil {
				return err
			}
		}
		clear(sources[:n]) // what was loaded is done with
		sources = sources[n:]
	}
	return nil
}

func (o *indexOptions) eachOfTable(ctx context.Context, s *source, cl sketch.Params, yield func(sketch.Item) error) error {
	if _, err := s.ofClass(cl); err != nil {
		return err
	}
	return withTable(s.path, func(f *os.File, size int64) error {
		return sketchtable.Each(f, size, s.path, sketchtable.ReadOptions{Threads: o.threads}, func(it sketch.Item) error {
			if err := ctx.Err(); err != nil || class(it.Sketch.Params()) != cl {
				return err
			}
			made, err := o.reduce(it)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", s.path, it.Meta.Label(), err)
			}
			return yield(made)
		})
	})
}

// A filling gathers sketches for segments of an index.
type filling struct {
	w        *index.Writer
	dir      string
	items    []sketch.Item
	bytes    uint64
	most     uint64 // bytes of sketches in a segment
	sketches int
}

func (f *filling) add(it sketch.Item) error {
	const perHash, perSketch = 8, 500
	size := perSketch + perHash*uint64(it.Sketch.Len())
	if it.Sketch.Params().Weighted {
		size += perHash * uint64(it.Sketch.Len())
	}
	if f.bytes+size > f.most {
		if err := f.flush(); err != nil {
			return err
		}
	}
	f.items = append(f.items, it)
	f.bytes += size
	f.sketches++
	return nil
}

func (f *filling) flush() error {
	if err := f.w.Add(f.items); errors.Is(err, sketch.ErrIncompatible) {
		return err
	} else if err != nil {
		return &outputError{f.dir, reason(err)}
	}
	clear(f.items)
	f.items, f.bytes = f.items[:0], 0
	return nil
}
