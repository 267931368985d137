// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"io"
	"iter"
	"os"
	"slices"
	"sync"
)

// A triple is what is sorted: band, key and row of a band row; 0, 0 and a pair of
// rows packed in key for pairs. 16 bytes.
type triple struct {
	key  uint64
	band uint32
	row  uint32
}

const tripleBytes = 16

func compareTriples(a, b triple) int {
	switch {
	case a.band != b.band:
		return int(a.band) - int(b.band)
	case a.key < b.key:
		return -1
	case a.key > b.key:
		return 1
	case a.row < b.row:
		return -1
	case a.row > b.row:
		return 1
	}
	return 0
}

// A sorter sorts triples by band, key and row, in as much memory as it is
// allowed: beyond it, sorted runs go to a temporary file and are merged. Equal
// triples are one.
type sorter struct {
	most    int // triples in memory
	threads int
	buf     []triple
	file    *os.File
	runs    []run
	end     int64
}

// A run is a sorted part of the file.
type run struct{ start, end int64 }

func newSorter(memory int64, threads int) *sorter {
	return &sorter{most: max(1<<10, int(memory/tripleBytes)), threads: threads}
}

func (s *sorter) close() {
	if s.file != nil {
		removeTemporary(s.file)
	}
}

func (s *sorter) add(t triple) error {
	if len(s.buf) == s.most {
		if s.sort(); len(s.buf) > s.most/2 {
			if err := s.spill(); err != nil {
				return err
			}
		}
	}
	if len(s.buf) == cap(s.buf) { // grow by half, never beyond what is allowed
		s.buf = slices.Grow(s.buf, min(s.most-len(s.buf), len(s.buf)/2+1<<10))
	}
	s.buf = append(s.buf, t)
	return nil
}

// sort sorts the buffer, in parts that goroutines take, and drops repeats.
func (s *sorter) sort() {
	parallelSort(s.buf, s.threads)
	s.buf = slices.Compact(s.buf)
}

// parallelSort is quicksort whose larger halves are sorted at once.
func parallelSort(t []triple, threads int) {
	const small = 1 << 16
	if threads < 2 || len(t) < small {
		slices.SortFunc(t, compareTriples)
		return
	}
	pivot := t[len(t)/2]
	low, at := 0, 0
	for i := range t { // less than the pivot | equal | greater
		switch c := compareTriples(t[i], pivot); {
		case c < 0:
			t[i], t[at] = t[at], t[i]
			t[at], t[low] = t[low], t[at]
			low++
			at++
		case c == 0:
			t[i], t[at] = t[at], t[i]
			at++
		}
	}
	var done sync.WaitGroup
	done.Go(func() { parallelSort(t[:low], threads/2) })
	parallelSort(t[at:], threads-threads/2)
	done.Wait()
}

// spill writes the sorted buffer to the file.
func (s *sorter) spill() error {
	if s.file == nil {
		f, err := temporary()
		if err != nil {
			return err
		}
		s.file = f
	}
	w := bufio.NewWriterSize(s.file, 1<<20)
	var b [tripleBytes]byte
	for _, t := range s.buf {
		binary.LittleEndian.PutUint64(b[:], t.key)
		binary.LittleEndian.PutUint32(b[8:], t.band)
		binary.LittleEndian.PutUint32(b[12:], t.row)
		if _, err := w.Write(b[:]); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	n := int64(len(s.buf)) * tripleBytes
	s.runs = append(s.runs, run{s.end, s.end + n})
	s.end += n
	s.buf = s.buf[:0]
	return nil
}

// sorted yields the triples in order, each once. It may be called once; the
// sorter is empty afterwards.
func (s *sorter) sorted() iter.Seq2[triple, error] {
	return func(yield func(triple, error) bool) {
		s.sort()
		defer func() { s.buf = nil }()
		if len(s.runs) == 0 {
			for _, t := range s.buf {
				if !yield(t, nil) {
					return
				}
			}
			return
		}
		if err := s.merge(yield); err != nil {
			yield(triple{}, err)
		}
	}
}

func (s *sorter) merge(yield func(triple, error) bool) error {
	var h heads
	for _, r := range s.runs {
		in := &reader{r: bufio.NewReaderSize(io.NewSectionReader(s.file, r.start, r.end-r.start), 64<<10)}
		if err := in.next(); err != nil {
			return err
		}
		h = append(h, in)
	}
	if len(s.buf) > 0 {
		h = append(h, &reader{rest: s.buf[1:], head: s.buf[0]})
	}
	heap.Init(&h)
	var last triple
	for begun := false; len(h) > 0; begun = true {
		top := h[0]
		if t := top.head; !begun || t != last {
			if last = t; !yield(t, nil) {
				return nil
			}
		}
		switch err := top.next(); err {
		case nil:
			heap.Fix(&h, 0)
		case io.EOF:
			heap.Pop(&h)
		default:
			return err
		}
	}
	return nil
}

// A reader reads a run, or what is in memory.
type reader struct {
	r    *bufio.Reader
	rest []triple
	head triple
}

func (r *reader) next() error {
	if r.r == nil {
		if len(r.rest) == 0 {
			return io.EOF
		}
		r.head, r.rest = r.rest[0], r.rest[1:]
		return nil
	}
	var b [tripleBytes]byte
	if _, err := io.ReadFull(r.r, b[:]); err != nil {
		return err
	}
	r.head = triple{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:])}
	return nil
}

// heads are readers by their next triples.
type heads []*reader

func (h heads) Len() int           { return len(h) }
func (h heads) Less(i, j int) bool { return compareTriples(h[i].head, h[j].head) < 0 }
func (h heads) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heads) Push(x any)        { *h = append(*h, x.(*reader)) }
func (h *heads) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
