// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gsketch/gsketch/sketch"
)

// A Sample is what becomes one sketch (per Params): one file, or several that
// belong together.
type Sample struct {
	Paths   []string // as typed; "-" is standard input
	ID      string   // name of the sketch; may be empty
	Comment string   // instead of that of the first record, if it is not empty
}

func (s Sample) label() string {
	if s.ID != "" {
		return s.ID
	}
	return strings.Join(s.Paths, ", ")
}

// Options are what does not belong to the parameters of a sketch.
type Options struct {
	Threads       int    // goroutines that read and hash; at least 1
	PerRecord     bool   // a sketch of each record instead of each sample
	Reads         bool   // the length of a sample is the estimated genome size
	GenomeSize    uint64 // Reads: the genome size where it is known
	SourmashNames bool   // names and sources as sourmash gives them
	NameFromFirst bool   // a sample without ID is called after its first record
	AnyLetters    bool   // take input that does not look like DNA
	KeepGoing     bool   // go on after a sample that failed
	Progress      func(bytes int)
}

// A Result is what came of a sample: its sketches, or why there are none.
type Result struct {
	Sample   Sample
	Items    []sketch.Item // in the order of Plan.Params, record by record if PerRecord
	Texts    [][]byte      // of each document or unit, if they are kept; of a set, its members by line
	Fields   [][]string    // corpus.Options.Fields of each of them
	Records  uint64        // all records
	Bases    uint64        // all letters
	Stats    sketch.Stats  // of the first element kind of the plan
	Warnings []string
	Notes    []string // what is good to know: estimates, error rates
	Err      error
}

type runner struct {
	plan          Plan
	opts          Options
	blocks        chan task    // full blocks for helpers
	helpers       atomic.Int32 // goroutines that have no sample left to begin
	streamThreads int
}

func (r *runner) newBlock() *block {
	return r.plan.newBlock()
}

// blocksAhead is how many blocks per thread may wait for a helper: enough that
// none runs out while the owner hashes a block itself.
const blocksAhead = 2

// ahead is how many samples may be done per thread before the first of them is
// taken by emit; it bounds what lies in memory.
const ahead = 16

// Run sketches samples and calls emit for each, in order, from one goroutine.
// It stops at the first error of emit, or, unless opts.KeepGoing, at the first
// sample (in the order of samples, whatever the number of threads) that fails;
// with KeepGoing the error stands in the Result.
func Run(ctx context.Context, plan Plan, opts Options, samples []Sample, emit func(Result) error) error {
	if err := plan.Validate(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	threads := max(1, opts.Threads)
	r := &runner{plan: plan, opts: opts, blocks: make(chan task, blocksAhead*threads), streamThreads: max(1, threads/max(1, len(samples)))}

	results := make([]chan Result, len(samples))
	for i := range results {
		results[i] = make(chan Result, 1)
	}
	next := make(chan int)
	room := make(chan struct{}, ahead*threads)
	go func() {
		defer close(next)
		for i := range samples {
			select {
			case room <- struct{}{}:
			case <-ctx.Done():
				return
			}
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()

	var owners, running sync.WaitGroup
	for range threads {
		owners.Add(1)
		running.Add(1)
		go func() {
			defer running.Done()
			for i := range next {
				results[i] <- r.one(ctx, samples[i])
			}
			owners.Done()
			r.helpers.Add(1)
			for t := range r.blocks {
				t.help()
			}
		}()
	}
	go func() {
		owners.Wait()
		close(r.blocks)
	}()
	defer running.Wait()
	defer cancel() // runs before the wait: an early return stops the others

	for i := range samples {
		select {
		case res := <-results[i]:
			if res.Err != nil && !opts.KeepGoing {
				return res.Err
			}
			if err := emit(res); err != nil {
				return err
			}
			<-room
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// one works on one sample from its first byte to its sketches.
func (r *runner) one(ctx context.Context, sample Sample) Result {
	s := r.newSampler(sample)
	if r.plan.wantsGuess() && !r.opts.PerRecord {
		s.expected = expectedLetters(sample.Paths)
	}
	items, err := s.work(ctx)
	if err == errTooLow {
		s = r.newSampler(sample)
		items, err = s.work(ctx)
	}
	return Result{Sample: sample, Items: items, Err: err, Warnings: s.warn, Notes: s.notes, Records: s.census.records, Bases: s.census.bases, Stats: s.stats(0)}
}
