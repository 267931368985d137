// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/formats/steps"
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

	Measure   string  // of sketches: Jaccard, MaxContainment, ANI
	Slots     int     // of what bottom-k and FracMinHash sketches are binned into to be banded
	All       bool    // candidates are all pairs, not those of a banding
	Threshold float64 // in (0, 1]
	Recall    float64 // wanted of candidates at the threshold, where Bands is 0
	Bands     int     // 0: Bands and Rows are chosen
	Rows      int
	BucketCap int // members above which a bucket is a star; 0 is no cap

	Method      string   // Components, Star, Complete
	Rule        string   // what is kept: First, Longest, Source, Highest, Newest
	Column      string   // of the rule
	Group       string   // column by whose values removals are counted; "" for none
	Table       *Columns // has the columns instead of the corpus; nil if that has them
	Against     []string // documents that are known: what is like them is not kept, and they are not judged
	Edges       []string // tables of pairs that are compared, too, or, with a similarity, have been
	Containment float64  // share of the elements of a document that a larger one has to have for it not to be kept; 0 is not asked
	Margin      float64  // pairs nearer than this to the threshold are to be reviewed, too
	ByRow       bool     // ties are broken by row, not by name
	MostPairs   int      // compared in a cluster for its smallest similarity
}

// A Result is what came of a corpus.
type Result struct {
	opts         Options
	docs         *documents
	clusters     Clusters
	verdict      *verdict
	sketched     bool                 // documents are sketches
	verification string               // how pairs were compared
	review       []Edge               // pairs that are to be looked at
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
	p.newComparer = func() Comparer { return &exactComparer{sets: p.sets} }
	p.verification = "exact Jaccard index of the shingles of the source"
	return p.run(ctx, func(ctx context.Context) (int, error) {
		if len(o.Against) > 0 {
			if _, err := p.read(ctx, o.Against); err != nil {
				return 0, err
			}
			p.docs.known, p.Counts = len(p.docs.ids), Counts{References: len(p.docs.ids)}
		}
		if _, err := p.read(ctx, paths); err != nil {
			return 0, err
		}
		return p.Counts.Documents, p.sets.seal()
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
	places      map[string]uint32 // of the inputs
	newComparer func() Comparer
	banding     *banding
	pairs       *sorter
	order       Order
	prefer      Order
	edges       []Edge
}

func newPipeline(o Options) *pipeline {
	return &pipeline{Result: &Result{opts: o, docs: newDocuments()}}
}

// run takes the stages one after the other.
func (p *pipeline) run(ctx context.Context, read func(context.Context) (int, error)) (*Result, error) {
	for _, stage := range []struct {
		name string
		run  func(context.Context) (int, error)
	}{
		{"documents read", read},
		{"buckets of two or more", p.candidates},
		{"candidates verified", p.verify},
		{"clusters made", p.cluster},
		{"clusters measured", p.decide},
		{"contained in others", p.contained},
	} {
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

// Banded gives those of the slots that sketches are banded by.
func (o *Options) Banded(p sketch.Params) sketch.Params {
	if p.Family != sketch.BottomK && p.Family != sketch.FracMinHash {
		return p
	}
	out := sketch.Params{Family: sketch.OPH, Elements: p.Elements, Hash: p.Hash, Size: o.Slots, Densify: sketch.Optimal, Scaled: p.Scaled}
	if p.Family == sketch.BottomK {
		out.Sampled = p.Size
	}
	return out
}

// Complete checks options and chooses Bands and Rows where they are 0: the
// cheapest that reach the Recall wanted at the Threshold.
func (o *Options) Complete() error {
	if !(o.Threshold > 0 && o.Threshold <= 1) {
		return fmt.Errorf("threshold %v is outside (0, 1]", o.Threshold)
	}
	if o.All {
		return nil
	}
	if o.Bands == 0 {
		if o.Measure == MaxContainment {
			return errors.New("a containment says nothing of the Jaccard index: compare all pairs, or give bands and rows")
		}
		var err error
		if o.Bands, o.Rows, err = lsh.ForRecall(o.jaccard(), o.Recall, o.Params.Size); err != nil {
			return err
		}
	}
	_, err := lsh.NewBanding(o.Params, o.Bands, o.Rows, nil)
	return err
}

// jaccard is the Jaccard index that the threshold means: of an ANI, that of sets
// of equal size.
func (o *Options) jaccard() float64 {
	if o.Measure != ANI {
		return o.Threshold
	}
	q := math.Pow(o.Threshold, float64(o.Params.Elements.K))
	return q / (2 - q)
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
	if p.sets != nil {
		p.sets.close()
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
		if p.opts.All {
			continue
		}
		if err := p.banding.add(row, r.Items[i].Sketch.(sketch.Signature)); err != nil {
			return err
		}
	}
	return nil
}

// fields are the columns that are wanted of a corpus.
func (o *Options) fields() []string {
	var names []string
	if o.Table != nil {
		return nil
	}
	for _, name := range []string{o.Column, o.Group} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// column enters what columns say of the document that was added last.
func (p *pipeline) column(fields []string, place uint32) {
	o, d := &p.opts, p.docs
	id := d.ids[len(d.ids)-1]
	d.sources = append(d.sources, place)
	next := func(name string) string {
		if o.Table != nil {
			return o.Table.of(id, name)
		}
		v := fields[0]
		fields = fields[1:]
		return v
	}
	if o.Column != "" {
		d.quality = append(d.quality, next(o.Column))
	}
	if o.Group != "" {
		d.groups = append(d.groups, next(o.Group))
	}
}

// takeSketches enters sketches as documents.
func (p *pipeline) takeSketches(s *Sketches) {
	p.sketches, p.sketched = s, true
	p.verification = "estimated from " + s.Params.Family + " sketches"
	if s.Params.Family == sketch.FracMinHash && s.Params.Scaled == 1 {
		p.verification = "exact, from FracMinHash sketches of scaled 1"
	}
	p.newComparer = func() Comparer { return &sketchComparer{sketches: s, measure: p.opts.Measure} }
	d := p.docs
	d.rows = s.rows
	for i, it := range s.items {
		d.ids = append(d.ids, it.Meta.Label())
		d.lengths = append(d.lengths, it.Meta.Length)
		d.first = append(d.first, uint32(i))
		d.sizes = append(d.sizes, 1)
		p.column(nil, 0)
		if emptySketch(it.Sketch) {
			d.sizes[i] = 0
			p.Counts.NoElements++
		}
	}
	p.Counts.Documents = len(d.ids)
}

func emptySketch(s sketch.Sketch) bool {
	if e, ok := s.(sketch.Estimable); ok {
		return e.Empty()
	}
	return s.Len() == 0
}

// readSketches enters sketches and their bands.
func (p *pipeline) readSketches(s *Sketches) (int, error) {
	p.takeSketches(s)
	if p.opts.All {
		return len(s.items), nil
	}
	for i, it := range s.items {
		sig, err := signature(it, p.opts.Slots)
		if err == nil {
			err = p.banding.add(uint32(i), sig)
		}
		if err != nil {
			return 0, err
		}
	}
	return len(s.items), nil
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
	if err := p.given(); err != nil {
		return 0, err
	}
	if p.opts.All {
		return 0, p.allPairs(ctx)
	}
	var err error
	p.Buckets, err = p.banding.candidates(p.opts.BucketCap, p.docs.standing(p.order), p.pairs)
	return p.Buckets.Shared, err
}

// verify compares the candidates and keeps what is similar enough.
func (p *pipeline) verify(ctx context.Context) (int, error) {
	err := Verify(ctx, unpacked(p.pairs), p.opts.Threads, p.newComparer, func(e Edge) error {
		p.Counts.Candidates++
		p.judge(e)
		return nil
	})
	p.Counts.Edges = len(p.edges)
	return p.Counts.Candidates, err
}

// judge keeps an edge that is similar enough, and notes what is to be reviewed.
// Two references are not compared: what is known stays as it is.
func (p *pipeline) judge(e Edge) {
	t := p.opts.Threshold
	if p.docs.isNew(e.A) == 0 && p.docs.isNew(e.B) == 0 {
		return
	}
	if e.Similarity >= t {
		p.edges = append(p.edges, e)
	}
	if e.Low < t && t <= e.High || math.Abs(e.Similarity-t) < p.opts.Margin {
		p.review = append(p.review, e)
	}
}

// given takes pairs from outside: those with a similarity as edges, the others
// as candidates. Rows are those of the corpus.
func (p *pipeline) given() error {
	row := func(r int64) (uint32, error) {
		if p.sketches != nil {
			return p.sketches.ordinal(r)
		}
		if r += int64(p.docs.known); r >= int64(len(p.docs.ids)) {
			return 0, fmt.Errorf("row %d: %w", r, ErrRows)
		}
		return p.docs.first[r], nil
	}
	for _, path := range p.opts.Edges {
		for e, err := range steps.ReadEdges(path) {
			if err != nil {
				return err
			}
			a, err := row(e.A)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			b, err := row(e.B)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			switch {
			case a == b: // copies of each other
			case e.Jaccard == nil:
				if err := p.pairs.add(triple{key: uint64(min(a, b))<<32 | uint64(max(a, b))}); err != nil {
					return err
				}
			default:
				p.Counts.Given++
				p.judge(Edge{A: min(a, b), B: max(a, b), Similarity: *e.Jaccard, Low: *e.Jaccard, High: *e.Jaccard})
			}
		}
	}
	return nil
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
