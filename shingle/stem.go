// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"maps"
	"slices"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
)

// stemmers are the Snowball algorithms (Porter 2001,
// http://snowballstem.org/texts/introduction.html) by language, as compiled in
// snowballstem 0.9.0; a test holds words and stems of each.
var stemmers = map[string]func(*snowballstem.Env) bool{
	"danish": danish.Stem, "dutch": dutch.Stem, "english": english.Stem, "finnish": finnish.Stem,
	"french": french.Stem, "german": german.Stem, "hungarian": hungarian.Stem, "italian": italian.Stem,
	"norwegian": norwegian.Stem, "portuguese": portuguese.Stem, "romanian": romanian.Stem,
	"russian": russian.Stem, "spanish": spanish.Stem, "swedish": swedish.Stem, "turkish": turkish.Stem,
}

// Stemmers lists the languages that Recipe.Stem can name.
func Stemmers() []string { return slices.Sorted(maps.Keys(stemmers)) }

// A stemmer keeps the stems of the words it has met: texts repeat their words,
// and an algorithm takes a thousand times as long as a look-up.
type stemmer struct {
	algorithm func(*snowballstem.Env) bool
	known     map[string]string
}

// maxStems bounds the words that are kept; maxStemmed is the length in bytes of
// the longest word that is stemmed, since no algorithm was made for longer ones
// and some take quadratic time.
const (
	maxStems   = 1 << 16
	maxStemmed = 255
)

func newStemmer(language string) *stemmer {
	return &stemmer{algorithm: stemmers[language], known: map[string]string{}}
}

// stem returns the stem of a word, or the word if its stem is empty.
func (s *stemmer) stem(word []byte) string {
	if known, ok := s.known[string(word)]; ok {
		return known
	}
	stem := string(word)
	if len(word) <= maxStemmed {
		env := snowballstem.NewEnv(stem)
		s.algorithm(env)
		if got := env.Current(); got != "" {
			stem = got
		}
	}
	if len(s.known) == maxStems {
		clear(s.known)
	}
	s.known[string(word)] = stem
	return stem
}
