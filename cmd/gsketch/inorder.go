// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"sync"
)

// inOrder calls work for 0..n-1 on several goroutines and emit for the results
// in order. newWork is called once per goroutine, so that each has scratch
// space of its own. The first error of emit ends it.
func inOrder(ctx context.Context, n, threads int, newWork func() func(i int) []byte, emit func([]byte) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	defer done.Wait()
	defer cancel()

	type job struct {
		i   int
		out chan []byte
	}
	jobs := make(chan job)
	order := make(chan job, 4*threads) // bounds what is finished but not written
	go func() {
		defer close(order)
		defer close(jobs)
		for i := range n {
			j := job{i, make(chan []byte, 1)}
			for _, c := range []chan job{order, jobs} {
				select {
				case c <- j:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	for range threads {
		done.Add(1)
		go func() {
			defer done.Done()
			work := newWork()
			for j := range jobs {
				j.out <- work(j.i)
			}
		}()
	}
	for j := range order {
		select {
		case b := <-j.out:
			if err := emit(b); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}
