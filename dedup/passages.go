// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

// A word is a run of letters, digits and marks in a text as it stands; of
// scripts without spaces, one character.
type word struct {
	from, to int // bytes
	hash     uint64
}

// wordsOf appends the words of a text. Case makes no difference between words.
func wordsOf(dst []word, text []byte) []word {
	var lower []byte
	from := -1
	end := func(to int) {
		if from >= 0 {
			dst = append(dst, word{from, to, xxh3.Hash(lower)})
			from, lower = -1, lower[:0]
		}
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_':
			end(i)
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			end(i)
			from, lower = i, utf8.AppendRune(lower, r)
			end(i + n)
		default:
			if from < 0 {
				from = i
			}
			lower = utf8.AppendRune(lower, unicode.ToLower(r))
		}
		i += n
	}
	end(len(text))
	return dst
}

// A match is a run of n words that two texts have: from word A of the one and
// from word B of the other.
type match struct{ a, b, n int }

// matches are the longest runs of at least width words that both have, from the
// left of a, each word of a in one at most. Of several places in b the first is
// taken that lies behind the run before, else the first.
func matches(a, b []word, width int) []match {
	if width = min(width, len(a), len(b)); width < 1 {
		return nil
	}
	places := map[uint64][]int{}
	runs(b, width, func(i int, h uint64) { places[h] = append(places[h], i) })
	var found []match
	until, behind := 0, 0 // of the last run: its end in a and in b
	runs(a, width, func(i int, h uint64) {
		at := places[h]
		if i < until || len(at) == 0 {
			return
		}
		j := at[0]
		for _, p := range at {
			if p >= behind {
				j = p
				break
			}
		}
		n := 0
		for i+n < len(a) && j+n < len(b) && a[i+n].hash == b[j+n].hash {
			n++
		}
		if n < width {
			return // other words of the same hash
		}
		found = append(found, match{i, j, n})
		until, behind = i+n, j+n
	})
	return found
}

// runs calls do with each run of width words, by a hash of it.
func runs(words []word, width int, do func(i int, h uint64)) {
	var bytes []byte
	for i := 0; i+width <= len(words); i++ {
		bytes = bytes[:0]
		for _, w := range words[i : i+width] {
			bytes = appendHashes(bytes, []uint64{w.hash})
		}
		do(i, xxh3.Hash(bytes))
	}
}
