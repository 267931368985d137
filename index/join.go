// SPDX-License-Identifier: Apache-2.0

package index

import (
	"container/heap"
	"io"
	"path/filepath"

	"github.com/gsketch/gsketch/formats/table"
	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/sketch"
)

// join writes the sketches that are left as one segment, by merging: postings
// of the old segments are read in the order of hashes, tables one after the
// other.
func (x *Index) join(dir, name string) (segmentRecord, error) {
	r := segmentRecord{Name: name, Rows: x.Len()}
	for _, s := range x.segments {
		for i, n := range s.postings.sizes {
			if !s.removed[i] {
				r.Hashes += uint64(n)
			}
		}
	}
	var err error
	r.Sketches, err = sealed.WriteFile(filepath.Join(dir, name+".sketches"), func(w io.Writer) error {
		t := table.NewWriter(w, table.Options{})
		for _, s := range x.segments {
			if err := s.eachLeft(t.Write); err != nil {
				return err
			}
		}
		return t.Close()
	})
	if err != nil {
		return r, err
	}
	r.Postings, err = sealed.WriteFile(filepath.Join(dir, name+".postings"), func(w io.Writer) error {
		return x.joinPostings(newPostingsWriter(w, x.params.Family == sketch.BottomK))
	})
	return r, err
}

// joinPostings merges the postings of the segments.
func (x *Index) joinPostings(w *postingsWriter) error {
	var sizes []uint32
	var q queue
	for _, s := range x.segments {
		in := &joining{cursor: cursor{p: s.postings}, s: s, rows: make([]uint32, s.Rows)}
		for i, n := range s.postings.sizes {
			if !s.removed[i] {
				in.rows[i] = uint32(len(sizes))
				sizes = append(sizes, n)
			}
		}
		in.rank = len(q)
		more, err := in.advance()
		if err != nil {
			return in.bad(err)
		}
		if more {
			q = append(q, in)
		}
	}
	heap.Init(&q)
	var rows []posting
	for len(q) > 0 {
		h := q[0].hash
		rows = rows[:0]
		for len(q) > 0 && q[0].hash == h {
			in := q[0]
			for _, p := range in.cursor.rows {
				if !in.s.removed[p.row] {
					rows = append(rows, posting{in.rows[p.row], p.rank})
				}
			}
			more, err := in.advance()
			if err != nil {
				return in.bad(err)
			}
			if more {
				heap.Fix(&q, 0)
			} else {
				heap.Pop(&q)
			}
		}
		if len(rows) > 0 {
			if err := w.add(h, rows); err != nil {
				return err
			}
		}
	}
	return w.close(sizes)
}

// joining is the postings of a segment on their way into another one.
type joining struct {
	cursor
	s    *segment
	rank int      // of the segment
	rows []uint32 // by row: that in the new segment
}

func (j *joining) bad(err error) error {
	return sketch.BadInput(filepath.Join(j.s.dir, j.s.Name+".postings"), err)
}

// A queue has the smallest hash first, and of equal ones the earlier segment.
type queue []*joining

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].hash < q[j].hash || q[i].hash == q[j].hash && q[i].rank < q[j].rank
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*joining)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
