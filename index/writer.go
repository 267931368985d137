// SPDX-License-Identifier: Apache-2.0

package index

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/sketch"
)

// ErrLocked is returned when another process writes to the index.
var ErrLocked = sealed.ErrLocked

// A Writer changes an index. It holds the lock of the directory until Close.
type Writer struct {
	dir     string
	lock    *os.File
	fresh   bool      // there is no manifest yet
	made    bool      // the directory, too, is new
	m       *manifest // what is there, and what was added since
	added   int       // segments since the last Commit
	params  sketch.Params
	threads int
}

// Create makes a new index for sketches of one kind; it is there once Commit
// returns. The directory is made; an index in it is an error.
func Create(dir string, p sketch.Params, threads int) (*Writer, error) {
	if p.Family != sketch.BottomK && p.Family != sketch.FracMinHash {
		return nil, fmt.Errorf("an index of postings holds %s or %s sketches, not %s", sketch.BottomK, sketch.FracMinHash, p.Family)
	}
	_, missing := os.Stat(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	w, err := lock(dir, threads)
	if err != nil {
		return nil, err
	}
	w.m, w.params, w.fresh, w.made = &manifest{Kind: kind, Version: version, Params: p.String(), Next: 1}, p, true, missing != nil
	if sealed.Exists(dir) {
		err := fmt.Errorf("%s: %w", dir, os.ErrExist)
		return nil, errors.Join(err, w.lock.Close())
	}
	if err := sweep(dir, w.m); err != nil {
		return nil, errors.Join(err, w.Close())
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
		err = sweep(dir, w.m)
	}
	if err != nil {
		return nil, errors.Join(err, w.lock.Close())
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

// Close drops what was added since the last Commit and gives up the lock. Of a
// new index that was never committed nothing is left.
func (w *Writer) Close() error {
	var err error
	if w.added > 0 {
		kept := *w.m
		kept.Segments = kept.Segments[:len(kept.Segments)-w.added]
		err = sweep(w.dir, &kept)
	}
	if w.fresh {
		err = errors.Join(err, os.Remove(w.lock.Name()))
		if w.made {
			err = errors.Join(err, os.Remove(w.dir))
		}
	}
	return errors.Join(err, w.lock.Close())
}

// Params are those that all sketches must have.
func (w *Writer) Params() sketch.Params { return w.params }

// sweep removes files of segments that a manifest does not name.
func sweep(dir string, m *manifest) error {
	named := map[string]bool{}
	for _, s := range m.Segments {
		named[s.Name+".sketches"], named[s.Name+".postings"] = true, true
	}
	return sealed.Sweep(dir, named, ".sketches", ".postings")
}

// Add adds sketches as one segment, which belongs to the index after Commit.
// Memory beside the sketches is small: give a large collection in parts.
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
	r, err := writeSegment(w.dir, strconv.Itoa(w.m.Next), w.params, items, w.threads)
	if err != nil {
		return err
	}
	w.m.Next++
	w.m.Segments = append(w.m.Segments, r)
	w.added++
	return nil
}

// Commit makes what was added part of the index, all at once and durably.
func (w *Writer) Commit() error {
	if w.added == 0 && !w.fresh {
		return nil
	}
	return w.replace(*w.m)
}

func (w *Writer) replace(next manifest) error {
	if err := sealed.WriteManifest(w.dir, &next); err != nil {
		return err
	}
	w.m, w.added, w.fresh = &next, 0, false
	return nil
}

// Remove removes the sketches for which drop is true and returns how many, as
// durably as Commit, which it implies. Their space is given back by Compact.
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
		return 0, w.Commit()
	}
	return n, w.replace(next)
}

// Compact writes all sketches that are left as one segment and gives back the
// space of removed ones and of old segments, as durably as Commit, which it
// implies. Searching gives the same before and after. Memory is some bytes for
// each sketch and row groups of tables.
func (w *Writer) Compact() error {
	if err := w.Commit(); err != nil {
		return err
	}
	x, err := Open(w.dir)
	if err != nil {
		return err
	}
	defer x.Close()
	next := *w.m
	next.Segments, next.Removed = nil, nil
	if x.Len() > 0 {
		r, err := x.join(w.dir, strconv.Itoa(next.Next))
		if err != nil {
			return err
		}
		next.Next++
		next.Segments = []segmentRecord{r}
	}
	if err := w.replace(next); err != nil {
		return err
	}
	return sweep(w.dir, w.m)
}
