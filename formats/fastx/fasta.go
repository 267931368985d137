// SPDX-License-Identifier: Apache-2.0

package fastx

import "bytes"

// fastaText takes sequence up to the next record, the next comment line or the
// end of the window.
func (r *Reader) fastaText() (text []byte, done bool, err error) {
	if r.comment {
		r.skipComment()
	}
	start := r.pos
	for r.pos < r.end {
		if r.lineStart {
			switch r.buf[r.pos] {
			case '>', '@':
				r.state = between
				return r.buf[start:r.pos], true, nil
			case '+':
				return nil, false, errPlusInFASTA
			case ';':
				if r.pos > start {
					return r.buf[start:r.pos], false, nil
				}
				r.skipComment()
				start = r.pos
				continue
			}
		}
		if r.loneCR {
			r.skipLine()
		} else {
			r.skipPlainLines()
		}
	}
	return r.buf[start:r.end], false, nil
}

// skipLine skips to the next line or to the end of the window.
func (r *Reader) skipLine() {
	i := r.lineEnd(r.pos)
	r.lineStart = i >= 0
	r.pos = i + 1
	if i < 0 {
		r.pos = r.end
	}
}

// skipPlainLines is skipLine without CR, for this line and all that follow as
// long as they start with a letter. This is where the time of reading FASTA
// goes, so it tries for a run of lines as long as the last one.
func (r *Reader) skipPlainLines() {
	rest := r.buf[r.pos:r.end]
	tryBelow := len(rest) // a run was tried, in vain, where more than that is left
	for {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			r.pos, r.lineStart = r.end, false
			return
		}
		rest = rest[i+1:]
		if len(rest) == 0 || rest[0] < 'A' {
			r.pos, r.lineStart = r.end-len(rest), true
			return
		}
		if len(rest) > tryBelow {
			continue
		}
		lines := equalLines(rest, i+1)
		n := lines * (i + 1)
		if bytes.Count(rest[:n], newline) == lines {
			rest = rest[n:]
		} else {
			tryBelow = len(rest) - n
		}
	}
}

var newline = []byte{'\n'}

// equalLines returns at how many multiples of width a line starts with a
// letter. That no other line ends before the last of them is for the caller to
// check.
func equalLines(b []byte, width int) (n int) {
	for i := width; i < len(b) && b[i-1] == '\n' && b[i] >= 'A'; i += width {
		n++
	}
	return n
}
