// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"fmt"
	"io"

	"github.com/gsketch/gsketch/sketch"
)

// A windows is what makes elements of normalised text. An element is valid
// until the next call of feed.
type windows interface {
	reset()
	feed(text []byte)
	close()
	next() []byte // nil if it needs more text, or, after close, if there is none
}

// A Shingler is the sketch.Source of the elements of one document, in order and
// with duplicates. It works on a few thousand bytes of the document at a time
// (but HTML and Code need a copy of what they leave of it) and allocates
// nothing once its buffers have grown. It belongs to one goroutine.
type Shingler struct {
	recipe  Recipe
	hash    Hasher
	norm    *normalizer
	windows windows
	without *Boilerplate
	rest    []byte // of the document, not yet normalised
	plain   []byte // the document without markup
	closed  bool
	stats   sketch.Stats
}

// New returns a Shingler for the elements and hash of parameters; without is
// what their recipe leaves out, nil if it leaves out nothing. It fails if the
// recipe is not in canonical spelling, since equal elements must have equal
// names.
func New(e sketch.Elements, h sketch.Hash, without *Boilerplate) (*Shingler, error) {
	if e.Molecule != sketch.Text {
		return nil, fmt.Errorf("elements %s: no elements of text", e)
	}
	r, err := Parse(e.Recipe)
	if err != nil {
		return nil, err
	}
	if r.String() != e.Recipe {
		return nil, fmt.Errorf("recipe %q: not in canonical spelling (%q)", e.Recipe, r.String())
	}
	if r.Kind == Set {
		return nil, fmt.Errorf("recipe %q: members of a set are not cut out of text", e.Recipe)
	}
	if digest := without.Digest(); digest != r.Without {
		return nil, fmt.Errorf("recipe %q: the elements to leave out have digest %q", e.Recipe, digest)
	}
	s := &Shingler{recipe: r, norm: newNormalizer(r), without: without, closed: true}
	if s.hash, err = NewHasher(h); err != nil {
		return nil, err
	}
	switch {
	case r.Unspaced > 0:
		s.windows = newUnspacedWindows(r)
	case r.byWord():
		s.windows = newWordWindows(r)
	default:
		s.windows = newCharWindows(r.Width, r.Kind == Bytes)
	}
	return s, nil
}

// Recipe is that of the elements.
func (s *Shingler) Recipe() Recipe { return s.recipe }

// Reset starts on a document, which must not change until Next has returned
// io.EOF. Text is UTF-8; a byte that is not is read as U+FFFD.
func (s *Shingler) Reset(doc []byte) {
	switch {
	case s.recipe.HTML:
		s.plain = StripHTML(s.plain[:0], doc, s.recipe.Code)
		doc = s.plain
	case s.recipe.Code != "":
		s.plain = selectCode(s.plain[:0], doc, s.recipe.Code == Only)
		doc = s.plain
	}
	s.rest, s.closed = doc, false
	s.norm.reset()
	s.windows.reset()
}

// Stats counts the elements of all documents so far; those that were left out
// are Skipped.
func (s *Shingler) Stats() sketch.Stats { return s.stats }

// Next implements sketch.Source.
func (s *Shingler) Next(dst []uint64, bound uint64) (int, error) {
	n := 0
	for n < len(dst) {
		element := s.windows.next()
		if element == nil {
			if !s.more() {
				return n, io.EOF
			}
			continue
		}
		s.stats.Elements++
		h := s.hash.Sum(element)
		if s.without != nil && s.without.has(h) {
			s.stats.Skipped++
			continue
		}
		if h <= bound {
			dst[n] = h
			n++
		}
	}
	return n, nil
}

// more normalises the next piece of the document.
func (s *Shingler) more() bool {
	if s.closed {
		return false
	}
	if len(s.rest) == 0 {
		s.closed = true
		s.windows.close()
		return true
	}
	n := cutPoint(s.rest)
	s.windows.feed(s.norm.normalize(s.rest[:n]))
	s.rest = s.rest[n:]
	return true
}
