// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"slices"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// wordWindows are the runs of width words. The words lie in text, each followed
// by a space, so that a run is a piece of text and is never put together.
type wordWindows struct {
	width   int
	split   func(w *wordWindows, text []byte)
	tokens  bool      // words are what white space separates
	class   [256]byte // of bytes
	spaced  [256]byte // bytes, a space for what is not within
	scripts bool      // a word ends where the script changes
	chars   *characters
	uax29   *words.Iterator[[]byte]
	stem    *stemmer
	text    []byte
	ends    []int // of each word in text, past its space
	at      int   // first word of the next run
	begun   bool  // a run was returned since reset
	closed  bool  // no more text comes
}

func newWordWindows(r Recipe) *wordWindows {
	w := &wordWindows{width: r.Width, chars: tables(), split: splitters[r.Kind], tokens: r.Kind == Tokens, scripts: r.Scripts}
	for c := range w.class {
		switch {
		case c >= utf8.RuneSelf:
			w.class[c] = multiple
		case w.inWord(rune(c)):
			w.class[c] = within
			w.spaced[c] = byte(c)
			continue
		}
		w.spaced[c] = ' '
	}
	if r.Kind == UAX29 {
		w.uax29 = words.FromBytes(nil)
	}
	if r.Stem != "" {
		w.stem = newStemmer(r.Stem)
	}
	return w
}

func (w *wordWindows) reset() {
	w.text, w.ends, w.at = w.text[:0], w.ends[:0], 0
	w.begun, w.closed = false, false
}

// feed adds the words of a piece of text. The words of runs that were returned
// are dropped first.
func (w *wordWindows) feed(text []byte) {
	if w.at > 0 {
		from := w.ends[w.at-1]
		w.text = w.text[:copy(w.text, w.text[from:])]
		w.ends = w.ends[:copy(w.ends, w.ends[w.at:])]
		for i := range w.ends {
			w.ends[i] -= from
		}
		w.at = 0
	}
	w.split(w, text)
}

func (w *wordWindows) close() { w.closed = true }

// next returns the next run, nil if it needs more text.
func (w *wordWindows) next() []byte {
	last := w.at + w.width - 1
	if last >= len(w.ends) {
		return w.short()
	}
	from := 0
	if w.at > 0 {
		from = w.ends[w.at-1]
	}
	w.at++
	w.begun = true
	return w.text[from : w.ends[last]-1]
}

// short returns all words of a document with fewer than width of them, once.
func (w *wordWindows) short() []byte {
	if !w.closed || w.begun || len(w.ends) == 0 {
		return nil
	}
	w.begun = true
	return w.text[:len(w.text)-1]
}

// found adds a word, or the pieces of it that are of one script each. Characters
// of no script of their own, as digits and marks, stay with those before them.
func (w *wordWindows) found(word []byte) {
	if !w.scripts || asciiPrefix(word) == len(word) {
		w.add(word)
		return
	}
	from, last := 0, uint16(0)
	for i := 0; i < len(word); {
		r, size := utf8.DecodeRune(word[i:])
		script := w.chars.props[r] >> scriptShift
		if script != 0 {
			if last != 0 && script != last {
				w.add(word[from:i])
				from = i
			}
			last = script
		}
		i += size
	}
	w.add(word[from:])
}

// add adds a word.
func (w *wordWindows) add(word []byte) {
	if w.stem != nil {
		w.text = append(w.text, w.stem.stem(word)...)
	} else {
		w.text = append(w.text, word...)
	}
	w.text = append(w.text, ' ')
	w.ends = append(w.ends, len(w.text))
}

var splitters = map[string]func(*wordWindows, []byte){
	Words:  (*wordWindows).splitRuns,
	Tokens: (*wordWindows).splitRuns,
	UAX29:  (*wordWindows).splitUAX29,
}

// The classes of bytes.
const (
	between  = iota // ASCII that is no part of a word
	within          // ASCII that is
	multiple        // part of a character of several bytes
)

// inWord says whether a character is part of a word, or, where words are
// tokens, of a token.
func (w *wordWindows) inWord(r rune) bool {
	if w.tokens {
		return w.chars.props[r]&propSpace == 0
	}
	return w.chars.props[r]&propWord != 0
}

// splitRuns takes for words the runs of characters that are inWord.
func (w *wordWindows) splitRuns(text []byte) {
	plain := w.stem == nil && !w.scripts
	for i := 0; i < len(text); {
		if plain {
			if i += w.splitASCII(text[i:]); i == len(text) {
				return
			}
		}
		j := i + w.run(text[i:])
		if j > i {
			w.found(text[i:j])
		}
		i = j
		if i < len(text) { // pass over what ended the word
			_, size := utf8.DecodeRune(text[i:])
			i += size
		}
	}
}

// run is the length of the word that text begins with.
func (w *wordWindows) run(text []byte) int {
	i := 0
	for i < len(text) {
		switch w.class[text[i]] {
		case within:
			i++
		case between:
			return i
		default:
			r, size := utf8.DecodeRune(text[i:])
			if !w.inWord(r) {
				return i
			}
			i += size
		}
	}
	return i
}

// splitASCII adds the words before the first one with a character that is not
// ASCII, and returns where that begins. It has no branches on the text, which
// no processor can foresee: each byte is written, and what is not wanted is
// written over.
func (w *wordWindows) splitASCII(text []byte) int {
	ascii := text[:asciiPrefix(text)]
	w.text = slices.Grow(w.text, len(ascii)+1)
	w.ends = slices.Grow(w.ends, len(ascii)/2+2)
	out, ends := w.text[:cap(w.text)], w.ends[:cap(w.ends)]
	k, n, open := len(w.text), len(w.ends), byte(0)
	for _, c := range ascii {
		in := w.class[c]
		out[k] = w.spaced[c]
		k += int(in | open)
		ends[n] = k
		n += int(open &^ in)
		open = in
	}
	from := len(ascii)
	switch {
	case open != 0 && from < len(text): // a word that may go on
		last := 0
		if n > 0 {
			last = ends[n-1]
		}
		from -= k - last
		k = last
	case open != 0:
		out[k] = ' '
		k++
		ends[n] = k
		n++
	}
	w.text, w.ends = out[:k], ends[:n]
	return from
}

// splitUAX29 takes the segments of UAX 29 that have a letter or a number.
func (w *wordWindows) splitUAX29(text []byte) {
	w.uax29.SetText(text)
	for w.uax29.Next() {
		if segment := w.uax29.Value(); w.hasWordCharacter(segment) {
			w.found(segment)
		}
	}
}

func (w *wordWindows) hasWordCharacter(segment []byte) bool {
	for i := 0; i < len(segment); {
		c := segment[i]
		switch w.class[c] {
		case within:
			if c != '_' {
				return true
			}
			i++
		case between:
			i++
		default:
			r, size := utf8.DecodeRune(segment[i:])
			if w.inWord(r) {
				return true
			}
			i += size
		}
	}
	return false
}
