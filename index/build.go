// SPDX-License-Identifier: Apache-2.0

package index

import (
	"io"
	"sync"

	"github.com/gsketch/gsketch/internal/radix"
	"github.com/gsketch/gsketch/sketch"
)

// writePostings writes the postings of sketches; row i is sets[i]. Ranges of
// hashes are sorted one after the other, by each thread every so-manieth.
func writePostings(w io.Writer, sets []sketch.HashSet, ranked bool, threads int) error {
	sizes := make([]uint32, len(sets))
	for i, s := range sets {
		sizes[i] = uint32(s.Len())
	}
	ranges := radix.Ranges(len(sets), func(i int) []uint64 { return sets[i].Hashes() })
	sorted := make([]chan []radix.Record, threads)
	stop := make(chan struct{})
	var workers sync.WaitGroup
	for t := range threads {
		sorted[t] = make(chan []radix.Record)
		workers.Go(func() {
			s := &sorter{sets: sets, places: make([]int, len(sets))}
			for i, last := range ranges {
				if i%threads != t {
					s.skip(last)
					continue
				}
				select {
				case sorted[t] <- s.sort(last):
				case <-stop:
					return
				}
			}
		})
	}
	defer workers.Wait()
	defer close(stop)
	p := newPostingsWriter(w, ranked)
	for i := range ranges {
		if err := p.addRecords(<-sorted[i%threads]); err != nil {
			return err
		}
	}
	return p.close(sizes)
}

// A sorter goes through ranges of hashes in ascending order.
type sorter struct {
	sets    []sketch.HashSet
	places  []int             // by set: the first hash not yet passed
	buffers [3][]radix.Record // one with the reader, one being filled, one to sort with
}

// skip passes over the hashes up to last.
func (s *sorter) skip(last uint64) {
	for i, set := range s.sets {
		h, j := set.Hashes(), s.places[i]
		for j < len(h) && h[j] <= last {
			j++
		}
		s.places[i] = j
	}
}

// sort passes over the hashes up to last and returns them by hash and row. They
// are valid until the next call but one.
func (s *sorter) sort(last uint64) []radix.Record {
	b := &s.buffers
	b[0], b[1] = b[1], b[0][:0]
	for i, set := range s.sets {
		h, j := set.Hashes(), s.places[i]
		for ; j < len(h) && h[j] <= last; j++ {
			b[1] = append(b[1], radix.Record{Hash: h[j], Set: uint32(i), Place: uint32(j)})
		}
		s.places[i] = j
	}
	b[1], b[2] = radix.SortRecords(b[1], b[2])
	return b[1]
}

// addRecords adds sorted records.
func (p *postingsWriter) addRecords(records []radix.Record) error {
	for i := 0; i < len(records); {
		h := records[i].Hash
		p.rows = p.rows[:0]
		for ; i < len(records) && records[i].Hash == h; i++ {
			p.rows = append(p.rows, posting{records[i].Set, records[i].Place})
		}
		if err := p.add(h, p.rows); err != nil {
			return err
		}
	}
	return nil
}
