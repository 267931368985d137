// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bytes"
	"container/heap"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/sketch"
)

// A Corpus is where documents are and how they are drawn.
type Corpus struct {
	Paths   []string
	Options corpus.Options // but for Threads
	Threads int
	Seed    uint64 // of what is drawn
}

// scan has so many goroutines make something of each document, and calls emit
// with it in the order of the documents. A worker belongs to one goroutine.
func scan[T any](ctx context.Context, c Corpus, newWorker func() func(*corpus.Document) (T, error), emit func(T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o := c.Options
	o.Threads = max(1, c.Threads)
	r, err := corpus.NewReader(c.Paths, o)
	if err != nil {
		return err
	}
	type job struct {
		batch corpus.Batch
		done  chan struct{}
		made  []T
		err   error
	}
	jobs, order := make(chan *job), make(chan *job, 4*o.Threads)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel() // before the wait
	running.Go(func() {
		defer r.Close()
		defer close(order)
		defer close(jobs)
		for {
			b, err := r.Next()
			if err == io.EOF {
				return
			}
			j := &job{batch: b, err: err, done: make(chan struct{})}
			select {
			case order <- j:
			case <-ctx.Done():
				return
			}
			if err != nil {
				close(j.done)
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for range o.Threads {
		running.Go(func() {
			work := newWorker()
			for j := range jobs {
				j.err = j.batch(func(d *corpus.Document) error {
					x, err := work(d)
					j.made = append(j.made, x)
					return err
				})
				close(j.done)
			}
		})
	}
	for {
		var j *job
		var open bool
		select {
		case j, open = <-order:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !open {
			return ctx.Err()
		}
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		for _, x := range j.made {
			if err := emit(x); err != nil {
				return err
			}
		}
		if j.err != nil {
			return j.err
		}
	}
}

// A document of a corpus that was drawn or asked for.
type document struct {
	id      string
	text    []byte
	members [][]byte
	rank    uint64 // its place in the lottery
	row     int    // its place in the corpus, from 0
	asked   bool   // by name
}

// draw reads a corpus and returns how many documents it has, n of them drawn
// at random, in the order of the lottery, and behind them those that are asked
// for by name and were not drawn. Who is drawn depends on names and seed, not on
// the order of documents (but of those that have one name).
func draw(ctx context.Context, c Corpus, n int, asked map[string]bool) (all int, docs []document, drawn int, err error) {
	var kept, others lottery
	var bound atomic.Uint64 // ranks above it have lost
	bound.Store(^uint64(0))
	err = scan(ctx, c, func() func(*corpus.Document) (document, error) {
		return func(d *corpus.Document) (document, error) {
			x := document{rank: xxh3.HashStringSeed(d.ID, c.Seed), asked: asked[d.ID]}
			if x.rank > bound.Load() && !x.asked {
				return x, nil // has lost: only counted
			}
			x.id, x.text = d.ID, bytes.Clone(d.Text)
			for _, m := range d.Members {
				x.members = append(x.members, bytes.Clone(m))
			}
			return x, nil
		}
	}, func(x document) error {
		x.row = all
		all++
		heap.Push(&kept, x)
		if len(kept) > n {
			x = heap.Pop(&kept).(document)
			if x.asked {
				others = append(others, x)
			}
		}
		if len(kept) == n && n > 0 {
			bound.Store(kept[0].rank)
		}
		return nil
	})
	if err != nil {
		return 0, nil, 0, err
	}
	for _, l := range []lottery{kept, others} {
		slices.SortFunc(l, func(a, b document) int {
			if a.before(b) {
				return -1
			}
			return 1
		})
	}
	if err := once(kept, others, asked); err != nil {
		return 0, nil, 0, sketch.BadInput(c.Paths[0], err)
	}
	return all, append(kept, others...), len(kept), nil
}

// once says whether each document that is asked for is there, once.
func once(kept, others []document, asked map[string]bool) error {
	seen := map[string]int{}
	for _, d := range slices.Concat(kept, others) {
		if d.asked {
			seen[d.id]++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(asked)) {
		switch n := seen[id]; {
		case n == 0:
			return fmt.Errorf("no document is called %q", id)
		case n > 1:
			return fmt.Errorf("%d documents are called %q", n, id)
		}
	}
	return nil
}

func (d document) before(o document) bool {
	if d.rank != o.rank {
		return d.rank < o.rank
	}
	return d.row < o.row
}

// A lottery is a heap with the last winner on top.
type lottery []document

func (l lottery) Len() int           { return len(l) }
func (l lottery) Less(i, j int) bool { return l[j].before(l[i]) }
func (l lottery) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *lottery) Push(x any)        { *l = append(*l, x.(document)) }
func (l *lottery) Pop() any {
	old := *l
	x := old[len(old)-1]
	old[len(old)-1] = document{}
	*l = old[:len(old)-1]
	return x
}
