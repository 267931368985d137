// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"path/filepath"

	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/sketch"
)

// Check reads all of the index in a directory: the digests of files, of
// sketches and of blocks, and that the postings are those of the sketches.
func Check(dir string, threads int) error {
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
		if err := s.check(threads); err != nil {
			return sketch.BadInput(filepath.Join(dir, s.Name+".postings"), err)
		}
	}
	return nil
}

// check compares postings with sketches: every posting is a hash of its sketch,
// and there are as many as hashes.
func (s *segment) check(threads int) error {
	items, err := s.items(threads)
	if err != nil {
		return err
	}
	sets := make([]sketch.HashSet, len(items))
	var hashes uint64
	for i, it := range items {
		sets[i] = it.Sketch.(sketch.HashSet)
		hashes += uint64(sets[i].Len())
	}
	next := make([]int, len(sets)) // of each sketch: hashes seen
	var seen uint64
	err = s.postings.each(func(h uint64, rows []posting) error {
		for _, r := range rows {
			if int(r.row) >= len(sets) || next[r.row] >= sets[r.row].Len() || sets[r.row].Hashes()[next[r.row]] != h || s.postings.width == 8 && int(r.rank) != next[r.row] {
				return fmt.Errorf("%w: hash %d is not that of row %d", errPostings, h, r.row)
			}
			next[r.row]++
			seen++
		}
		return nil
	})
	if err == nil && seen != hashes {
		err = fmt.Errorf("%w: %d postings for %d hashes", errPostings, seen, hashes)
	}
	return err
}
