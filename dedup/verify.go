// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"
	"iter"
	"math"
	"sync"
)

// An Edge is a pair of rows, A < B, that has been compared.
type Edge struct {
	A, B       uint32
	Similarity float64 // in [0, 1]: the Jaccard index, unless another measure was asked for
	AB, BA     float64 // share of A's elements that B has, and of B's that A has; NaN if not known
	Low, High  float64 // interval of Similarity; both equal to it if it is exact
}

// A Comparer compares two documents. It belongs to one goroutine.
type Comparer interface {
	Compare(a, b uint32) (Edge, error)
}

// exactComparer compares the sets of all elements.
type exactComparer struct {
	sets      *spool
	contained bool // Similarity is the larger containment
	a, b      []uint64
	row       uint32 // whose set is in a
	loaded    bool
	bytes     []byte
}

func (c *exactComparer) set(dst []uint64, row uint32) ([]uint64, error) {
	var err error
	if c.bytes, err = c.sets.at(int(row), c.bytes); err != nil {
		return dst, err
	}
	return parseHashes(dst[:0], c.bytes), nil
}

// Compare returns the exact Jaccard index and containments.
func (c *exactComparer) Compare(a, b uint32) (Edge, error) {
	var err error
	if !c.loaded || c.row != a {
		if c.a, err = c.set(c.a, a); err != nil {
			return Edge{}, err
		}
		c.row, c.loaded = a, true
	}
	if c.b, err = c.set(c.b, b); err != nil {
		return Edge{}, err
	}
	e := exactEdge(a, b, len(c.a), len(c.b), common(c.a, c.b))
	if c.contained {
		e.Similarity = max(e.AB, e.BA)
		e.Low, e.High = e.Similarity, e.Similarity
	}
	return e, nil
}

// exactEdge is the edge of sets of na and nb elements that have n in common.
func exactEdge(a, b uint32, na, nb, n int) Edge {
	j := ratio(n, na+nb-n)
	return Edge{A: a, B: b, Similarity: j, AB: ratio(n, na), BA: ratio(n, nb), Low: j, High: j}
}

// ratio is n/of, NaN for 0/0.
func ratio(n, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return float64(n) / float64(of)
}

// Verify compares pairs (in a triple's key, rows packed) with so many goroutines,
// each with a Comparer of its own, and calls emit with the edges in the order of the pairs.
func Verify(ctx context.Context, pairs iter.Seq2[[2]uint32, error], threads int, newComparer func() Comparer, emit func(Edge) error) error {
	const batch = 1024
	type job struct {
		pairs [][2]uint32
		edges []Edge
		err   error
		done  chan struct{}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs, order := make(chan *job), make(chan *job, 4*threads)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel() // before the wait
	var failed error
	running.Go(func() {
		defer close(order)
		defer close(jobs)
		j := &job{done: make(chan struct{})}
		send := func() bool {
			if len(j.pairs) == 0 {
				return true
			}
			select {
			case order <- j:
			case <-ctx.Done():
				return false
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return false
			}
			j = &job{done: make(chan struct{})}
			return true
		}
		for p, err := range pairs {
			if err != nil {
				failed = err
				return
			}
			if j.pairs = append(j.pairs, p); len(j.pairs) == batch && !send() {
				return
			}
		}
		send()
	})
	for range threads {
		running.Go(func() {
			c := newComparer()
			for j := range jobs {
				for _, p := range j.pairs {
					e, err := c.Compare(p[0], p[1])
					if err != nil {
						j.err = err
						break
					}
					j.edges = append(j.edges, e)
				}
				close(j.done)
			}
		})
	}
	for j := range order {
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.err != nil {
			return j.err
		}
		for _, e := range j.edges {
			if err := emit(e); err != nil {
				return err
			}
		}
	}
	if failed != nil {
		return failed
	}
	return ctx.Err()
}

// unpacked are the pairs of a sorter.
func unpacked(s *sorter) iter.Seq2[[2]uint32, error] {
	return func(yield func([2]uint32, error) bool) {
		for t, err := range s.sorted() {
			if !yield([2]uint32{uint32(t.key >> 32), uint32(t.key)}, err) {
				return
			}
		}
	}
}
