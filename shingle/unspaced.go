// SPDX-License-Identifier: Apache-2.0

package shingle

import "unicode/utf8"

// unspacedWindows are runs of words, and, of the characters of scripts that are
// written without spaces, runs of characters. Either kind runs on over the
// other, as both run on over punctuation, and each has a rule of its own for
// documents with fewer than its width.
type unspacedWindows struct {
	words *wordWindows
	chars *charWindows
	rest  []byte
	taken []byte
}

func newUnspacedWindows(r Recipe) *unspacedWindows {
	return &unspacedWindows{words: newWordWindows(r), chars: newCharWindows(r.Unspaced, false)}
}

func (u *unspacedWindows) reset() { u.words.reset(); u.chars.reset() }
func (u *unspacedWindows) close() { u.words.close(); u.chars.close() }

func (u *unspacedWindows) feed(text []byte) {
	if asciiPrefix(text) == len(text) {
		u.words.feed(text)
		return
	}
	u.rest, u.taken = u.rest[:0], u.taken[:0]
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		if u.words.chars.unspaced(r) {
			u.taken = append(u.taken, text[i:i+size]...)
			u.rest = append(u.rest, ' ')
		} else {
			u.rest = append(u.rest, text[i:i+size]...)
		}
		i += size
	}
	u.words.feed(u.rest)
	u.chars.feed(u.taken)
}

func (u *unspacedWindows) next() []byte {
	if b := u.words.next(); b != nil {
		return b
	}
	return u.chars.next()
}

// CountUnspaced is the number of characters of scripts that are written without
// spaces between words.
func CountUnspaced(text []byte) int {
	c, n := tables(), 0
	for i := asciiPrefix(text); i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if c.unspaced(r) {
			n++
		}
		i += size
	}
	return n
}
