// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"path/filepath"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/sketch"
)

// Check reads all of the index in a directory: the digests of files, of
// sketches and of blocks, and that the postings are those of the sketches. It holds
// one row group of a table and some bytes for each sketch.
func Check(dir string) error {
	x, err := Open(dir)
	if err != nil {
		return err
	}
	defer x.Close()
	for _, s := range x.segments {
		for suffix, want := range map[string]sealed.Sum{".sketches": s.Sketches, ".postings": s.Postings} {
			if err := want.Check(filepath.Join(dir, s.Name+suffix)); err != nil {
				return err
			}
		}
		if err := s.check(); err != nil {
			return err
		}
	}
	return nil
}

// check compares postings with sketches: both must give the same digest of the
// hashes of each row in ascending order, with their places.
func (s *segment) check() error {
	want := make([]rowDigest, s.Rows)
	if err := s.each(func(row int, it sketch.Item) error {
		for place, h := range it.Sketch.(sketch.HashSet).Hashes() {
			want[row].add(h, uint32(place))
		}
		return nil
	}); err != nil {
		return err
	}
	got := make([]rowDigest, s.Rows)
	err := s.postings.each(func(h uint64, rows []posting) error {
		for _, r := range rows {
			if s.postings.width == 4 {
				r.rank = got[r.row].hashes
			}
			got[r.row].add(h, r.rank)
		}
		return nil
	})
	for row := range got {
		if err == nil && (got[row] != want[row] || got[row].hashes != s.postings.sizes[row]) {
			err = fmt.Errorf("%w: they are not the hashes of row %d", errPostings, row)
		}
	}
	if err != nil {
		return sketch.BadInput(filepath.Join(s.dir, s.Name+".postings"), err)
	}
	return nil
}

// A rowDigest is a digest of hashes in their order.
type rowDigest struct {
	sum    uint64
	hashes uint32
}

func (d *rowDigest) add(h uint64, place uint32) {
	d.sum = mix.Bits64(mix.Bits64(d.sum^h) + uint64(place))
	d.hashes++
}
