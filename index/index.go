// SPDX-License-Identifier: Apache-2.0

package index

import (
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

// Items calls yield for every sketch, in the order of adding, reading one row
// group of a table at a time.
func (x *Index) Items(yield func(sketch.Item) error) error {
	for _, s := range x.segments {
		if err := s.eachLeft(yield); err != nil {
			return err
		}
	}
	return nil
}
