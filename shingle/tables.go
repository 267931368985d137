// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	_ "embed"
	"encoding/binary"
	"slices"
	"sync"
	"unicode"
)

//go:generate go run gen_unicode.go

// unicode15 holds the properties of the characters of Unicode 15.0. It is data
// of this package and not of the compiler, because a recipe must not change
// when the compiler does.
//
//go:embed unicode15.bin
var unicode15 []byte

// The properties of a character; the bits are those of gen_unicode.go. The
// high byte is the number of its script, 0 for Common and Inherited.
const (
	propWord      = 1 << iota // \w of Python: letters, numbers, underscore
	propSpace                 // white space as Python's str.split has it
	propAssigned              // in Unicode 15.0
	propCased                 // Cased of DerivedCoreProperties.txt
	propIgnorable             // Case_Ignorable of the same
	propDigit                 // decimal digit (Nd)
	propPunct                 // punctuation or symbol (P, S)
	propMapped                // its lower case or case folding is another

	scriptShift = 8
)

// lastUnspaced is the number of the last script that is written without spaces
// between words: Han, Hiragana, Katakana, Bopomofo, Yi, Thai, Lao, Khmer,
// Myanmar, Tibetan, Tai Le, New Tai Lue, Tai Tham, Tai Viet, Ahom.
const lastUnspaced = 15

// The lengthening marks of kana are of no script by themselves.
const (
	longKana = '\u30fc'
	halfKana = '\uff70'
)

// A pair maps a character to another.
type pair struct{ from, to rune }

// A folding maps a character to its full case folding.
type folding struct {
	from rune
	to   string
}

// characters are the tables by code point.
type characters struct {
	props []uint16
	lower []pair
	fold  []folding
}

// tables decodes unicode15 once.
var tables = sync.OnceValue(func() *characters {
	c := &characters{props: make([]uint16, unicode.MaxRune+1)}
	b := unicode15[len("unicode15\n"):]
	number := func() int {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return int(v)
	}
	at := 0
	for range number() {
		n := number()
		v := binary.LittleEndian.Uint16(b)
		b = b[2:]
		if v != 0 {
			for i := range c.props[at : at+n] {
				c.props[at+i] = v
			}
		}
		at += n
	}
	c.lower = make([]pair, number())
	var r rune
	for i := range c.lower {
		r += rune(number())
		d, n := binary.Varint(b)
		b = b[n:]
		c.lower[i] = pair{r, r + rune(d)}
	}
	c.fold = make([]folding, number())
	r = 0
	for i := range c.fold {
		r += rune(number())
		n := int(b[0])
		c.fold[i] = folding{r, string(b[1 : 1+n])}
		b = b[1+n:]
	}
	return c
})

// toLower is the simple lower case of r.
func (c *characters) toLower(r rune) rune {
	i, ok := slices.BinarySearchFunc(c.lower, r, func(p pair, r rune) int { return int(p.from - r) })
	if !ok {
		return r
	}
	return c.lower[i].to
}

// toFold is the full case folding of r.
func (c *characters) toFold(r rune) (string, bool) {
	i, ok := slices.BinarySearchFunc(c.fold, r, func(f folding, r rune) int { return int(f.from - r) })
	if !ok {
		return "", false
	}
	return c.fold[i].to, true
}

func (c *characters) unspaced(r rune) bool {
	script := c.props[r] >> scriptShift
	return script != 0 && script <= lastUnspaced || r == longKana || r == halfKana
}
