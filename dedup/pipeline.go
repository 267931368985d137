// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"
	"fmt"
	"time"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// Options say how documents are compared and what is kept of them.
type Options struct {
	Texts     ingest.Texts
	Params    sketch.Params // of the signatures that candidates are found by
	Threads   int
	KeepGoing bool
	Memory    int64 // bytes for sorting band rows and pairs; what goes beyond is on disk
	Progress  func(bytes int)
	Note      func(stage string, count int, took time.Duration) // called at the end of each stage; may be nil

	Threshold float64 // in (0, 1]
	Recall    float64 // wanted of candidates at the threshold, where Bands is 0
	Bands     int     // 0: Bands and Rows are chosen
	Rows      int
	BucketCap int // members above which a bucket is a star; 0 is no cap

	Method    string // Components, Star, Complete
	Rule      string // what is kept: First, Longest
	ByRow     bool   // ties are broken by row, not by name
	MostPairs int    // compared in a cluster for its smallest similarity
}

// A Result is what came of a corpus.
type Result struct {
	opts     Options
	docs     *documents
	clusters Clusters
	verdict  *verdict
	Failed   []ingest.Result // inputs that failed, with KeepGoing
	Warnings []string
	Counts   Counts
	Buckets  Buckets
}

// Counts say how many there were of what.
type Counts struct {
	Documents  int
	NoElements int
	Copies     int // that are equal to an earlier document
	Candidates int
	Edges      int // candidates at least as similar as the threshold
}

// Run finds the near-duplicates of a corpus. The result depends on the
// documents and their names, not on their order (but where it is asked by ByRow)
// or the number of threads.
func Run(ctx context.Context, o Options, paths []string) (*Result, error) {
	p := &pipeline{Result: &Result{opts: o, docs: newDocuments()}}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	defer p.close()
	for _, stage := range []struct {
		name string
		run  func(context.Context) (int, error)
	}{
		{"read", func(ctx context.Context) (int, error) { return p.read(ctx, paths) }},
		{"candidates", p.candidates},
		{"verified", p.verify},
		{"clusters", p.cluster},
		{"measured", p.decide},
	} {
		begin := time.Now()
		n, err := stage.run(ctx)
		if err != nil {
			return nil, err
		}
		if o.Note != nil {
			o.Note(stage.name, n, time.Since(begin))
		}
	}
	return p.Result, nil
}

// A pipeline is a Run under way.
type pipeline struct {
	*Result
	sets    *spool
	banding *banding
	pairs   *sorter
	order   Order
	prefer  Order
	edges   []Edge
}

// Complete checks options and chooses Bands and Rows where they are 0: the
// cheapest that reach the Recall wanted at the Threshold.
func (o *Options) Complete() error {
	if !(o.Threshold > 0 && o.Threshold <= 1) {
		return fmt.Errorf("threshold %v is outside (0, 1]", o.Threshold)
	}
	if o.Bands == 0 {
		var err error
		if o.Bands, o.Rows, err = lsh.ForRecall(o.Threshold, o.Recall, o.Params.Size); err != nil {
			return err
		}
	}
	_, err := lsh.NewBanding(o.Params, o.Bands, o.Rows, nil)
	return err
}

func (p *pipeline) prepare() error {
	o := &p.opts
	if err := o.Complete(); err != nil {
		return err
	}
	var err error
	if p.banding, err = newBanding(o.Params, o.Bands, o.Rows, o.Memory/3, o.Threads); err != nil {
		return err
	}
	p.pairs = newSorter(o.Memory/3, o.Threads)
	p.sets, err = newSpool()
	return err
}

func (p *pipeline) close() {
	p.sets.close()
	p.banding.bands.close()
	p.pairs.close()
}

// read sketches the documents, tells exact copies and spools the sets.
func (p *pipeline) read(ctx context.Context, paths []string) (int, error) {
	o := p.opts
	all := sketch.Params{Family: elementFamily, Elements: o.Params.Elements, Hash: ingest.Base(o.Params.Hash)}
	sets := o.Texts.Corpus.Kind == corpus.Sets
	plan := ingest.Plan{Params: []sketch.Params{o.Params, all}, Own: map[string]func(sketch.Params) (sketch.Builder, error){
		elementFamily: func(q sketch.Params) (sketch.Builder, error) {
			return &elementBuilder{params: q, sets: sets}, nil
		},
	}}
	o.Texts.Keep = true
	err := ingest.RunTexts(ctx, plan, o.Texts, ingest.Options{Threads: o.Threads, KeepGoing: o.KeepGoing, Progress: o.Progress}, paths, p.take)
	if err != nil {
		return 0, err
	}
	return p.Counts.Documents, p.sets.seal()
}

func (p *pipeline) take(r ingest.Result) error {
	p.Warnings = append(p.Warnings, r.Warnings...)
	if r.Err != nil {
		p.Failed = append(p.Failed, r)
		return nil
	}
	var bytes []byte
	for i := 0; i < len(r.Items); i += 2 {
		e := r.Items[i+1].Sketch.(*elements)
		row, first := p.docs.add(r.Items[i].Meta, e, r.Texts[i/2])
		p.Counts.Documents++
		if !first {
			p.Counts.Copies++
			if err := p.sets.add(nil); err != nil {
				return err
			}
			continue
		}
		if len(e.hashes) == 0 {
			p.Counts.NoElements++
		}
		bytes = appendHashes(bytes[:0], e.hashes)
		if err := p.sets.add(bytes); err != nil {
			return err
		}
		if err := p.banding.add(row, r.Items[i].Sketch.(sketch.Signature)); err != nil {
			return err
		}
	}
	return nil
}

// candidates ranks the documents and pairs those that share a bucket.
func (p *pipeline) candidates(context.Context) (int, error) {
	if !p.opts.ByRow {
		p.order = p.docs.byName()
	}
	p.prefer = p.preference()
	var err error
	p.Buckets, err = p.banding.candidates(p.opts.BucketCap, p.docs.standing(p.order), p.pairs)
	return p.Buckets.Shared, err
}

func (p *pipeline) newComparer() Comparer { return &exactComparer{sets: p.sets} }

// verify compares the candidates and keeps what is similar enough.
func (p *pipeline) verify(ctx context.Context) (int, error) {
	err := Verify(ctx, unpacked(p.pairs), p.opts.Threads, p.newComparer, func(e Edge) error {
		p.Counts.Candidates++
		if e.Jaccard >= p.opts.Threshold {
			p.edges = append(p.edges, e)
		}
		return nil
	})
	p.Counts.Edges = len(p.edges)
	return p.Counts.Candidates, err
}

// cluster groups the documents by the edges, copies with their originals.
func (p *pipeline) cluster(context.Context) (int, error) {
	n := len(p.docs.ids)
	order := p.docs.standing(p.order)
	var labels []uint32
	switch p.opts.Method {
	case Star:
		labels = stars(n, p.edges, p.docs.standing(p.prefer))
	default:
		labels = components(n, p.edges)
	}
	if p.opts.Method == Complete {
		var err error
		if labels, err = completes(n, grouped(labels, order), p.opts.Threshold, p.newComparer()); err != nil {
			return 0, err
		}
	}
	p.edges = nil
	for row, first := range p.docs.first {
		labels[row] = labels[first]
	}
	p.clusters = grouped(labels, p.order)
	return len(p.clusters), nil
}

func (p *pipeline) decide(ctx context.Context) (int, error) {
	var err error
	p.verdict, err = decide(ctx, p.docs, p.clusters, p.prefer, p.opts.Threshold, p.opts.MostPairs, p.opts.Threads, p.newComparer)
	return len(p.clusters), err
}
