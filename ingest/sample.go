// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"io"
	"sync"

	"github.com/gsketch/gsketch/formats/fastx"
	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/sketch"
)

// blockBases is the capacity of a block. 256 Ki packed bases with their bitmap
// are 96 KiB: they stay in the second-level cache between packing and hashing,
// and a bacterial genome is enough of them to keep several goroutines busy.
const blockBases = 256 << 10

// A task is a block of a sample that an idle goroutine hashes for its owner.
type task struct {
	block *block
	of    *sampler
}

// A sampler works on one sample. Its owner alone calls its methods, but for
// help.
type sampler struct {
	run    *runner
	sample Sample
	own    *bench
	block  *block
	census *census
	out    []sketch.Item
	warn   []string
	notes  []string

	header []byte
	length uint64         // letters of the record under way
	prior  []sketch.Stats // of each lane, up to the last finish

	expected extent // as far as it is known beforehand

	pending sync.WaitGroup
	mu      sync.Mutex
	free    []*bench // benches of helpers, not in use
	helped  []*bench // all of them
	blocks  []*block
	err     error
}

func (r *runner) newSampler(s Sample) *sampler {
	own := r.plan.newBench()
	return &sampler{run: r, sample: s, own: own, block: r.newBlock(), census: r.plan.newCensus(), prior: make([]sketch.Stats, len(own.lanes))}
}

// work reads the sample and returns its sketches.
func (s *sampler) work(ctx context.Context) ([]sketch.Item, error) {
	return s.make(func() error { return s.readAll(ctx) })
}

// make makes the sketches of what read reads.
func (s *sampler) make(read func() error) ([]sketch.Item, error) {
	guessed := s.guess(s.own)
	err := read()
	s.help()
	s.pending.Wait() // before any return: helpers hold blocks of ours
	if err != nil {
		return nil, err
	}
	if s.err != nil {
		return nil, s.err
	}
	if err := s.checkLetters(); err != nil {
		return nil, err
	}
	if s.run.opts.PerRecord {
		return s.out, nil
	}
	if err := s.own.add(s.block); err != nil {
		return nil, err
	}
	for _, b := range s.helped {
		if err := s.own.merge(b); err != nil {
			return nil, err
		}
	}
	if guessed && tooLow(s.own) {
		return nil, errTooLow
	}
	return s.finish(s.census.meta)
}

func (s *sampler) readAll(ctx context.Context) error {
	if s.run.plan.Coverage > 0 {
		return s.untilCoverage(ctx)
	}
	for _, path := range s.sample.Paths {
		if err := s.read(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

func (s *sampler) read(ctx context.Context, path string) error {
	in, err := stream.Open(path, stream.Options{Threads: s.run.streamThreads, Warn: s.addWarning})
	if err != nil {
		return err
	}
	defer in.Close()
	var raw io.Reader = in
	if s.run.opts.Progress != nil {
		raw = &counted{in, s.run.opts.Progress}
	}
	return s.records(ctx, fastx.NewReader(raw, path))
}

// records packs all records of an input.
func (s *sampler) records(ctx context.Context, r *fastx.Reader) error {
	for {
		if more, err := s.record(ctx, r); err != nil || !more {
			return err
		}
	}
}

// record packs one record; false is the end of the input.
func (s *sampler) record(ctx context.Context, r *fastx.Reader) (bool, error) {
	for {
		p, err := r.Next()
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if p.Start {
			s.header = append(s.header[:0], p.Header...)
			s.length = 0
		}
		if err := s.text(ctx, p.Text); err != nil {
			return false, err
		}
		if p.End {
			return true, s.endRecord()
		}
	}
}

// text packs sequence text, handing on each block that is full.
func (s *sampler) text(ctx context.Context, text []byte) error {
	for {
		before := s.block.Bases()
		n := s.block.Append(text)
		s.length += s.block.Bases() - before
		if text = text[n:]; len(text) == 0 {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		full, next := s.block, s.freshBlock()
		full.Carry(next, s.run.plan.widest()-1)
		s.countBad(full)
		s.block = next
		if err := s.pass(full); err != nil {
			return err
		}
	}
}

func (s *sampler) endRecord() error {
	s.block.EndRecord()
	s.census.record(s.header, s.length)
	if !s.run.opts.PerRecord {
		return nil
	}
	if err := s.own.add(s.block); err != nil {
		return err
	}
	s.countBad(s.block)
	s.block.Reset()
	one := s.run.plan.newCensus()
	one.record(s.header, s.length)
	items, err := s.finish(one.recordMeta)
	s.out = append(s.out, items...)
	return err
}

// pass leaves a full block to the goroutines without a sample of their own, if
// there are such and they have not enough to do, and hashes it here otherwise.
// Elements must stay in order where an approximate filter or a coverage depends
// on it, and records apart where each is a sketch.
func (s *sampler) pass(full *block) error {
	if s.run.helpers.Load() > 0 && !s.run.opts.PerRecord && s.run.plan.Counting.FilterBytes == 0 && s.run.plan.Coverage == 0 {
		s.pending.Add(1)
		select {
		case s.run.blocks <- task{full, s}:
			return nil
		default:
			s.pending.Done()
		}
	}
	err := s.own.add(full)
	s.recycle(full)
	return err
}

// help hashes blocks, of whatever sample, that no helper has taken yet.
func (s *sampler) help() {
	for {
		select {
		case t := <-s.run.blocks:
			t.help()
		default:
			return
		}
	}
}

// help hashes a block for the owner; any goroutine may call it.
func (t task) help() {
	s := t.of
	defer s.pending.Done()
	s.mu.Lock()
	var b *bench
	if n := len(s.free); n > 0 {
		b, s.free = s.free[n-1], s.free[:n-1]
	} else {
		b = s.run.plan.newBench()
		s.guess(b)
		s.helped = append(s.helped, b)
	}
	s.mu.Unlock()

	err := b.add(t.block)

	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, b)
	s.blocks = append(s.blocks, t.block)
	if err != nil && s.err == nil {
		s.err = err
	}
}

func (s *sampler) freshBlock() *block {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.blocks); n > 0 {
		b := s.blocks[n-1]
		s.blocks = s.blocks[:n-1]
		b.Reset()
		return b
	}
	return s.run.newBlock()
}

func (s *sampler) recycle(b *block) {
	s.mu.Lock()
	s.blocks = append(s.blocks, b)
	s.mu.Unlock()
}

func (s *sampler) countBad(b *block) { b.Counts(&s.census.letters) }

// addWarning may be called from the goroutine that decompresses, too.
func (s *sampler) addWarning(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.warn = append(s.warn, text)
}

func (s *sampler) addNote(text string) { s.notes = append(s.notes, text) }

// finish closes the builders, in the order of the plan.
func (s *sampler) finish(meta func(Sample, Options, sketch.Params) sketch.Meta) ([]sketch.Item, error) {
	items := make([]sketch.Item, len(s.run.plan.Params))
	for i, l := range s.own.lanes {
		total := s.stats(i)
		seen := sketch.Stats{Elements: total.Elements - s.prior[i].Elements, Skipped: total.Skipped - s.prior[i].Skipped}
		s.prior[i] = total
		p := s.run.plan.Params[l.at[0]]
		s.warnOfSkipped(meta(s.sample, s.run.opts, p), p.Elements, seen)
		for j, d := range l.builders {
			made, err := d.Finish()
			if err != nil {
				return nil, err
			}
			m := meta(s.sample, s.run.opts, d.Params())
			m.Count = seen.Hashed()
			if s.run.opts.Reads {
				s.estimateLength(&m, made)
			}
			s.warnAbout(d, made, m)
			items[l.at[j]] = sketch.Item{Meta: m, Sketch: made}
		}
	}
	return items, nil
}

// stats are those of one lane over all goroutines that worked on the sample.
func (s *sampler) stats(lane int) sketch.Stats {
	total := s.own.lanes[lane].hasher.Stats()
	for _, b := range s.helped {
		total = total.Add(b.lanes[lane].hasher.Stats())
	}
	return total
}

// counted reports how far a stream has been read.
type counted struct {
	r     io.Reader
	count func(bytes int)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.count(n)
	return n, err
}
