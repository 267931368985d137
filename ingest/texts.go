// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// Texts say how documents and sets are read.
type Texts struct {
	Corpus         corpus.Options // but for Threads, Warn and Read
	Units          shingle.Units  // pieces of documents that are sketched
	Boilerplate    *shingle.Boilerplate
	NumberRepeated bool // the second document of a name NAME is called NAME#2, instead of being refused
	Keep           bool // hand out texts and fields, too
}

// RunTexts sketches documents or sets, each by itself, and calls emit from one
// goroutine for some documents at a time, in the order of the inputs. The
// results do not depend on the number of threads.
//
// Names are keys: a document that repeats the name of another is an error that
// names both places. With opts.KeepGoing an input is left from the place of its
// first error on, which stands in a Result of its own.
func RunTexts(ctx context.Context, plan Plan, texts Texts, opts Options, paths []string, emit func(Result) error) error {
	if err := texts.Validate(plan); err != nil {
		return err
	}
	texts.Units.HTML = readsHTML(plan)
	t := &textRun{plan: plan, texts: texts, opts: opts, emit: emit, names: map[[16]byte]place{}, left: map[string]bool{}}
	if err := t.inOrder(ctx, paths, func() textWorker { return t.newBench().batch }); err != nil {
		return err
	}
	t.warns = append(t.warns, t.seen.warnings(plan)...)
	if len(t.warns) > 0 {
		return emit(Result{Warnings: t.warns})
	}
	return nil
}

// Validate says whether sketches can be made by the plan of such texts.
func (x Texts) Validate(plan Plan) error {
	if err := plan.Validate(); err != nil {
		return err
	}
	sets := x.Corpus.Kind == corpus.Sets
	for _, p := range plan.Params {
		switch {
		case p.Elements.Molecule != sketch.Text:
			return fmt.Errorf("elements %s are not those of text", p.Elements)
		case sets != (p.Elements.Recipe == shingle.Set):
			return fmt.Errorf("elements %s do not fit input of kind %s", p.Elements, x.Corpus.Kind)
		case sets && len(x.Corpus.Sets.Columns) == 3 && !takesWeights(p):
			return fmt.Errorf("%s sketches take no weights of members; icws and weighted simhash do", p.Family)
		}
	}
	if _, err := x.newLanes(plan); err != nil {
		return err
	}
	if of := x.Units.Of; sets && of != "" && of != shingle.Documents {
		return fmt.Errorf("sets have no %ss", of)
	}
	return nil
}

// readsHTML says whether documents are HTML, for one of the recipes at least.
func readsHTML(plan Plan) bool {
	for _, p := range plan.Params {
		if r, err := shingle.Parse(p.Elements.Recipe); err == nil && r.HTML {
			return true
		}
	}
	return false
}

func takesWeights(p sketch.Params) bool {
	full := p.Full()
	return full.Family == sketch.ICWS || full.Family == sketch.SimHash && full.Weighted
}

// A textRun is what RunTexts keeps from one batch to the next; only the
// goroutine that calls emit touches it.
type textRun struct {
	plan  Plan
	texts Texts
	opts  Options
	emit  func(Result) error
	names map[[16]byte]place // by digest: names may be long
	left  map[string]bool    // inputs that failed
	seen  oddities

	mu    sync.Mutex // of warnings, which come from any goroutine
	warns []string
}

// A place is where a name was seen first.
type place struct {
	path string
	line uint64
	used int // documents of that name
}

// A made document is what came of one.
type made struct {
	id     string
	path   string
	line   uint64
	offset int64
	items  []sketch.Item // unit by unit, in the order of Plan.Params
	texts  [][]byte      // of the units, if Texts.Keep
	fields [][]string    // of their documents
	names  []string      // of the units, to be put behind the name; nil for whole documents
	size   uint64        // characters, or members of a set
	stats  sketch.Stats
	odd    oddity
}

func (t *textRun) warn(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.warns = append(t.warns, text)
}

// take enters what came of a batch.
func (t *textRun) take(docs []made, failed error) error {
	r := Result{}
	for i := range docs {
		d := &docs[i]
		if t.left[d.path] {
			continue
		}
		if err := t.name(d); err != nil {
			if err := t.pass(&r); err != nil {
				return err
			}
			return t.fail(err)
		}
		if d.path != r.Sample.label() {
			if err := t.pass(&r); err != nil {
				return err
			}
			r = Result{Sample: Sample{Paths: []string{d.path}}}
		}
		r.Records++
		r.Bases += d.size
		r.Stats = r.Stats.Add(d.stats)
		r.Items = append(r.Items, d.items...)
		r.Texts = append(r.Texts, d.texts...)
		r.Fields = append(r.Fields, d.fields...)
		t.seen.add(d)
	}
	if err := t.pass(&r); err != nil || failed == nil {
		return err
	}
	return t.fail(failed)
}

func (t *textRun) pass(r *Result) error {
	if r.Records == 0 {
		return nil
	}
	out := *r
	*r = Result{}
	return t.emit(out)
}

// fail leaves an input, or everything.
func (t *textRun) fail(err error) error {
	var in *sketch.InputError
	if !t.opts.KeepGoing || !errors.As(err, &in) {
		return err
	}
	if t.left[in.Path] {
		return nil
	}
	t.left[in.Path] = true
	return t.emit(Result{Sample: Sample{Paths: []string{in.Path}}, Err: err})
}

// name enters the name of a document, numbers it if it is to be, and names its
// sketches.
func (t *textRun) name(d *made) error {
	key := digest(d.id)
	first, known := t.names[key]
	if known && !t.texts.NumberRepeated {
		return &sketch.InputError{Path: d.path, Record: d.line, Name: d.id, Offset: d.offset, Err: repeated(d, first)}
	}
	if !known {
		first = place{path: d.path, line: d.line}
	}
	first.used++
	id := d.id
	for ; known; first.used++ {
		id = fmt.Sprintf("%s#%d", d.id, first.used)
		next := digest(id)
		if _, taken := t.names[next]; !taken {
			t.names[next] = place{path: d.path, line: d.line, used: 1}
			break
		}
	}
	t.names[key] = first
	n := len(t.plan.Params)
	for i := range d.items {
		d.items[i].Meta.ID = id
		if d.names != nil {
			d.items[i].Meta.ID += d.names[i/n]
		}
	}
	return nil
}

func repeated(d *made, first place) error {
	switch {
	case d.line == 0 && first.path == d.path:
		return errors.New("given twice, and names of documents are keys")
	case first.path == d.path:
		return fmt.Errorf("line %d has the name of line %d again", d.line, first.line)
	case first.line == 0:
		return fmt.Errorf("line %d has the name of the file %s", d.line, first.path)
	}
	return fmt.Errorf("line %d has the name of line %d of %s again", d.line, first.line, first.path)
}

func digest(id string) [16]byte {
	sum := sha256.Sum256([]byte(id))
	return [16]byte(sum[:16])
}

// An oddity is what a user should know of a document.
type oddity int

const (
	ordinary oddity = iota
	empty           // no elements
	unspaced        // of scripts without spaces, cut into words
	oddKinds
)

// oddities count documents by oddity and remember the first of each.
type oddities struct {
	all     int
	number  [oddKinds]int
	first   [oddKinds][]string
	largest uint64 // elements of a document
}

const namedOddities = 3

func (o *oddities) add(d *made) {
	o.all++
	o.largest = max(o.largest, d.stats.Hashed())
	if d.odd == ordinary {
		return
	}
	o.number[d.odd]++
	if len(o.first[d.odd]) < namedOddities {
		o.first[d.odd] = append(o.first[d.odd], d.id)
	}
}

func (o *oddities) warnings(plan Plan) []string {
	var all []string
	for _, w := range []struct {
		odd  oddity
		text string
	}{
		{empty, "have no elements; their sketches are empty and like no other"},
		{unspaced, "are of a script without spaces, so that a word is a sentence; take characters, as chars=3, or words with unspaced=3"},
	} {
		if n := o.number[w.odd]; n > 0 {
			names := strings.Join(o.first[w.odd], ", ")
			if n > namedOddities {
				names += ", ..."
			}
			all = append(all, fmt.Sprintf("%d of %d documents (%s) %s", n, o.all, names, w.text))
		}
	}
	for _, p := range plan.Params {
		if w := minhash.CollisionWarning(p, float64(o.largest)); w != "" {
			all = append(all, p.Family+": "+w)
		}
	}
	return all
}
