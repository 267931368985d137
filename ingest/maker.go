// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"fmt"
	"io"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/formats/fastx"
	"github.com/gsketch/gsketch/sketch"
)

// A Maker sketches one input at a time that is at hand, as RunTexts and Run
// sketch files. It belongs to one goroutine.
type Maker struct {
	plan  Plan
	texts *textBench // nil for DNA
}

// NewMaker returns what makes sketches with these parameters of documents or of
// DNA.
func NewMaker(p sketch.Params) (*Maker, error) {
	m := &Maker{plan: Plan{Params: []sketch.Params{p}}}
	if p.Elements.Molecule != sketch.Text {
		return m, m.plan.Validate()
	}
	texts := Texts{Corpus: corpus.Options{Kind: corpus.JSONL}}
	if err := texts.Validate(m.plan); err != nil {
		return nil, err
	}
	texts.Units.HTML = readsHTML(m.plan)
	m.texts = (&textRun{plan: m.plan, texts: texts}).newBench()
	return m, nil
}

// Text sketches a document.
func (m *Maker) Text(d *corpus.Document) (sketch.Item, error) {
	if m.texts == nil {
		return sketch.Item{}, fmt.Errorf("%w: elements %s are not those of text", sketch.ErrIncompatible, m.plan.Params[0].Elements)
	}
	made, err := m.texts.document(d)
	if err != nil {
		m.texts = m.texts.run.newBench() // without what the document left behind
		return sketch.Item{}, &sketch.InputError{Path: d.Source, Record: d.Record, Name: d.ID, Offset: d.Offset, Err: err}
	}
	made.items[0].Meta.ID = d.ID
	return made.items[0], nil
}

// Sequence sketches all records of FASTA or FASTQ, not compressed, as one
// sample; path is what errors call it. The warnings are those of Run.
func (m *Maker) Sequence(ctx context.Context, id, path string, r io.Reader) (it sketch.Item, warnings []string, err error) {
	if m.texts != nil {
		return it, nil, fmt.Errorf("%w: elements %s are not those of DNA", sketch.ErrIncompatible, m.plan.Params[0].Elements)
	}
	run := &runner{plan: m.plan, blocks: make(chan task)}
	s := run.newSampler(Sample{Paths: []string{path}, ID: id})
	items, err := s.make(func() error { return s.records(ctx, fastx.NewReader(r, path)) })
	if err != nil {
		return it, nil, err
	}
	return items[0], s.warn, nil
}
