// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A normalizer takes text through the steps Form to Space of a recipe, piece
// by piece. Pieces are cut before white space (see cutPoint): no step looks
// across that but the collapse of white space, which it remembers.
type normalizer struct {
	recipe  Recipe
	chars   *characters
	form    norm.Form
	formed  bool      // there is a form
	ascii   [128]byte // what becomes of an ASCII character: itself, another, or one of the marks below
	simple  bool      // ascii holds no marks
	begun   bool      // something was written since reset
	pending bool      // Space is One: white space waits for what follows it

	scratch []byte // text in form
	piece   []byte // a part of it
	out     []byte
}

// Marks in normalizer.ascii, which text cannot have.
const (
	dropMark  = 0x80
	blankMark = 0x81 // white space to be collapsed
)

var forms = map[string]norm.Form{"nfc": norm.NFC, "nfd": norm.NFD, "nfkc": norm.NFKC, "nfkd": norm.NFKD}

func newNormalizer(r Recipe) *normalizer {
	n := &normalizer{recipe: r, chars: tables(), simple: true}
	n.form, n.formed = forms[r.Form]
	for c := range n.ascii {
		n.ascii[c] = n.fate(byte(c))
		n.simple = n.simple && n.ascii[c] < utf8.RuneSelf
	}
	return n
}

// fate is the entry of an ASCII character in normalizer.ascii.
func (n *normalizer) fate(c byte) byte {
	p := n.chars.props[c]
	switch {
	case p&propPunct != 0 && n.recipe.Punct == Drop, p&propDigit != 0 && n.recipe.Digits == Drop:
		return dropMark
	case p&propDigit != 0 && n.recipe.Digits == Zero:
		return '0'
	case p&propPunct != 0 && n.recipe.Punct == ToSpace:
		c, p = ' ', propSpace
	}
	switch {
	case p&propSpace != 0 && n.recipe.Space == One:
		return blankMark
	case p&propSpace != 0 && n.recipe.Space == None:
		return dropMark
	case n.recipe.Case != AsIs && 'A' <= c && c <= 'Z':
		return c + 'a' - 'A'
	}
	return c
}

func (n *normalizer) reset() { n.begun, n.pending = false, false }

// normalize returns the normalised piece, valid until the next call.
func (n *normalizer) normalize(text []byte) []byte {
	n.out = n.out[:0]
	switch {
	case asciiPrefix(text) < len(text):
		n.addText(n.inForm(text))
	case n.simple:
		n.out = append(n.out, text...)
		for i, c := range n.out {
			n.out[i] = n.ascii[c&0x7f]
		}
	default:
		n.addASCII(text)
	}
	return n.out
}

// asciiPrefix is the number of bytes before the first that is not ASCII.
func asciiPrefix(text []byte) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		if binary.LittleEndian.Uint64(text[i:])&0x8080808080808080 != 0 {
			break
		}
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// inForm puts text in the Unicode form of the recipe.
//
// Tables of a later Unicode know characters that are unassigned in 15.0, which
// must stay what they were: starters that nothing combines with. So text is
// put in form between them. What is assigned never changes in this respect
// (Unicode Character Encoding Stability Policies).
func (n *normalizer) inForm(text []byte) []byte {
	if !n.formed || n.form.IsNormal(text) {
		return text
	}
	n.scratch = n.scratch[:0]
	from := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if n.chars.props[r]&propAssigned == 0 {
			n.addInForm(text[from:i])
			n.scratch = append(n.scratch, text[i:i+size]...)
			from = i + size
		}
		i += size
	}
	n.addInForm(text[from:])
	return n.scratch
}

// addInForm keeps the piece apart from what is in scratch already, with which
// norm.Form.Append would combine it.
func (n *normalizer) addInForm(text []byte) {
	n.piece = n.form.Append(n.piece[:0], text...)
	n.scratch = append(n.scratch, n.piece...)
}

// addText adds text that is in form.
func (n *normalizer) addText(text []byte) {
	for i := 0; i < len(text); {
		if c := text[i]; c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			n.addRune(text, i, r, size)
			i += size
			continue
		}
		size := asciiPrefix(text[i:])
		n.addASCII(text[i : i+size])
		i += size
	}
}

// addASCII adds ASCII text.
func (n *normalizer) addASCII(text []byte) {
	n.out = slices.Grow(n.out, len(text)+1)
	out, k := n.out[:cap(n.out)], len(n.out)
	begun, pending := n.begun, n.pending
	for _, c := range text {
		switch a := n.ascii[c&0x7f]; a {
		default:
			if pending {
				out[k] = ' '
				k++
				pending = false
			}
			out[k] = a
			k++
			begun = true
		case blankMark:
			pending = begun
		case dropMark:
		}
	}
	n.out, n.begun, n.pending = out[:k], begun, pending
}

func (n *normalizer) flushBlank() {
	if n.pending {
		n.out = append(n.out, ' ')
		n.pending = false
	}
	n.begun = true
}

var zero, blank = []byte("0"), []byte(" ")

// addRune adds the character at place i of text, which is not ASCII.
func (n *normalizer) addRune(text []byte, i int, r rune, size int) {
	p := n.chars.props[r]
	switch {
	case p&propPunct != 0 && n.recipe.Punct == Drop, p&propDigit != 0 && n.recipe.Digits == Drop:
		return
	case p&propDigit != 0 && n.recipe.Digits == Zero:
		n.addASCII(zero)
		return
	case p&propPunct != 0 && n.recipe.Punct == ToSpace:
		n.addASCII(blank)
		return
	case p&propSpace != 0 && n.recipe.Space == One:
		n.pending = n.begun
		return
	case p&propSpace != 0 && n.recipe.Space == None:
		return
	}
	n.flushBlank()
	switch {
	case p&propMapped == 0 || n.recipe.Case == AsIs:
		n.out = utf8.AppendRune(n.out, r) // an invalid byte is U+FFFD by now
	case n.recipe.Case == Fold:
		if s, ok := n.chars.toFold(r); ok {
			n.out = append(n.out, s...)
		} else {
			n.out = utf8.AppendRune(n.out, r)
		}
	case r == capitalSigma:
		n.out = utf8.AppendRune(n.out, n.chars.lowerSigma(text, i, i+size))
	case r == dottedI:
		n.out = append(n.out, "i\u0307"...)
	default:
		n.out = utf8.AppendRune(n.out, n.chars.toLower(r))
	}
}

// The characters whose lower case is not one character that depends on nothing
// (SpecialCasing.txt, without the rules of single languages).
const (
	capitalSigma = '\u03a3'
	finalSigma   = '\u03c2'
	smallSigma   = '\u03c3'
	dottedI      = '\u0130' // its lower case is i with a dot above
)

// lowerSigma is the lower case of the capital sigma at text[i:end]: final at
// the end of a word, that is, after a cased letter and not before one, where
// characters that are Case_Ignorable do not count (Final_Sigma, The Unicode
// Standard, table 3-17).
func (c *characters) lowerSigma(text []byte, i, end int) rune {
	after := false
	for j := i; j > 0; {
		r, size := utf8.DecodeLastRune(text[:j])
		j -= size
		if p := c.props[r]; p&propIgnorable == 0 {
			after = p&propCased != 0
			break
		}
	}
	if !after {
		return smallSigma
	}
	for j := end; j < len(text); {
		r, size := utf8.DecodeRune(text[j:])
		j += size
		if p := c.props[r]; p&propIgnorable == 0 {
			if p&propCased != 0 {
				return smallSigma
			}
			break
		}
	}
	return finalSigma
}

// chunk is how much text is normalised at a time: what comes of it stays in
// the first-level cache.
const chunk = 8 << 10

// cutPoint returns where to end the next piece of text: before ASCII white
// space, in about chunk bytes, or at the end.
func cutPoint(text []byte) int {
	if len(text) <= chunk {
		return len(text)
	}
	for i := chunk; i > chunk/2; i-- {
		if isBlank(text[i]) {
			return i
		}
	}
	for i := chunk + 1; i < len(text); i++ {
		if isBlank(text[i]) {
			return i
		}
	}
	return len(text)
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
