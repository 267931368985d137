// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/sketch"
)

// A segmentRecord names a segment, with the sizes and digests of its files.
type segmentRecord struct {
	Name      string     `json:"name"`
	Rows      int        `json:"rows"`
	Documents int        `json:"documents"`
	Bands     sealed.Sum `json:"bands"`
	Docs      sealed.Sum `json:"docs"`
}

// writeSegment writes the files of a segment from what gives the settled rows of
// a band, and documents in the order of their ids.
func writeSegment(dir, name string, bands []uint32, rows func(band uint32) ([]row, error), docs func(yield func(id uint32, record []byte) error) error) (segmentRecord, error) {
	r := segmentRecord{Name: name}
	var err error
	r.Bands, err = sealed.WriteFile(filepath.Join(dir, name+".bands"), func(w io.Writer) error {
		r.Rows, err = writeRows(w, bands, rows)
		return err
	})
	if err != nil {
		return r, err
	}
	r.Docs, err = sealed.WriteFile(filepath.Join(dir, name+".docs"), func(w io.Writer) error {
		d, err := newDocsWriter(w)
		if err != nil {
			return err
		}
		if err := docs(d.add); err != nil {
			return err
		}
		r.Documents = int(d.n)
		return d.close()
	})
	return r, err
}

// A segment is an open one. Its bytes are those of the files, and what the
// system cannot read of them is a fault at an address: guard every use.
type segment struct {
	segmentRecord
	dir    string
	rows   *rowsFile
	docs   *docsFile
	unmaps []func()
}

// guard turns a fault of mapped memory, as of a file that was cut while it was
// in use, into an error.
func guard(do func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if r := recover(); r != nil {
			fault, ok := r.(interface{ Addr() uintptr })
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("a file of the index could not be read (at address %#x): was it cut?", fault.Addr())
		}
	}()
	return do()
}

func openSegment(dir string, r segmentRecord) (*segment, error) {
	s := &segment{segmentRecord: r, dir: dir}
	open := func(suffix string, sum sealed.Sum, parse func([]byte) error) error {
		path := filepath.Join(dir, r.Name+suffix)
		f, err := sum.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		data, unmap, err := mapped(f, sum.Bytes)
		if err == nil {
			s.unmaps = append(s.unmaps, unmap)
			err = guard(func() error { return parse(data) })
		}
		if err != nil {
			return sketch.BadInput(path, err)
		}
		return nil
	}
	err := open(".bands", r.Bands, func(b []byte) (err error) { s.rows, err = openRows(b); return err })
	if err == nil {
		err = open(".docs", r.Docs, func(b []byte) (err error) { s.docs, err = openDocs(b); return err })
	}
	if err == nil && len(s.docs.ids) != r.Documents {
		err = sketch.BadInput(filepath.Join(dir, r.Name+".docs"), fmt.Errorf("%d documents, the manifest says %d", len(s.docs.ids), r.Documents))
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *segment) close() {
	for _, unmap := range s.unmaps {
		unmap()
	}
	s.unmaps = nil
}

func (s *segment) bad(suffix string, err error) error {
	if err == nil {
		return nil
	}
	return sketch.BadInput(filepath.Join(s.dir, s.Name+suffix), err)
}

// bandsOf lists the bands of segments, ascending.
func bandsOf(segments []*segment) []uint32 {
	set := map[uint32]bool{}
	for _, s := range segments {
		for _, b := range s.rows.bands {
			set[b.band] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}
