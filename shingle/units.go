// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The pieces of a document that can be sketched, as Units.Of spells them.
const (
	Documents  = "document"
	Sections   = "section"   // from one heading to the next: Markdown (# or underlined), or h1 to h6
	Paragraphs = "paragraph" // what empty lines separate, or, in HTML, tags that begin a line
	Passages   = "passage"   // windows of Words words, one every Step words
)

// Units say what pieces of a document are sketched, each as if it were a
// document. The zero value is whole documents.
type Units struct {
	Of    string
	Words int  // Passages: words in a window
	Step  int  // Passages: words from the start of one to that of the next, 1 to Words
	HTML  bool // documents are HTML
}

// ParseUnits reads "document", "section", "paragraph", "passage=WORDS" or
// "passage=WORDS,STEP"; without STEP windows do not overlap.
func ParseUnits(s string) (Units, error) {
	bad := fmt.Errorf("unit %q: %s, %s, %s or %s=WORDS[,STEP] expected", s, Documents, Sections, Paragraphs, Passages)
	name, size, given := strings.Cut(s, "=")
	switch {
	case name == Passages && given:
	case (name == Documents || name == Sections || name == Paragraphs) && !given:
		return Units{Of: name}, nil
	default:
		return Units{}, bad
	}
	words, step, given := strings.Cut(size, ",")
	u := Units{Of: name}
	var err error
	if u.Words, err = strconv.Atoi(words); err != nil {
		return Units{}, bad
	}
	u.Step = u.Words
	if given {
		if u.Step, err = strconv.Atoi(step); err != nil {
			return Units{}, bad
		}
	}
	if u.Words < 1 || u.Step < 1 || u.Step > u.Words {
		return Units{}, fmt.Errorf("unit %q: at least one word, and a step from 1 to the words of a window", s)
	}
	return u, nil
}

// A Unit is a piece of a document.
type Unit struct {
	Text       []byte
	Start, End int    // its place in bytes of the document
	Title      string // of a section, at most 200 bytes of it
}

// Split returns the units of a document in order. Units without a letter, a
// number or an underscore are left out, but for whole documents.
func (u Units) Split(doc []byte) []Unit {
	if u.Of == "" || u.Of == Documents {
		return []Unit{{Text: doc, End: len(doc)}}
	}
	s := splitter{doc: doc, chars: tables()}
	switch {
	case u.Of == Passages:
		s.passages(u)
	case u.HTML:
		s.markup(u.Of)
	case u.Of == Sections:
		s.sections()
	default:
		s.paragraphs()
	}
	return s.units
}

type splitter struct {
	doc   []byte
	chars *characters
	units []Unit
}

func (s *splitter) add(start, end int, title string) {
	text := s.doc[start:end]
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if s.chars.props[r]&propWord != 0 {
			s.units = append(s.units, Unit{Text: text, Start: start, End: end, Title: title})
			return
		}
		i += size
	}
}

// sections splits at the headings of Markdown that are not in code blocks.
func (s *splitter) sections() {
	var title, heading string
	start, at, before := 0, 0, 0 // of the section, of this line, of the line before
	text := false                // the line before may be a heading that this one underlines
	for line, kind := range lines(s.doc) {
		trimmed := bytes.TrimSpace(line)
		underlined := kind == prose && text && isUnderline(trimmed)
		switch {
		case kind == prose && isHash(line):
			s.add(start, at, title)
			start, title, text = at, titleOf(bytes.Trim(trimmed, "#")), false
		case underlined:
			s.add(start, before, title)
			start, title, text = before, heading, false
		default:
			text = kind == prose && len(trimmed) > 0 && !isUnderline(trimmed)
			heading = titleOf(trimmed)
		}
		before = at
		at += len(line)
	}
	s.add(start, len(s.doc), title)
}

// isHash says whether a line is a heading of Markdown with number signs: one to
// six of them after at most three spaces, then white space or nothing.
func isHash(line []byte) bool {
	s := bytes.TrimLeft(line, " ")
	if len(line)-len(s) > 3 {
		return false
	}
	rest := bytes.TrimLeft(s, "#")
	n := len(s) - len(rest)
	return n >= 1 && n <= 6 && (len(rest) == 0 || isBlank(rest[0]))
}

// isUnderline says whether a line underlines a heading.
func isUnderline(line []byte) bool {
	return len(line) > 0 && (len(bytes.Trim(line, "=")) == 0 || len(bytes.Trim(line, "-")) == 0)
}

const maxTitle = 200

func titleOf(line []byte) string {
	line = bytes.TrimSpace(line)
	line = line[:min(len(line), maxTitle)]
	return strings.ToValidUTF8(string(line), "")
}

func (s *splitter) paragraphs() {
	start, at := 0, 0
	for line := range bytes.Lines(s.doc) {
		if len(bytes.TrimSpace(line)) == 0 {
			s.add(start, at, "")
			start = at + len(line)
		}
		at += len(line)
	}
	s.add(start, len(s.doc), "")
}

// markup splits HTML at the tags that begin a section or a line.
func (s *splitter) markup(of string) {
	start, inHeading := 0, false
	var title []byte
	h := walkHTML(s.doc)
	for h.step() {
		switch {
		case of == Sections && isHeading(h.tag):
			inHeading = h.kind == html.StartTagToken
			if inHeading {
				s.addMarkup(start, h.offset, titleOf(title))
				start, title = h.offset, title[:0]
			}
		case of == Paragraphs && blocks[h.tag]:
			s.addMarkup(start, h.offset, "")
			start = h.offset
		case inHeading && h.kind == html.TextToken && len(title) < maxTitle:
			title = append(title, h.z.Text()...)
		}
	}
	s.addMarkup(start, len(s.doc), titleOf(title))
}

// addMarkup adds a unit if there is text in it beside the markup.
func (s *splitter) addMarkup(start, end int, title string) {
	text := splitter{doc: StripHTML(nil, s.doc[start:end], ""), chars: s.chars}
	if text.add(0, len(text.doc), ""); len(text.units) > 0 {
		s.units = append(s.units, Unit{Text: s.doc[start:end], Start: start, End: end, Title: title})
	}
}

func isHeading(tag atom.Atom) bool {
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// passages adds windows of words, \w+ in text as it is given (in HTML, of the
// text between tags), until one holds the last word. A window reaches from its
// first word to the word after its last.
func (s *splitter) passages(u Units) {
	starts := s.wordStarts(u.HTML)
	for i := 0; i < len(starts); i += u.Step {
		end := len(s.doc)
		if i+u.Words < len(starts) {
			end = starts[i+u.Words]
		}
		s.units = append(s.units, Unit{Text: s.doc[starts[i]:end], Start: starts[i], End: end})
		if end == len(s.doc) {
			return
		}
	}
}

func (s *splitter) wordStarts(isHTML bool) []int {
	if !isHTML {
		return s.appendStarts(nil, 0, len(s.doc))
	}
	var starts []int
	h := walkHTML(s.doc)
	for h.step() {
		if h.kind == html.TextToken {
			starts = s.appendStarts(starts, h.offset, h.next)
		}
	}
	return starts
}

func (s *splitter) appendStarts(starts []int, from, to int) []int {
	in := false
	for i := from; i < to; {
		r, size := utf8.DecodeRune(s.doc[i:to])
		word := s.chars.props[r]&propWord != 0
		if word && !in {
			starts = append(starts, i)
		}
		in = word
		i += size
	}
	return starts
}
