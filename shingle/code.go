// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"bytes"
	"iter"
)

// lines yields the lines of a text with their ends and whether each belongs to
// a fenced code block, and whether it is one of its fences (CommonMark 0.31.2,
// section 4.5: at least three backticks or tildes after at most three spaces;
// the block ends with as many of the same, or with the text).
func lines(text []byte) iter.Seq2[[]byte, lineKind] {
	return func(yield func([]byte, lineKind) bool) {
		var open fence
		for len(text) > 0 {
			n := bytes.IndexByte(text, '\n') + 1
			if n == 0 {
				n = len(text)
			}
			line := text[:n]
			text = text[n:]
			kind := prose
			f := parseFence(line)
			switch {
			case open.length == 0 && f.length > 0:
				open, kind = f, fenceLine
			case open.length > 0 && f.closes(open):
				open, kind = fence{}, fenceLine
			case open.length > 0:
				kind = code
			}
			if !yield(line, kind) {
				return
			}
		}
	}
}

type lineKind int

const (
	prose lineKind = iota
	code
	fenceLine
)

// A fence is the line that opens or closes a code block; length 0 is none.
type fence struct {
	char   byte
	length int
	info   bool // something follows, so that it cannot close a block
}

func (f fence) closes(open fence) bool {
	return f.length >= open.length && f.char == open.char && !f.info
}

func parseFence(line []byte) fence {
	s := bytes.TrimRight(line, " \t\r\n")
	indented := bytes.TrimLeft(s, " ")
	if len(s)-len(indented) > 3 || len(indented) < 3 {
		return fence{}
	}
	f := fence{char: indented[0]}
	if f.char != '`' && f.char != '~' {
		return fence{}
	}
	for f.length < len(indented) && indented[f.length] == f.char {
		f.length++
	}
	info := indented[f.length:]
	f.info = len(info) > 0
	if f.length < 3 || f.char == '`' && bytes.IndexByte(info, '`') >= 0 {
		return fence{} // too short, or code within a line
	}
	return f
}

// selectCode appends to dst the fenced code blocks of a text without their
// fences (only), or the text without the blocks.
func selectCode(dst, text []byte, only bool) []byte {
	want := prose
	if only {
		want = code
	}
	for line, kind := range lines(text) {
		if kind == want {
			dst = append(dst, line...)
		}
	}
	return dst
}
