// SPDX-License-Identifier: Apache-2.0

package index

import (
	"encoding/binary"
	"path/filepath"
	"runtime"
	"sort"
	"sync"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/sketch"
)

// A Hit is a sketch that shares hashes with a query.
type Hit struct {
	Meta sketch.Meta
	Pair distance.Pair // the query (A) and the sketch (B), as distance.Compare counts them

	segment, row int
}

// Search returns every sketch that shares at least one hash with the query, in
// the order of adding, with the counts that distance.Compare gives. The query
// must be comparable with the index (ErrIncompatible); a FracMinHash query may
// have another scaled: the finer side is downsampled.
func (x *Index) Search(query sketch.Item) ([]Hit, error) {
	set := query.Sketch.(sketch.HashSet)
	if err := set.Params().Comparable(x.params); err != nil {
		return nil, err
	}
	var hits []Hit
	for n, s := range x.segments {
		c := &counter{s: s, query: set, params: x.params}
		found, err := c.count()
		if err != nil {
			return nil, sketch.BadInput(filepath.Join(s.dir, s.Name+".postings"), err)
		}
		for _, f := range found {
			if s.removed[f.row] {
				continue
			}
			m := s.entries[f.row].Meta
			f.pair.LengthA, f.pair.LengthB = query.Meta.Length, m.Length
			hits = append(hits, Hit{m, f.pair, n, f.row})
		}
	}
	return hits, nil
}

// Sketches reads the sketches of hits of this index, in their order.
func (x *Index) Sketches(hits []Hit) ([]sketch.Sketch, error) {
	read := make([]sketch.Sketch, len(hits))
	for n, s := range x.segments {
		at := map[int64][]int{}
		for i, h := range hits {
			if h.segment == n {
				at[int64(h.row)] = append(at[int64(h.row)], i)
			}
		}
		if len(at) == 0 {
			continue
		}
		if err := s.some(func(row int64) bool { return at[row] != nil }, func(row int, it sketch.Item) error {
			for _, i := range at[int64(row)] {
				read[i] = it.Sketch
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return read, nil
}

type found struct {
	row  int
	pair distance.Pair
}

// A counter counts the hashes that a query shares with the rows of a segment.
type counter struct {
	s      *segment
	query  sketch.HashSet
	params sketch.Params
}

func (c *counter) count() ([]found, error) {
	p := distance.Pair{K: c.params.Elements.K, Space: c.params.Elements.Space()}
	if c.params.Family == sketch.BottomK {
		return c.bottom(p)
	}
	return c.fraction(p)
}

// fraction counts for FracMinHash: all shared hashes up to the smaller bound.
func (c *counter) fraction(p distance.Pair) ([]found, error) {
	p.Scaled = max(c.params.Scaled, c.query.Params().Scaled)
	bound := sketch.MaxHash(p.Scaled)
	hashes := upTo(c.query.Hashes(), bound)
	shared, err := c.countAll(hashes)
	if err != nil {
		return nil, err
	}
	sizes := c.s.postings.sizes
	if p.Scaled > c.params.Scaled {
		if sizes, err = c.sizesUpTo(bound); err != nil {
			return nil, err
		}
	}
	p.A = uint64(len(hashes))
	var out []found
	for row, n := range shared {
		if n == 0 {
			continue
		}
		q := p
		q.Shared, q.B = uint64(n), uint64(sizes[row])
		q.Of = q.A + q.B - q.Shared
		out = append(out, found{row, q})
	}
	return out, nil
}

// worthSharing is the number of hashes below which looking them up is not shared
// between goroutines.
const worthSharing = 256

// countAll counts how many of the hashes each row holds, on all processors that
// Go may use: reading and checking blocks is what takes the time.
func (c *counter) countAll(hashes []uint64) ([]uint32, error) {
	parts := min(runtime.GOMAXPROCS(0), 1+len(hashes)/worthSharing)
	counts, errs := make([][]uint32, parts), make([]error, parts)
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() {
			part := hashes[i*len(hashes)/parts : (i+1)*len(hashes)/parts]
			counts[i], errs[i] = c.countPart(part)
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, err
		}
		if i > 0 {
			for row, n := range counts[i] {
				counts[0][row] += n
			}
		}
	}
	return counts[0], nil
}

func (c *counter) countPart(hashes []uint64) ([]uint32, error) {
	shared := make([]uint32, c.s.Rows)
	return shared, c.s.postings.find(hashes, func(_ int, found []byte) bool {
		for ; len(found) >= 4; found = found[4:] {
			row := binary.LittleEndian.Uint32(found)
			if int(row) >= len(shared) {
				return false
			}
			shared[row]++
		}
		return true
	})
}

// sizesUpTo counts the hashes of each row up to a bound.
func (c *counter) sizesUpTo(bound uint64) ([]uint32, error) {
	sizes := make([]uint32, c.s.Rows)
	err := c.s.postings.each(func(h uint64, rows []posting) error {
		if h <= bound {
			for _, r := range rows {
				sizes[r.row]++
			}
		}
		return nil
	})
	return sizes, err
}

// bottom counts for bottom-k: of the s smallest hashes of the union. A shared
// hash at places a and b, with c shared ones before it, is at place a+b-c of the
// union.
func (c *counter) bottom(p distance.Pair) ([]found, error) {
	s := uint32(min(c.params.Size, c.query.Params().Size))
	hashes := c.query.Hashes()
	hashes = hashes[:min(len(hashes), int(s))]
	shared := make([]uint32, c.s.Rows)
	err := c.s.postings.find(hashes, func(i int, found []byte) bool {
		for ; len(found) >= 8; found = found[8:] {
			row, rank := binary.LittleEndian.Uint32(found), binary.LittleEndian.Uint32(found[4:])
			if int(row) >= len(shared) {
				return false
			}
			if rank < s && uint32(i)+rank-shared[row] < s {
				shared[row]++
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	p.A = uint64(len(hashes))
	var out []found
	for row, n := range shared {
		if n == 0 {
			continue
		}
		q := p
		q.Shared, q.B = uint64(n), uint64(min(c.s.postings.sizes[row], s))
		q.Of = min(uint64(s), q.A+q.B-q.Shared)
		out = append(out, found{row, q})
	}
	return out, nil
}

func upTo(hashes []uint64, bound uint64) []uint64 {
	return hashes[:sort.Search(len(hashes), func(i int) bool { return hashes[i] > bound })]
}
