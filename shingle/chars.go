// SPDX-License-Identifier: Apache-2.0

package shingle

// charWindows are the runs of width characters, or of width bytes.
type charWindows struct {
	width  int
	length *[256]uint8 // of a character, by its first byte
	text   []byte
	lo, hi int  // the run under way: text[lo:hi]
	have   int  // characters in it
	begun  bool // a run was returned since reset
	closed bool // no more text comes
}

func newCharWindows(width int, bytes bool) *charWindows {
	c := &charWindows{width: width, length: &charLength}
	if bytes {
		c.length = &byteLength
	}
	return c
}

var charLength, byteLength = lengths()

// lengths are those of UTF-8, which normalised text is.
func lengths() (char, one [256]uint8) {
	for b := range char {
		one[b], char[b] = 1, 1
		switch {
		case b >= 0xf0:
			char[b] = 4
		case b >= 0xe0:
			char[b] = 3
		case b >= 0xc0:
			char[b] = 2
		}
	}
	return char, one
}

func (c *charWindows) reset() {
	c.text, c.lo, c.hi, c.have = c.text[:0], 0, 0, 0
	c.begun, c.closed = false, false
}

// feed adds a piece of text, which ends with a whole character.
func (c *charWindows) feed(text []byte) {
	c.text = c.text[:copy(c.text, c.text[c.lo:])]
	c.hi -= c.lo
	c.lo = 0
	c.text = append(c.text, text...)
}

func (c *charWindows) close() { c.closed = true }

// next returns the next run, nil if it needs more text.
func (c *charWindows) next() []byte {
	if c.have == c.width {
		c.lo += int(c.length[c.text[c.lo]])
		c.have--
	}
	for c.have < c.width {
		if c.hi == len(c.text) {
			return c.short()
		}
		c.hi += int(c.length[c.text[c.hi]])
		c.have++
	}
	c.begun = true
	return c.text[c.lo:c.hi]
}

// short returns all of a document with fewer than width characters, once.
func (c *charWindows) short() []byte {
	if !c.closed || c.begun || len(c.text) == 0 {
		return nil
	}
	c.begun = true
	return c.text
}
