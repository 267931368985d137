// SPDX-License-Identifier: Apache-2.0

package fastx

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/gsketch/gsketch/sketch"
)

// fourLines takes a whole FASTQ record of four lines that lies in the window
// and has nothing odd in it. Whatever it declines, the general path reads; it
// never accepts what that would not.
func (r *Reader) fourLines(p *Piece) bool {
	for {
		ok, missing := r.tryFourLines(p)
		if !missing || r.full() || !r.more() {
			return ok
		}
	}
}

// tryFourLines returns false if it declines; missing says that more of the
// stream may change that.
func (r *Reader) tryFourLines(p *Piece) (ok, missing bool) {
	b := r.buf[r.pos:r.end]
	h := bytes.IndexByte(b, '\n')
	if h < 0 {
		return false, true
	}
	header := b[1:h]
	if r.loneCR && bytes.IndexByte(bytes.TrimRight(header, "\r"), '\r') >= 0 {
		return false, false
	}
	b = b[h+1:]
	n := bytes.IndexByte(b, '\n')
	if n < 0 {
		return false, true
	}
	text, b := b[:n], b[n+1:]
	eol := "\n"
	if n > 0 && text[n-1] == '\r' {
		text, eol = text[:n-1], "\r\n"
	}
	if len(text) == 0 || text[0] == '@' || text[0] == '>' || text[0] == '+' || !graphic(text) {
		return false, false
	}
	b, missing = afterPlus(b, eol)
	if b == nil {
		return false, missing
	}
	n = len(text)
	if len(b) < n+len(eol) {
		return false, true
	}
	if string(b[n:n+len(eol)]) != eol || !graphic(b[:n]) {
		return false, false
	}
	r.begin(header)
	r.pos = r.end - len(b) + n + len(eol)
	p.Start, p.Header, p.Text, p.End = true, header, text, true
	return true, false
}

// afterPlus returns what follows the line of '+' at the start of b, nil if that
// is not one or not all of it is there. A repeated header is taken only if the
// line ends in a bare LF: a CR could hide in it.
func afterPlus(b []byte, eol string) (rest []byte, missing bool) {
	if len(b) < 1+len(eol) {
		return nil, true
	}
	if b[0] != '+' {
		return nil, false
	}
	if string(b[1:1+len(eol)]) == eol {
		return b[1+len(eol):], false
	}
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return nil, true
	}
	if bytes.IndexByte(b[:i], '\r') >= 0 {
		return nil, false
	}
	return b[i+1:], false
}

// graphic says whether no byte of b is a space or a control character. It
// looks at eight at once: x - 0x21 borrows into the top bit of a byte below
// 0x21, and x itself has that bit clear.
func graphic(b []byte) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	if len(b) < 8 {
		for _, c := range b {
			if c < 0x21 {
				return false
			}
		}
		return true
	}
	last := binary.LittleEndian.Uint64(b[len(b)-8:]) // what the steps below leave, and more
	low := (last - 0x21*ones) &^ last
	for ; len(b) >= 32; b = b[32:] {
		w, x := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		y, z := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
		low |= (w-0x21*ones)&^w | (x-0x21*ones)&^x | (y-0x21*ones)&^y | (z-0x21*ones)&^z
	}
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		low |= (x - 0x21*ones) &^ x
	}
	return low&tops == 0
}

// fastqText takes what the window has of sequence, separating line and quality.
func (r *Reader) fastqText() (text []byte, done bool, err error) {
	if r.state == inSequence {
		text, err = r.sequenceLines()
		if err != nil || r.state == inSequence {
			return text, false, err
		}
	}
	if r.state == inPlus {
		r.skipLine()
		if !r.lineStart {
			return text, false, nil
		}
		r.state = inQuality
		r.qualsAbove, r.qualAt = 0, false
		if r.bases == 0 {
			r.state = between
			return text, true, nil
		}
	}
	done, err = r.qualityLines()
	return text, done, err
}

// sequenceLines takes lines up to the one that starts with '+', or to the end
// of the window.
func (r *Reader) sequenceLines() ([]byte, error) {
	start := r.pos
	for r.pos < r.end && r.state == inSequence {
		if r.lineStart {
			switch r.buf[r.pos] {
			case '@', '>':
				return nil, errNoQuality
			case '+':
				r.state = inPlus
				continue
			}
		}
		r.skipLine()
	}
	text := r.buf[start:r.pos]
	r.bases += countGraphs(text)
	return text, nil
}

// qualityLines takes lines until there are as many characters as bases.
func (r *Reader) qualityLines() (done bool, err error) {
	for r.pos < r.end {
		if r.lineStart {
			r.qualsAbove, r.qualLine = r.quals, r.base+int64(r.pos)
			r.qualAt = r.buf[r.pos] == '@'
		}
		start := r.pos
		r.skipLine()
		r.quals += countGraphs(r.buf[start:r.pos])
		if r.quals > r.bases {
			return false, &sketch.InputError{Offset: r.qualLine, Err: r.tooLong()}
		}
		if r.quals == r.bases && r.lineStart {
			r.state = between
			return true, nil
		}
	}
	return false, nil
}

// tooLong tells a quality that is longer than the sequence from one that is
// shorter, behind which the header of the next record was taken for more of it.
func (r *Reader) tooLong() error {
	if r.qualAt && r.qualsAbove > 0 {
		return fmt.Errorf("%w: %d bases, %d quality characters", errLengths, r.bases, r.qualsAbove)
	}
	return fmt.Errorf("%w: %d bases, more quality characters", errLengths, r.bases)
}

// missing says what the present record lacks if the stream ends here.
func (r *Reader) missing() error {
	switch {
	case r.state == inSequence:
		return &cutError{"sequence"}
	case r.state == inPlus && r.bases > 0, r.state == inQuality && r.quals < r.bases:
		return &cutError{"quality"}
	}
	return nil
}

func countGraphs(b []byte) int64 {
	n := len(b)
	for _, c := range b {
		if isSpace[c] {
			n--
		}
	}
	return int64(n)
}

// A cutError says in which part of a FASTQ record the stream ended. It is
// io.ErrUnexpectedEOF.
type cutError struct{ part string }

func (e *cutError) Error() string { return "unexpected end of file in the " + e.part }
func (e *cutError) Unwrap() error { return io.ErrUnexpectedEOF }
