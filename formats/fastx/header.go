// SPDX-License-Identifier: Apache-2.0

package fastx

import "io"

// Split takes a Header apart as Mash does: the name goes up to the first white
// space, the comment is all behind that one character, as it stands. So the CR
// of a CR LF line end stays at the end of a comment, and disappears where there
// is none:
//
//	"c1 first\r"   "c1", "first\r"
//	"c2\r"         "c2", ""
//	"b1  two"      "b1", " two"
//	" lead"        "", "lead"
//
// (sourmash calls a record by its whole header without white space around it:
// bytes.TrimSpace.)
func Split(header []byte) (name, comment string) {
	n, c := splitName(header)
	return string(n), string(c)
}

func splitName(header []byte) (name, comment []byte) {
	for i, c := range header {
		if isSpace[c] {
			return header[:i], header[i+1:]
		}
	}
	return header, nil
}

// isSpace is C's isspace.
var isSpace = [256]bool{' ': true, '\t': true, '\n': true, '\v': true, '\f': true, '\r': true}

// takeHeader takes the line at pos, a marker and a header, and returns the
// latter.
func (r *Reader) takeHeader() ([]byte, error) {
	for {
		next, end, err := r.headerEnd()
		if err != nil {
			return nil, err
		}
		if end-r.pos > MaxHeader {
			return nil, errLongHeader
		}
		if next > 0 || !r.more() {
			if next == 0 && r.srcErr != io.EOF {
				return nil, r.srcErr
			}
			if next == 0 {
				end, next = r.end, r.end
			}
			header := r.buf[r.pos+1 : end]
			r.pos = next
			return header, nil
		}
	}
}

// headerEnd looks for the end of the line at pos: header text ends before end
// and the next line begins at next. next is 0 if the window does not show it.
func (r *Reader) headerEnd() (next, end int, err error) {
	i := r.lineEnd(r.pos)
	if i < 0 {
		return 0, r.end, nil
	}
	if r.buf[i] == '\n' {
		return i + 1, i, nil
	}
	j := i // CRs, of which there may be several before an LF
	for j < r.end && r.buf[j] == '\r' {
		j++
	}
	switch {
	case j < r.end && r.buf[j] == '\n':
		return j + 1, j, nil
	case j == r.end && r.srcErr == nil:
		return 0, r.end, nil
	case r.oldMac:
	case r.record == 0:
		r.oldMac = true
		r.inspect(r.pos)
	case j == r.end: // CR LF that lacks its LF
		return j, j, nil
	default:
		r.pos = i
		return 0, 0, errLoneCR
	}
	return i + 1, i, nil
}
