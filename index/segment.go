// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gsketch/gsketch/formats/table"
	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/sketch"
)

// writeSegment writes the files of a segment; they count only once a manifest
// names them.
func writeSegment(dir, name string, p sketch.Params, items []sketch.Item, threads int) (segmentRecord, error) {
	r := segmentRecord{Name: name, Rows: len(items)}
	sets := make([]sketch.HashSet, len(items))
	for i, it := range items {
		sets[i] = it.Sketch.(sketch.HashSet)
		r.Hashes += uint64(sets[i].Len())
	}
	var err error
	r.Sketches, err = sealed.WriteFile(filepath.Join(dir, name+".sketches"), func(w io.Writer) error {
		t := table.NewWriter(w, table.Options{})
		for _, it := range items {
			if err := t.Write(it); err != nil {
				return err
			}
		}
		return t.Close()
	})
	if err != nil {
		return r, err
	}
	r.Postings, err = sealed.WriteFile(filepath.Join(dir, name+".postings"), func(w io.Writer) error {
		return writePostings(w, sets, p.Family == sketch.BottomK, threads)
	})
	return r, err
}

// A segment is an open one.
type segment struct {
	segmentRecord
	dir      string
	file     *os.File
	postings *postings
	entries  []table.Entry
	removed  []bool
}

func openSegment(dir string, r segmentRecord, removed []int) (*segment, error) {
	s := &segment{segmentRecord: r, dir: dir, removed: make([]bool, r.Rows)}
	for _, row := range removed {
		s.removed[row] = true
	}
	path := filepath.Join(dir, r.Name+".postings")
	fail := func(err error) (*segment, error) {
		s.close()
		return nil, sketch.BadInput(path, err)
	}
	var err error
	if s.file, err = r.Postings.Open(path); err != nil {
		return nil, err
	}
	if s.postings, err = openPostings(s.file, r.Postings.Bytes); err != nil {
		return fail(err)
	}
	if len(s.postings.sizes) != r.Rows {
		return fail(fmt.Errorf("%d rows, the manifest says %d", len(s.postings.sizes), r.Rows))
	}
	t, err := s.table(1, true)
	if err != nil {
		s.close()
		return nil, err
	}
	s.entries = t.Entries()
	if len(s.entries) != r.Rows {
		return fail(fmt.Errorf("%d sketches, the manifest says %d", len(s.entries), r.Rows))
	}
	return s, nil
}

// table opens the sketches.
func (s *segment) table(threads int, small bool) (*table.File, error) {
	path := filepath.Join(s.dir, s.Name+".sketches")
	f, err := s.Sketches.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return table.Open(f, s.Sketches.Bytes, path, table.ReadOptions{Threads: threads, SmallColumns: small})
}

// items reads the sketches with their rows.
func (s *segment) items(threads int) ([]sketch.Item, error) {
	t, err := s.table(threads, false)
	if err != nil {
		return nil, err
	}
	items := make([]sketch.Item, 0, s.Rows)
	for _, c := range t.Collections() {
		for i := range c.Len() {
			items = append(items, sketch.Item{Meta: c.Meta(i), Sketch: c.At(i)})
		}
	}
	return items, nil
}

func (s *segment) close() {
	if s.file != nil {
		s.file.Close()
	}
}
