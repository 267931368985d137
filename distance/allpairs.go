// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"context"
	"sync"

	"github.com/gsketch/gsketch/sketch"
)

// A Count is what AllPairs finds for a row and column Col: Shared of Of
// hashes, the same as Compare finds.
type Count struct{ Col, Shared, Of uint32 }

// Options are what changes the speed or the selection of AllPairs, not its
// counts.
type Options struct {
	Threads int  // goroutines that count; at least 1
	Sparse  bool // leave out the pairs that share nothing
}

// Triangle compares every set with those before it: row i has the columns 0 to
// i-1. See Rectangle.
func Triangle[T any](ctx context.Context, sets []sketch.HashSet, o Options,
	do func(row int, counts []Count, reuse T) (T, error), emit func(T) error) error {
	p, err := newProblem(sets, nil, true)
	if err != nil {
		return err
	}
	return run(ctx, p, o, do, emit)
}

// Rectangle compares every set of rows with every set of cols.
//
// For each row it calls do with the counts in order of columns, which are valid
// until do returns. do turns them into what is wanted of the row, a line of
// text perhaps; several goroutines call it at once. reuse is an earlier result
// that emit is done with, or zero. emit gets the results in the order of rows,
// one at a time. The first error of do, emit or ctx ends it.
//
// The sets must be comparable with one another (sketch.Params.Comparable), else
// the error is a *sketch.MismatchError. Counts are exact and do not depend on
// the number of threads or the way they are found: by merging for few pairs, else
// by an inverted index, and by bitmaps among sets that share much. Memory beside
// the sets is about 12 bytes per shared hash in the index (16 per hash are set
// aside), 20 in bitmaps, 4 per column and thread, and a few results.
func Rectangle[T any](ctx context.Context, rows, cols []sketch.HashSet, o Options,
	do func(row int, counts []Count, reuse T) (T, error), emit func(T) error) error {
	p, err := newProblem(rows, cols, false)
	if err != nil {
		return err
	}
	return run(ctx, p, o, do, emit)
}

// run counts the rows in o.Threads goroutines.
func run[T any](ctx context.Context, p *problem, o Options,
	do func(int, []Count, T) (T, error), emit func(T) error) error {
	find, err := p.finder(ctx, max(1, o.Threads))
	if err != nil {
		return err
	}
	return ordered(ctx, len(p.rows), o.Threads, func() func(int, T) (T, error) {
		w := find.worker()
		var counts []Count
		return func(row int, reuse T) (T, error) {
			counts = p.counts(row, w.shared(row), counts[:0], o.Sparse)
			return do(row, counts, reuse)
		}
	}, emit)
}

// Rows calls do for each of n rows, several at once, and emit with the results
// in the order of rows, as Rectangle does where do finds what it compares by
// itself: signatures, perhaps.
func Rows[T any](ctx context.Context, n, threads int, do func(row int, reuse T) (T, error), emit func(T) error) error {
	return ordered(ctx, n, threads, func() func(int, T) (T, error) { return do }, emit)
}

// ordered works on n rows in goroutines, each of which has a worker of its own.
// No more than a few rows per thread are ahead of the one that emit waits for.
func ordered[T any](ctx context.Context, n, threads int, worker func() func(row int, reuse T) (T, error), emit func(T) error) error {
	type result struct {
		value T
		err   error
	}
	threads = max(1, threads)
	window := min(8*threads, n)
	next := make(chan int, window)
	done := make([]chan result, window) // row i answers in done[i%window]
	free := make(chan T, window)
	for i := range window {
		done[i] = make(chan result, 1)
		next <- i
	}
	var workers sync.WaitGroup
	for range threads {
		workers.Go(func() {
			work := worker()
			for row := range next {
				var r result
				select {
				case r.value = <-free:
				default:
				}
				r.value, r.err = work(row, r.value)
				done[row%window] <- r
			}
		})
	}
	defer workers.Wait()
	defer close(next)
	for row := range n {
		var r result
		select {
		case r = <-done[row%window]:
		case <-ctx.Done():
			return ctx.Err()
		}
		if r.err != nil {
			return r.err
		}
		if err := emit(r.value); err != nil {
			return err
		}
		free <- r.value
		if row+window < n {
			next <- row + window
		}
	}
	return nil
}
