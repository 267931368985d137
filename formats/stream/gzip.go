// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// members reads gzip members one after the other. The library's own loop over
// members takes anything behind the last one for an error; here
//
//   - zero bytes (tapes, block devices) are nothing,
//   - what looks like sequence text, or has another member in it, is an error:
//     dropping it would lose data,
//   - anything else is left out with a warning, as gzip(1) does.
type members struct {
	in       *bufio.Reader
	z        gzip.Reader
	started  bool // some member was read
	open     bool // z is inside a member
	trailing bool // something was left out
}

var (
	errTrailingText   = errors.New("the gzip stream is followed by text that is not compressed")
	errTrailingMember = errors.New("the gzip stream is followed by bytes that are not gzip and then by more gzip")
)

func (m *members) Read(p []byte) (int, error) {
	for {
		if !m.open {
			if err := m.next(); err != nil {
				return 0, err
			}
		}
		n, err := m.z.Read(p)
		if err == io.EOF {
			m.open, err = false, nil
		}
		if n > 0 || err != nil || len(p) == 0 {
			return n, err
		}
	}
}

// next opens the next member; io.EOF says that there is none.
func (m *members) next() error {
	if m.started {
		if err := m.skipZeros(); err != nil {
			return err
		}
		if head, err := m.in.Peek(len(gzipMagic)); !bytes.HasPrefix(gzipMagic, head) {
			if err != nil && err != io.EOF {
				return err
			}
			return m.judgeTrailing()
		}
	}
	err := m.z.Reset(m.in)
	if err == io.EOF { // the header was promised
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	m.z.Multistream(false)
	m.started, m.open = true, true
	return nil
}

func (m *members) skipZeros() error {
	for {
		c, err := m.in.ReadByte()
		if err != nil {
			return err
		}
		if c != 0 {
			return m.in.UnreadByte()
		}
	}
}

// judgeTrailing decides by the next inSize bytes.
func (m *members) judgeTrailing() error {
	rest, err := m.in.Peek(inSize)
	if err != nil && err != io.EOF {
		return err
	}
	switch {
	case bytes.Contains(rest, append(gzipMagic, 8)): // 8 is deflate
		return errTrailingMember
	case looksLikeSequence(rest):
		return errTrailingText
	}
	m.trailing = true
	return io.EOF
}

func (m *members) warning() string {
	if m.trailing {
		return "trailing data after gzip stream ignored"
	}
	return ""
}

// looksLikeSequence says whether b is text of which some line starts as a FASTA
// or FASTQ record does, or the first is all nucleotides.
func looksLikeSequence(b []byte) bool {
	if bytes.IndexByte(b, 0) >= 0 {
		return false
	}
	first := true
	for line := range bytes.FieldsFuncSeq(b, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line[0] == '>' || line[0] == '@' {
			return true
		}
		if first && len(bytes.Trim(line, "ACGTUNacgtun")) == 0 {
			return true
		}
		first = false
	}
	return false
}
