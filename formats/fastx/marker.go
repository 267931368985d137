// SPDX-License-Identifier: Apache-2.0

package fastx

import "bytes"

// findMarker moves to the start of the next record.
func (r *Reader) findMarker() error {
	for {
		if r.pos == r.end {
			if !r.more() {
				if r.srcErr == errNUL && r.record == 0 {
					return r.notFASTX()
				}
				return r.srcErr
			}
			r.skipBOM()
			continue
		}
		c := r.buf[r.pos]
		switch {
		case (c == '>' || c == '@') && r.lineStart:
			if r.record == 0 && isSAM(r.buf[r.pos:r.end]) {
				return r.notFASTX()
			}
			return nil
		case r.comment || c == ';' && r.lineStart && r.record == 0:
			r.skipComment()
		case isSpace[c]:
			r.lineStart = c == '\n' || c == '\r'
			r.pos++
		case r.record == 0:
			return r.notFASTX()
		default:
			return errAfterRecord
		}
	}
}

// skipComment skips to the end of a comment line or of the window.
func (r *Reader) skipComment() {
	r.skipLine()
	r.comment = !r.lineStart
}

func (r *Reader) skipBOM() {
	if r.base == 0 && bytes.HasPrefix(r.buf[:r.end], bom) {
		r.pos = len(bom)
	}
}

var bom = []byte("\xef\xbb\xbf")
