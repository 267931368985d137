// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"bufio"
	"container/heap"
	"encoding/binary"
	"io"
	"os"
)

// A run is a sorted part of a Tally on disk: pairs of hash and count, 16 bytes
// each, little endian. Its file has no name, so nothing is left behind even
// after a kill.
type run struct {
	f   *os.File
	r   *bufio.Reader
	top entry
}

const runBuffer = 64 << 10

// spill writes the hashes in memory as a run and empties the table.
func (t *Tally) spill() error {
	f, err := os.CreateTemp(t.how.Dir, "gsketch-counts-*")
	if err != nil {
		return err
	}
	os.Remove(f.Name()) // where the system forbids it, close removes it
	w := bufio.NewWriterSize(f, runBuffer)
	var b [16]byte
	for _, e := range t.sorted() {
		binary.LittleEndian.PutUint64(b[:8], e.hash)
		binary.LittleEndian.PutUint64(b[8:], e.count)
		if _, err := w.Write(b[:]); err != nil {
			f.Close()
			return err
		}
	}
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	t.runs = append(t.runs, &run{f: f})
	clear(t.counts)
	t.n = 0
	return nil
}

func (r *run) close() {
	r.f.Close()
	os.Remove(r.f.Name())
}

// next reads the next pair; false at the end.
func (r *run) next() (bool, error) {
	var b [16]byte
	switch _, err := io.ReadFull(r.r, b[:]); err {
	case nil:
		r.top = entry{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}
		return true, nil
	case io.EOF:
		return false, nil
	default:
		return false, err
	}
}

type runHeap []*run

func (h runHeap) Len() int           { return len(h) }
func (h runHeap) Less(i, j int) bool { return h[i].top.hash < h[j].top.hash }
func (h runHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *runHeap) Push(x any)        { *h = append(*h, x.(*run)) }
func (h *runHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// mergeRuns adds up the runs and what is in memory.
func (t *Tally) mergeRuns(memory []entry, yield func(h, n uint64) bool) error {
	var h runHeap
	for _, r := range t.runs {
		if _, err := r.f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		r.r = bufio.NewReaderSize(r.f, runBuffer)
		ok, err := r.next()
		if err != nil {
			return err
		}
		if ok {
			h = append(h, r)
		}
	}
	heap.Init(&h)
	for len(h) > 0 || len(memory) > 0 {
		var e entry
		if len(memory) > 0 && (len(h) == 0 || memory[0].hash <= h[0].top.hash) {
			e, memory = memory[0], memory[1:]
		} else {
			e.hash = h[0].top.hash
		}
		for len(h) > 0 && h[0].top.hash == e.hash {
			e.count = addSaturating(e.count, h[0].top.count)
			ok, err := h[0].next()
			if err != nil {
				return err
			}
			if ok {
				heap.Fix(&h, 0)
			} else {
				heap.Pop(&h)
			}
		}
		if !yield(e.hash, e.count) {
			return nil
		}
	}
	return nil
}
