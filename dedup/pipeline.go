// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"
	"errors"
	"time"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/sketch"
)

// A Result is what came of a corpus.
type Result struct {
	opts         Options
	docs         *documents
	clusters     Clusters
	verdict      *verdict
	sketched     bool                   // documents are sketches
	verification string                 // how pairs were compared
	review       []Edge                 // pairs that are to be looked at
	similarities [similarityBins]uint64 // of candidates
	given        map[[2]uint32]float64  // similarities from outside, of pairs of rows
	digest       *textDigest
	indexed      map[uint32]bands.Hit // what the index has that a document is like
	passages     []Passage
	examples     []example
	containers   map[uint32]container // kept documents that lie within others
	Failed       []ingest.Result      // inputs that failed, with KeepGoing
	Warnings     []string
	Counts       Counts
	Buckets      Buckets
}

// Counts say how many there were of what.
type Counts struct {
	References int
	Documents  int
	NoElements int
	Copies     int // that are equal to an earlier document
	Candidates int
	Given      int // pairs that came with a similarity
	Edges      int // candidates at least as similar as the threshold
}

// Run finds the near-duplicates of a corpus. The result depends on the
// documents and their names, not on their order (but where it is asked by ByRow)
// or the number of threads.
func Run(ctx context.Context, o Options, paths []string) (*Result, error) {
	p := newPipeline(o)
	if err := p.prepare(); err != nil {
		return nil, err
	}
	defer p.close()
	var err error
	if p.sets, err = newSpool(); err != nil {
		return nil, err
	}
	if o.Verify == BySignature {
		if p.signatures, err = newSpool(); err != nil {
			return nil, err
		}
	}
	if o.keepsTexts() {
		if p.texts, err = newSpool(); err != nil {
			return nil, err
		}
	}
	p.newComparer, p.verification = p.comparers()
	return p.run(ctx, func(ctx context.Context) (int, error) {
		if len(o.Against) > 0 {
			if _, err := p.read(ctx, o.Against); err != nil {
				return 0, err
			}
			p.docs.known, p.Counts = len(p.docs.ids), Counts{References: len(p.docs.ids)}
			p.digest = newTextDigest()
		}
		if o.Index != nil {
			if p.Counts.References, err = o.Index.Len(); err != nil {
				return 0, err
			}
		}
		if _, err := p.read(ctx, paths); err != nil {
			return 0, err
		}
		if err := p.checkColumns(paths); err != nil {
			return 0, err
		}
		return p.Counts.Documents, errors.Join(p.sets.seal(), p.signatures.seal(), p.texts.seal())
	})
}

// RunSketches is Run of sketches, which are compared as they are: there are no
// exact copies among them.
func RunSketches(ctx context.Context, o Options, s *Sketches) (*Result, error) {
	o.Params = o.Banded(s.Params)
	p := newPipeline(o)
	if err := p.prepare(); err != nil {
		return nil, err
	}
	defer p.close()
	return p.run(ctx, func(context.Context) (int, error) { return p.readSketches(s) })
}

// A pipeline is a Run under way.
type pipeline struct {
	*Result
	sketches    *Sketches         // nil of a corpus
	sets        *spool            // nil of sketches
	signatures  *spool            // nil unless they are compared
	texts       *spool            // nil unless they are looked at
	commanded   bool              // the command has judged
	places      map[string]uint32 // of the inputs
	newComparer func() Comparer
	banding     *banding
	pairs       *sorter
	order       Order
	prefer      Order
	edges       []Edge
}

func newPipeline(o Options) *pipeline {
	return &pipeline{Result: &Result{opts: o, docs: newDocuments(), digest: newTextDigest()}}
}

// run takes the stages one after the other.
func (p *pipeline) run(ctx context.Context, read func(context.Context) (int, error)) (*Result, error) {
	for _, stage := range []struct {
		name string
		run  func(context.Context) (int, error)
		none bool // it is not asked for
	}{
		{"documents read", read, false},
		{"buckets of two or more", p.candidates, p.opts.All},
		{"documents compared with all", p.candidates, !p.opts.All},
		{"candidates verified", p.verify, false},
		{"pairs accepted by the command", p.command, p.opts.VerifyCmd == ""},
		{"clusters made", p.cluster, false},
		{"clusters measured", p.decide, false},
		{"contained in others", p.contained, p.opts.Containment == 0},
		{"examples aligned", p.align, p.texts == nil},
	} {
		if stage.none {
			continue
		}
		begin := time.Now()
		n, err := stage.run(ctx)
		if err != nil {
			return nil, err
		}
		if p.opts.Note != nil {
			p.opts.Note(stage.name, n, time.Since(begin))
		}
	}
	return p.Result, nil
}

func (p *pipeline) prepare() error {
	o := &p.opts
	if err := o.Complete(); err != nil {
		return err
	}
	p.pairs = newSorter(o.Memory/3, o.Threads)
	if o.All {
		return nil
	}
	var err error
	p.banding, err = newBanding(o.Params, o.Bands, o.Rows, o.Memory/3, o.Threads)
	return err
}

func (p *pipeline) close() {
	for _, s := range []*spool{p.sets, p.signatures, p.texts} {
		s.close()
	}
	if p.banding != nil {
		p.banding.bands.close()
	}
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
	o.Texts.Corpus.Fields = o.fields()
	p.places = map[string]uint32{}
	for i, path := range paths {
		if _, known := p.places[path]; !known {
			p.places[path] = uint32(i)
		}
	}
	err := ingest.RunTexts(ctx, plan, o.Texts, ingest.Options{Threads: o.Threads, KeepGoing: o.KeepGoing, Progress: o.Progress}, paths, p.take)
	return p.Counts.Documents, err
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
		p.column(r.Fields[i/2], p.places[r.Items[i].Meta.Source])
		p.digest.add(r.Texts[i/2])
		p.Counts.Documents++
		if len(e.hashes) == 0 {
			p.Counts.NoElements++
		}
		if !first {
			p.Counts.Copies++
			if err := p.spool(nil, nil, nil); err != nil {
				return err
			}
			continue
		}
		bytes = appendHashes(bytes[:0], e.hashes)
		sig := r.Items[i].Sketch.(sketch.Signature)
		if err := p.spool(bytes, sig, r.Texts[i/2]); err != nil {
			return err
		}
		if found, err := p.lookUp(row, sig); err != nil {
			return err
		} else if found || p.opts.All {
			continue
		}
		if err := p.banding.add(row, sig); err != nil {
			return err
		}
	}
	return nil
}

// spool keeps what of a document will be looked at again.
func (p *pipeline) spool(hashes []byte, sig sketch.Signature, text []byte) error {
	if err := p.sets.add(hashes); err != nil {
		return err
	}
	if p.signatures != nil {
		var slots []byte
		if sig != nil {
			slots = p.opts.Params.AppendSlotBytes(nil, sig.AppendSlots(nil))
		}
		if err := p.signatures.add(slots); err != nil {
			return err
		}
	}
	if p.texts == nil {
		return nil
	}
	return p.texts.add(text)
}

// rank orders the documents.
func (p *pipeline) rank() {
	if !p.opts.ByRow {
		p.order = p.docs.byName()
	}
	p.prefer = p.preference()
}

// candidates ranks the documents and pairs those that share a bucket, or all.
func (p *pipeline) candidates(ctx context.Context) (int, error) {
	p.rank()
	if err := p.readGiven(); err != nil {
		return 0, err
	}
	if p.opts.All {
		return len(p.docs.ids) - p.Counts.Copies, p.allPairs(ctx)
	}
	var err error
	p.Buckets, err = p.banding.candidates(p.opts.BucketCap, p.docs.standing(p.order), p.pairs)
	return p.Buckets.Shared, err
}

// verify compares the candidates and keeps what is similar enough.
func (p *pipeline) verify(ctx context.Context) (int, error) {
	err := Verify(ctx, unpacked(p.pairs), p.opts.Threads, p.comparer, func(e Edge) error {
		p.Counts.Candidates++
		p.similarities[similarityBin(e.Similarity)]++
		p.judge(e)
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
		if labels, err = completes(n, grouped(labels, order), p.opts.Threshold, p.comparer()); err != nil {
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
	p.verdict, err = decide(ctx, p.docs, p.clusters, p.prefer, p.opts.Threshold, p.opts.MostPairs, p.opts.Threads, p.comparer)
	return len(p.clusters), err
}
