// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// A textLane is a source of hashes with the builders that can share them.
type textLane struct {
	text     *shingle.Shingler // nil for sets
	members  *memberSource     // nil for texts
	builders []sketch.Builder
	at       []int // place of each builder in Plan.Params
}

// A textBench is what one goroutine needs to sketch documents.
type textBench struct {
	run    *textRun
	lanes  []textLane
	buf    []uint64
	hashes []uint64
}

// newLanes makes sources and builders. Validate has called it, so that it
// cannot fail later.
func (x Texts) newLanes(plan Plan) ([]textLane, error) {
	type key struct {
		e sketch.Elements
		h sketch.Hash
	}
	var lanes []textLane
	at := map[key]int{}
	for i, p := range plan.Params {
		k := key{p.Elements, Base(p.Hash)}
		j, ok := at[k]
		if !ok {
			l, err := x.newSource(k.e, k.h)
			if err != nil {
				return nil, err
			}
			j = len(lanes)
			at[k] = j
			lanes = append(lanes, l)
		}
		d, err := plan.newBuilder(p)
		if err != nil {
			return nil, err
		}
		l := &lanes[j]
		l.builders = append(l.builders, d)
		l.at = append(l.at, i)
	}
	return lanes, nil
}

func (x Texts) newSource(e sketch.Elements, h sketch.Hash) (textLane, error) {
	if x.Corpus.Kind == corpus.Sets {
		hasher, err := shingle.NewHasher(h)
		return textLane{members: &memberSource{hasher: hasher}}, err
	}
	s, err := shingle.New(e, h, x.Boilerplate)
	return textLane{text: s}, err
}

func (t *textRun) newBench() *textBench {
	lanes, _ := t.texts.newLanes(t.plan) // Validate has made some
	return &textBench{run: t, lanes: lanes, buf: make([]uint64, sketch.BatchSize)}
}

// batch sketches the documents of a batch up to the first that fails.
func (b *textBench) batch(batch corpus.Batch) func() error {
	var docs []made
	err := batch(func(d *corpus.Document) error {
		m, err := b.document(d)
		if err != nil {
			return &sketch.InputError{Path: d.Source, Record: d.Record, Name: d.ID, Offset: d.Offset, Err: err}
		}
		docs = append(docs, m)
		return nil
	})
	if err != nil {
		b.lanes, _ = b.run.texts.newLanes(b.run.plan) // without what the document left behind
	}
	return func() error { return b.run.take(docs, err) }
}

// document makes all sketches of a document.
func (b *textBench) document(d *corpus.Document) (made, error) {
	m := made{id: d.ID, path: d.Source, line: d.Record, offset: d.Offset}
	whole := b.run.texts.Corpus.Kind == corpus.Text
	if b.run.texts.Corpus.Kind == corpus.Sets {
		m.size = uint64(len(d.Members))
		if b.run.texts.Keep {
			m.texts = append(m.texts, bytes.Join(d.Members, []byte("\n")))
			m.fields = append(m.fields, nil)
		}
		return m, b.sketch(&m, shingle.Unit{}, d, sketch.Meta{Source: d.Source, PerRecord: true, Length: m.size})
	}
	units := b.run.texts.Units
	for i, u := range units.Split(d.Text) {
		meta := sketch.Meta{Source: d.Source, PerRecord: !whole, Length: uint64(utf8.RuneCount(u.Text))}
		if units.Of != "" && units.Of != shingle.Documents {
			m.names = append(m.names, fmt.Sprintf("[%d]", i+1))
			meta.PerRecord = true
			meta.Comment = fmt.Sprintf("bytes %d-%d", u.Start, u.End)
			if u.Title != "" {
				meta.Comment += ": " + u.Title
			}
		}
		m.size += meta.Length
		if b.run.texts.Keep {
			m.texts = append(m.texts, bytes.Clone(u.Text))
			m.fields = append(m.fields, d.Fields)
		}
		if err := b.sketch(&m, u, d, meta); err != nil {
			return m, err
		}
	}
	b.judge(&m, d.Text)
	return m, nil
}

// sketch makes the sketches of a unit and counts its elements.
func (b *textBench) sketch(m *made, u shingle.Unit, d *corpus.Document, meta sketch.Meta) error {
	first := len(m.items)
	m.items = append(m.items, make([]sketch.Item, len(b.run.plan.Params))...)
	for i := range b.lanes {
		l := &b.lanes[i]
		seen, err := b.feed(l, u.Text, d)
		if err != nil {
			return err
		}
		if i == 0 {
			m.stats = m.stats.Add(seen)
		}
		meta.Records, meta.Count = 1, seen.Hashed()
		for j, builder := range l.builders {
			s, err := builder.Finish()
			if err != nil {
				return err
			}
			m.items[first+l.at[j]] = sketch.Item{Meta: meta, Sketch: s}
		}
	}
	if m.stats.Hashed() == 0 {
		m.odd = empty
	} else {
		m.odd = ordinary
	}
	return nil
}

// feed gives the elements of a unit, or the members of a set, to the builders.
func (b *textBench) feed(l *textLane, text []byte, d *corpus.Document) (sketch.Stats, error) {
	if l.text != nil {
		before := l.text.Stats()
		l.text.Reset(text)
		err := sketch.Feed(l.text, b.buf, l.builders...)
		after := l.text.Stats()
		return sketch.Stats{Elements: after.Elements - before.Elements, Skipped: after.Skipped - before.Skipped}, err
	}
	seen := sketch.Stats{Elements: uint64(len(d.Members))}
	l.members.left = d.Members
	if d.Weights == nil {
		return seen, sketch.Feed(l.members, b.buf, l.builders...)
	}
	var err error
	if b.hashes, err = shingle.AppendAll(b.hashes[:0], l.members); err != nil {
		return seen, err
	}
	for _, builder := range l.builders {
		if err := builder.(sketch.WeightedBuilder).AddWeighted(b.hashes, d.Weights); err != nil {
			return seen, err
		}
	}
	return seen, nil
}

// sentence is the number of characters from which a word is taken for one.
const sentence = 12

// judge notices documents that words do not fit.
func (b *textBench) judge(m *made, text []byte) {
	r := b.lanes[0].text.Recipe()
	long := m.stats.Elements > 0 && m.size >= sentence*m.stats.Elements
	if long && r.Unspaced == 0 && (r.Kind == shingle.Words || r.Kind == shingle.Tokens) && 2*shingle.CountUnspaced(text) > int(m.size) {
		m.odd = unspaced
	}
}

// A memberSource is the sketch.Source of the members of a set.
type memberSource struct {
	hasher shingle.Hasher
	left   [][]byte
	stats  sketch.Stats
}

func (s *memberSource) Stats() sketch.Stats { return s.stats }

// Next implements sketch.Source.
func (s *memberSource) Next(dst []uint64, bound uint64) (int, error) {
	n := 0
	for n < len(dst) {
		if len(s.left) == 0 {
			return n, io.EOF
		}
		h := s.hasher.Sum(s.left[0])
		s.left = s.left[1:]
		s.stats.Elements++
		if h <= bound {
			dst[n] = h
			n++
		}
	}
	return n, nil
}
