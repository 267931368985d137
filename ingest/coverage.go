// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"fmt"
	"io"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/formats/fastx"
	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/sketch"
)

// checkCoverage says whether reading can stop at a coverage: one bottom-k
// sketch has to tell it.
func (p Plan) checkCoverage() error {
	if p.Coverage == 0 {
		return nil
	}
	n := 0
	for _, q := range p.Params {
		if q.Family == sketch.BottomK {
			n++
		}
	}
	switch {
	case !(p.Coverage > 0):
		return fmt.Errorf("coverage %v: more than 0", p.Coverage)
	case n != 1:
		return fmt.Errorf("the coverage is that of one bottom-k sketch, and %d are asked for", n)
	case p.Counting.FilterBytes > 0:
		return fmt.Errorf("an approximate filter does not count copies, so it knows no coverage")
	}
	return nil
}

// untilCoverage reads the files of a sample in turn, a record of each, as mash
// sketch -c does, and stops after the record at which the bottom-k sketch
// reaches the coverage. A record without a k-mer hands its turn to the next of
// its file. What is left of the files is not read.
func (s *sampler) untilCoverage(ctx context.Context) error {
	meter, span := s.meter()
	var open []*turn
	defer func() {
		for _, t := range open {
			t.in.Close()
		}
	}()
	for _, path := range s.sample.Paths {
		in, err := stream.Open(path, stream.Options{Threads: s.run.streamThreads, Warn: s.addWarning})
		if err != nil {
			return err
		}
		var raw io.Reader = in
		if s.run.opts.Progress != nil {
			raw = &counted{in, s.run.opts.Progress}
		}
		open = append(open, &turn{in, fastx.NewReader(raw, path)})
	}
	for at := 0; len(open) > 0; {
		if at == len(open) {
			at = 0
		}
		more, err := s.record(ctx, open[at].r)
		switch {
		case err != nil:
			return err
		case !more:
			open[at].in.Close()
			open = append(open[:at], open[at+1:]...)
			continue
		case s.length < uint64(span):
			continue
		}
		if err := s.own.add(s.block); err != nil {
			return err
		}
		s.countBad(s.block)
		s.block.Reset()
		if c := meter.Coverage(); c >= s.run.plan.Coverage {
			s.addNote(fmt.Sprintf("%s: coverage %.4g reached after %d records; the rest is not read", s.sample.label(), c, s.census.records))
			return nil
		}
		at++
	}
	s.addNote(fmt.Sprintf("%s: all %d records are read; their coverage is %.4g", s.sample.label(), s.census.records, meter.Coverage()))
	return nil
}

// A turn is a file that is read a record at a time.
type turn struct {
	in *stream.Stream
	r  *fastx.Reader
}

// meter is the builder that tells the coverage, with the letters of an element.
func (s *sampler) meter() (*bottomk.Metered, int) {
	for _, l := range s.own.lanes {
		for _, b := range l.builders {
			if m, ok := b.(*bottomk.Metered); ok {
				return m, s.run.plan.span(m.Params().Elements)
			}
		}
	}
	panic("ingest: a plan with a coverage has no meter") // checkCoverage
}
