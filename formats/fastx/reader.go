// SPDX-License-Identifier: Apache-2.0

package fastx

import (
	"errors"
	"io"

	"github.com/gsketch/gsketch/sketch"
)

// MaxHeader is the longest header line that is accepted, in bytes.
const MaxHeader = 1 << 20

// A Piece is a record or a part of one. Its slices lie in the Reader's buffer
// and are valid until the next call of Next.
type Piece struct {
	Start  bool   // first piece of a record; Header is set
	Header []byte // the header line without marker and LF; a CR before the LF stays (see Split)
	Text   []byte // sequence, possibly with white space in it; may be empty
	End    bool   // last piece of the record; in FASTQ its quality has been checked
}

// A Reader reads records from a stream. It belongs to one goroutine.
type Reader struct {
	window
	path   string
	state  state
	oldMac bool // lines end in CR
	record uint64
	header []byte // of the record, while it is in the window
	name   []byte // of the record, kept when the header has left the window

	lineStart  bool
	comment    bool  // inside a comment line
	bases      int64 // of the FASTQ record
	quals      int64 // likewise
	qualsAbove int64 // those on the lines above the present one
	qualLine   int64 // where that starts
	qualAt     bool  // the present quality line starts with '@'

	err error
}

type state uint8

const (
	between state = iota // before the first record or behind a complete one
	inFASTA
	inSequence // of FASTQ
	inPlus     // the separating line
	inQuality
)

// NewReader reads r; path is what errors call it.
func NewReader(r io.Reader, path string) *Reader {
	return newReader(r, path, windowSize)
}

func newReader(r io.Reader, path string, size int) *Reader {
	return &Reader{window: newWindow(r, size), path: path, lineStart: true}
}

// Next returns the next piece, io.EOF after the last record, or a
// *sketch.InputError. After an error it returns the same error again.
func (r *Reader) Next() (p Piece, err error) {
	if r.err != nil {
		return p, r.err
	}
	if r.state == between {
		err = r.start(&p)
	} else {
		err = r.goOn(&p)
	}
	if err != nil {
		r.err = r.located(err)
		return Piece{}, r.err
	}
	return p, nil
}

// start makes p the first piece of the next record.
func (r *Reader) start(p *Piece) error {
	if err := r.findMarker(); err != nil {
		return err
	}
	state := inFASTA
	if r.buf[r.pos] == '@' {
		state = inSequence
		if !r.oldMac && r.fourLines(p) {
			return nil
		}
	}
	header, err := r.takeHeader()
	r.begin(header)
	if err != nil {
		return err
	}
	r.state = state
	p.Start, p.Header = true, header
	p.Text, p.End, err = r.text() // does not move the window, in which the header lies
	return err
}

// goOn makes p the next piece of the present record.
func (r *Reader) goOn(p *Piece) (err error) {
	for {
		p.Text, p.End, err = r.text()
		if err != nil || p.End || len(p.Text) > 0 {
			return err
		}
		if !r.more() {
			p.End = true
			return r.finish()
		}
	}
}

func (r *Reader) begin(header []byte) {
	r.record++
	r.header, r.name = header, r.name[:0]
	r.lineStart = true
	r.bases, r.quals = 0, 0
}

// text takes what the window has of the present record. done says that the
// record has ended.
func (r *Reader) text() (text []byte, done bool, err error) {
	if r.state == inFASTA {
		return r.fastaText()
	}
	return r.fastqText()
}

// finish ends the present record where the stream ends.
func (r *Reader) finish() error {
	if r.srcErr != io.EOF {
		return r.srcErr
	}
	if err := r.missing(); err != nil {
		return err
	}
	r.state = between
	return nil
}

// more moves the window on; false means that r.srcErr says why it cannot.
func (r *Reader) more() bool {
	if r.srcErr != nil {
		return false
	}
	if r.header != nil {
		r.name = append(r.name[:0], shortName(r.header)...)
		r.header = nil
	}
	r.window.advance()
	r.inspect(r.fresh)
	return true
}

// inspect ends the window before the first byte of window[from:] that must not
// be in it.
func (r *Reader) inspect(from int) {
	r.cut(from, 0, errNUL)
	if r.oldMac {
		r.loneCR = true // the LF of the last CR LF may now be cut off
		r.cut(from, '\n', errMixedLines)
	}
}

// located puts place and record to err.
func (r *Reader) located(err error) error {
	if err == io.EOF {
		return err
	}
	e := &sketch.InputError{Path: r.path, Record: r.record, Offset: r.base + int64(r.pos), Err: err}
	if r.header != nil {
		e.Name = string(shortName(r.header))
	} else {
		e.Name = string(r.name)
	}
	var inner *sketch.InputError
	switch {
	case errors.As(err, &inner): // whoever made it knows the place, as the decompressor does
		e.Offset, e.Err = inner.Offset, inner.Err
	case err == r.srcErr:
		e.Offset = r.base + int64(r.end)
	}
	return e
}

// shortName is the first word of a header, or enough of it for a message.
func shortName(header []byte) []byte {
	name, _ := splitName(header[:min(len(header), 100)])
	return name
}
