// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/sketch"
)

// An Index is an open one, for reading. It shows the state at the moment of
// opening, and is safe for concurrent use.
type Index struct {
	params   sketch.Params
	segments []*segment
}

// Open opens the index in a directory. Errors are *sketch.InputError.
func Open(dir string) (*Index, error) {
	m, p, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	x := &Index{params: p}
	for _, r := range m.Segments {
		s, err := openSegment(dir, r, m.Removed[r.Name])
		if err != nil {
			x.Close()
			return nil, err
		}
		x.segments = append(x.segments, s)
	}
	return x, nil
}

// Close gives up the files.
func (x *Index) Close() error {
	for _, s := range x.segments {
		s.close()
	}
	return nil
}

// Params are those of all sketches in the index.
func (x *Index) Params() sketch.Params { return x.params }

// Len is the number of sketches.
func (x *Index) Len() int {
	n := 0
	for _, s := range x.segments {
		n += s.live()
	}
	return n
}

// Segments is the number of segments; Compact makes it one.
func (x *Index) Segments() int { return len(x.segments) }

// Bytes is the size of all files of segments.
func (x *Index) Bytes() int64 {
	var n int64
	for _, s := range x.segments {
		n += s.Sketches.Bytes + s.Postings.Bytes
	}
	return n
}

func (s *segment) live() int {
	n := s.Rows
	for _, r := range s.removed {
		if r {
			n--
		}
	}
	return n
}

// Each calls yield for what is known of every sketch, in the order of adding.
func (x *Index) Each(yield func(m sketch.Meta, hashes int) error) error {
	for _, s := range x.segments {
		for i, e := range s.entries {
			if s.removed[i] {
				continue
			}
			if err := yield(e.Meta, int(s.postings.sizes[i])); err != nil {
				return err
			}
		}
	}
	return nil
}

// Items reads all sketches, in the order of adding.
func (x *Index) Items(threads int) ([]sketch.Item, error) {
	var all []sketch.Item
	for _, s := range x.segments {
		items, err := s.items(threads)
		if err != nil {
			return nil, err
		}
		for i, it := range items {
			if !s.removed[i] {
				all = append(all, it)
			}
		}
	}
	return all, nil
}

// ErrLocked is returned when another process writes to the index.
var ErrLocked = sealed.ErrLocked

// A Writer changes an index. It holds the lock of the directory until Close.
type Writer struct {
	dir     string
	lock    *os.File
	m       *manifest
	params  sketch.Params
	threads int
}

// Create makes a new index for sketches of one kind. The directory is made; an
// index in it is an error.
func Create(dir string, p sketch.Params, threads int) (*Writer, error) {
	if p.Family != sketch.BottomK && p.Family != sketch.FracMinHash {
		return nil, fmt.Errorf("an index of postings holds %s or %s sketches, not %s", sketch.BottomK, sketch.FracMinHash, p.Family)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	w, err := lock(dir, threads)
	if err != nil {
		return nil, err
	}
	if sealed.Exists(dir) {
		w.Close()
		return nil, fmt.Errorf("%s: %w", dir, os.ErrExist)
	}
	w.m, w.params = &manifest{Kind: kind, Version: version, Params: p.String(), Next: 1}, p
	if err := sealed.WriteManifest(dir, w.m); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// Change opens an index for writing and removes what an interrupted writer has
// left behind.
func Change(dir string, threads int) (*Writer, error) {
	if _, _, err := readManifest(dir); err != nil {
		return nil, err // before a lock file is made where there is no index
	}
	w, err := lock(dir, threads)
	if err != nil {
		return nil, err
	}
	if w.m, w.params, err = readManifest(dir); err == nil {
		err = w.sweep()
	}
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

func lock(dir string, threads int) (*Writer, error) {
	f, err := sealed.Lock(dir)
	if err != nil {
		return nil, err
	}
	return &Writer{dir: dir, lock: f, threads: max(1, threads)}, nil
}

// Close gives up the lock.
func (w *Writer) Close() error { return w.lock.Close() }

// Params are those that all sketches must have.
func (w *Writer) Params() sketch.Params { return w.params }

// sweep removes files of segments that the manifest does not name.
func (w *Writer) sweep() error {
	named := map[string]bool{}
	for _, s := range w.m.Segments {
		named[s.Name+".sketches"], named[s.Name+".postings"] = true, true
	}
	return sealed.Sweep(w.dir, named, ".sketches", ".postings")
}

// Add adds sketches; they are durable when it returns. Memory is that of the
// sketches and 32 bytes for each of their hashes: give a large collection in
// parts and Compact at the end.
func (w *Writer) Add(items []sketch.Item) error {
	for _, it := range items {
		if p := it.Sketch.Params(); p != w.params {
			if err := w.params.Comparable(p); err != nil {
				return fmt.Errorf("%s: %w", it.Meta.Label(), err)
			}
			return fmt.Errorf("%s: %w", it.Meta.Label(), &sketch.MismatchError{Field: "size, scaled or abundances", Left: w.params.String(), Right: p.String()})
		}
	}
	if len(items) == 0 {
		return nil
	}
	next := *w.m
	r, err := writeSegment(w.dir, strconv.Itoa(next.Next), w.params, items, w.threads)
	if err != nil {
		return err
	}
	next.Next++
	next.Segments = append(slices.Clone(next.Segments), r)
	return w.replace(&next)
}

func (w *Writer) replace(next *manifest) error {
	if err := sealed.WriteManifest(w.dir, next); err != nil {
		return err
	}
	w.m = next
	return nil
}

// Remove removes the sketches for which drop is true and returns how many.
// Their space is given back by Compact.
func (w *Writer) Remove(drop func(sketch.Meta) bool) (int, error) {
	next := *w.m
	next.Removed = map[string][]int{}
	n := 0
	for _, r := range next.Segments {
		s, err := openSegment(w.dir, r, w.m.Removed[r.Name])
		if err != nil {
			return 0, err
		}
		for i, e := range s.entries {
			if s.removed[i] || drop(e.Meta) {
				next.Removed[r.Name] = append(next.Removed[r.Name], i)
				if !s.removed[i] {
					n++
				}
			}
		}
		s.close()
	}
	if n == 0 {
		return 0, nil
	}
	return n, w.replace(&next)
}

// Compact writes all sketches that are left as one segment and gives back the
// space of removed ones and of old segments. Searching gives the same before
// and after.
func (w *Writer) Compact() error {
	x, err := Open(w.dir)
	if err != nil {
		return err
	}
	defer x.Close()
	items, err := x.Items(w.threads)
	if err != nil {
		return err
	}
	next := *w.m
	next.Segments, next.Removed = nil, nil
	if len(items) > 0 {
		r, err := writeSegment(w.dir, strconv.Itoa(next.Next), w.params, items, w.threads)
		if err != nil {
			return err
		}
		next.Next++
		next.Segments = []segmentRecord{r}
	}
	if err := w.replace(&next); err != nil {
		return err
	}
	return w.sweep()
}
