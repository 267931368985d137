// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"io"
	"runtime"
	"slices"

	"github.com/gsketch/gsketch/sketch"
	"github.com/zeebo/xxh3"
)

// Each reads a table as Open does, but yields its sketches one after the other:
// it holds one row group, or as many as a sketch extends over. Each sketch is
// verified by its digest before it is yielded; that they are all those of the
// table is known when Each returns nil. With o.Want only the sketches with these
// keys are read and verified. An error of yield ends it.
func Each(r io.ReaderAt, size int64, path string, o ReadOptions, yield func(sketch.Item) error) error {
	e := &eacher{r: r, threads: o.Threads, want: o.Want, chain: xxh3.New128()}
	if e.threads < 1 {
		e.threads = runtime.GOMAXPROCS(0)
	}
	bad := func(err error) error {
		var in *sketch.InputError
		if !errors.As(err, &in) {
			return sketch.BadInput(path, err)
		}
		in.Path = path
		return in
	}
	if err := recovered(func() (err error) { e.foot, err = readFooter(r, size); return err }); err != nil {
		return bad(err)
	}
	for from := 0; from < len(e.foot.groups); {
		var items []sketch.Item
		if err := recovered(func() (err error) { items, from, err = e.next(from); return err }); err != nil {
			return bad(err)
		}
		for _, it := range items {
			if err := yield(it); err != nil {
				return err
			}
		}
	}
	if e.chain.Sum128().Bytes() != e.foot.chain {
		return bad(errChain)
	}
	return nil
}

// An eacher reads a table in pieces of whole sketches.
type eacher struct {
	r       io.ReaderAt
	threads int
	want    func(key int64) bool
	foot    *footer
	done    int64 // sketches
	chain   *xxh3.Hasher128
}

// next reads the sketches from a group on, up to where a group ends with a
// whole one, and returns the group that follows.
func (e *eacher) next(from int) ([]sketch.Item, int, error) {
	for to := from + 1; ; to++ {
		part := e.foot.piece(from, to)
		rows := make([]row, part.rows)
		if err := parallel(e.threads, to-from, func(_, i int) error {
			return readSmall(&pageReader{r: e.r}, &part.groups[i], rows)
		}); err != nil {
			return nil, 0, err
		}
		more, err := e.goesOn(rows, to)
		if err != nil {
			return nil, 0, err
		}
		if more {
			continue
		}
		items, err := e.items(part, rows)
		return items, to, err
	}
}

// goesOn says whether the last sketch of rows goes on in a group.
func (e *eacher) goesOn(rows []row, to int) (bool, error) {
	if to == len(e.foot.groups) || len(rows) == 0 || rows[len(rows)-1].part == noPart {
		return false, nil
	}
	part := e.foot.piece(to, to+1)
	following := make([]row, part.rows)
	err := readSmall(&pageReader{r: e.r}, &part.groups[0], following)
	return len(following) > 0 && following[0].part > 0, err
}

func (e *eacher) items(part *footer, rows []row) (items []sketch.Item, err error) {
	for i := range rows {
		e.chain.Write(rows[i].digest[:])
	}
	f := &File{rowBase: e.foot.rowBase + e.done}
	firsts, err := f.list(rows)
	if err == nil && slices.ContainsFunc(f.entries, e.wants) {
		items, err = e.rebuild(f, part, rows, firsts)
	}
	var in *sketch.InputError
	if errors.As(err, &in) && in.Record > 0 {
		in.Record += uint64(e.done)
	}
	e.done += int64(len(f.entries))
	return items, err
}

func (e *eacher) wants(entry Entry) bool { return e.want == nil || e.want(entry.Meta.Row) }

func (e *eacher) rebuild(f *File, part *footer, rows []row, firsts []int) ([]sketch.Item, error) {
	large := newValues(part)
	if err := parallel(e.threads, len(part.groups), func(_, i int) error {
		return large.read(&pageReader{r: e.r}, part, i)
	}); err != nil {
		return nil, err
	}
	sketches, err := f.rebuild(e.threads, rows, firsts, large)
	if err != nil {
		return nil, err
	}
	var items []sketch.Item
	for i, s := range sketches {
		if e.wants(f.entries[i]) {
			items = append(items, sketch.Item{Meta: f.entries[i].Meta, Sketch: s})
		}
	}
	return items, nil
}

// piece is the footer of a table of the groups from one to before another.
func (f *footer) piece(from, to int) *footer {
	part := &footer{}
	for _, g := range f.groups[from:to] {
		g.first = part.rows
		part.rows += g.rows
		part.groups = append(part.groups, g)
	}
	return part
}
