// SPDX-License-Identifier: Apache-2.0

package index

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

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
	var damaged, unlisted error
	var both sync.WaitGroup
	both.Go(func() { s.postings, damaged = openPostings(s.file, r.Postings.Bytes) })
	both.Go(func() {
		unlisted = s.withFile(func(f *os.File, path string) error {
			t, err := table.Open(f, r.Sketches.Bytes, path, table.ReadOptions{SmallColumns: true})
			if err == nil {
				s.entries = t.Entries()
			}
			return err
		})
	})
	both.Wait()
	if damaged != nil {
		return fail(damaged)
	}
	if unlisted != nil {
		s.close()
		return nil, unlisted
	}
	if len(s.postings.sizes) != r.Rows {
		return fail(fmt.Errorf("%d rows, the manifest says %d", len(s.postings.sizes), r.Rows))
	}
	if len(s.entries) != r.Rows {
		return fail(fmt.Errorf("%d sketches, the manifest says %d", len(s.entries), r.Rows))
	}
	return s, nil
}

// withFile calls do with the file of the sketches.
func (s *segment) withFile(do func(f *os.File, path string) error) error {
	path := filepath.Join(s.dir, s.Name+".sketches")
	f, err := s.Sketches.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return do(f, path)
}

// each yields all sketches with their rows, removed or not, one row group of the
// table being read at a time.
func (s *segment) each(yield func(row int, it sketch.Item) error) error {
	return s.some(nil, yield)
}

// some is each for some rows.
func (s *segment) some(want func(row int64) bool, yield func(row int, it sketch.Item) error) error {
	return s.withFile(func(f *os.File, path string) error {
		return table.Each(f, s.Sketches.Bytes, path, table.ReadOptions{Want: want}, func(it sketch.Item) error {
			if it.Meta.Row >= int64(s.Rows) {
				return sketch.BadInput(path, errors.New("more sketches than the manifest says"))
			}
			return yield(int(it.Meta.Row), it)
		})
	})
}

// eachLeft yields the sketches that are not removed.
func (s *segment) eachLeft(yield func(sketch.Item) error) error {
	return s.each(func(row int, it sketch.Item) error {
		if s.removed[row] {
			return nil
		}
		return yield(it)
	})
}

func (s *segment) close() {
	if s.file != nil {
		s.file.Close()
	}
}
