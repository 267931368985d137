// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"io"
	"sync"

	"github.com/gsketch/gsketch/formats/corpus"
)

// A textWorker works on a batch and returns what is to be done with the
// results, which happens in the order of the batches. It belongs to one
// goroutine.
type textWorker func(corpus.Batch) (enter func() error)

// inOrder reads the inputs in one goroutine, lets opts.Threads others work on
// batches, and enters the results in order. At most batchesAhead per thread are
// in memory.
func (t *textRun) inOrder(ctx context.Context, paths []string, newWorker func() textWorker) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	threads := max(1, t.opts.Threads)
	o := t.texts.Corpus
	o.Threads, o.Read, o.Warn = threads, t.opts.Progress, t.warn
	r, err := corpus.NewReader(paths, o)
	if err != nil {
		return err
	}

	const batchesAhead = 4
	type job struct {
		batch corpus.Batch
		done  chan func() error
	}
	jobs := make(chan job)
	results := make(chan chan func() error, batchesAhead*threads)
	var running sync.WaitGroup
	running.Go(func() {
		defer r.Close()
		defer close(jobs)
		defer close(results)
		for {
			b, err := r.Next()
			if err == io.EOF {
				return
			}
			done := make(chan func() error, 1)
			select {
			case results <- done:
			case <-ctx.Done():
				return
			}
			if err != nil {
				done <- func() error { return t.take(nil, err) }
				continue
			}
			select {
			case jobs <- job{b, done}:
			case <-ctx.Done():
				return
			}
		}
	})
	for range threads {
		running.Go(func() {
			work := newWorker()
			for j := range jobs {
				j.done <- work(j.batch)
			}
		})
	}
	defer running.Wait()
	defer cancel() // runs before the wait: an early return stops the others

	for {
		select {
		case done, more := <-results:
			if !more {
				return ctx.Err()
			}
			select {
			case enter := <-done:
				if err := enter(); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
