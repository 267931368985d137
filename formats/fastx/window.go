// SPDX-License-Identifier: Apache-2.0

package fastx

import (
	"bytes"
	"io"
)

// windowSize keeps the window in the second-level cache while it is scanned and
// packed, and is a few reads of the system at most.
const windowSize = 256 << 10

// A window is the part of a stream that is in memory: buf[:end], of which
// buf[:pos] is done with.
type window struct {
	src      io.Reader
	srcErr   error // what follows buf[:end]; nil if not known
	buf      []byte
	pos, end int
	fresh    int   // where the bytes of the last advance begin
	raw      int   // where they end, those behind a cut included
	base     int64 // offset in the stream of buf[0]
	loneCR   bool  // buf[pos:end] may have a CR that no LF follows
	nextLF   int   // of lineEnd
	nextCR   int
}

func newWindow(src io.Reader, size int) window {
	return window{src: src, buf: make([]byte, size)}
}

// advance drops what is done with and fills the rest of the buffer, which it
// doubles if nothing is done with: only headers get there.
func (w *window) advance() {
	if w.pos == 0 && w.end == len(w.buf) {
		w.buf = append(w.buf, make([]byte, len(w.buf))...)
	}
	w.base += int64(w.pos)
	w.end = copy(w.buf, w.buf[w.pos:w.end])
	w.pos, w.fresh = 0, w.end
	w.nextLF, w.nextCR = -1, -1
	for w.end < len(w.buf) && w.srcErr == nil {
		var n int
		n, w.srcErr = w.src.Read(w.buf[w.end:])
		w.end += n
	}
	w.raw = w.end
	w.loneCR = hasLoneCR(w.buf[:w.end])
}

// hasLoneCR says whether b has a CR without an LF behind it, as far as b shows.
func hasLoneCR(b []byte) bool {
	for {
		i := bytes.IndexByte(b, '\r')
		if i < 0 {
			return false
		}
		if i+1 == len(b) || b[i+1] != '\n' {
			return true
		}
		b = b[i+2:]
	}
}

// cut ends the stream with err before the first c in buf[from:end].
func (w *window) cut(from int, c byte, err error) {
	if i := bytes.IndexByte(w.buf[from:w.end], c); i >= 0 {
		w.end = from + i
		w.srcErr = err
	}
}

// full says whether advance could only grow the buffer.
func (w *window) full() bool { return w.pos == 0 && w.end == len(w.buf) }

// lineEnd returns the index of the first LF or, if some are lone, CR in
// buf[from:end], or -1. The LF of a CR LF may so end a blank line, which means
// nothing. from must not be less than in earlier calls on the same window.
func (w *window) lineEnd(from int) int {
	if !w.loneCR {
		i := bytes.IndexByte(w.buf[from:w.end], '\n')
		if i < 0 {
			return -1
		}
		return from + i
	}
	// Where the next ones are is kept, lest a file that lacks one of them be
	// searched for it at every line.
	w.nextLF = w.next(w.nextLF, from, '\n')
	w.nextCR = w.next(w.nextCR, from, '\r')
	if i := min(w.nextLF, w.nextCR); i < w.end {
		return i
	}
	return -1
}

// next returns the index of the first c in buf[from:end], or end, known being
// what it returned for an earlier from.
func (w *window) next(known, from int, c byte) int {
	if known >= from {
		return known
	}
	if i := bytes.IndexByte(w.buf[from:w.end], c); i >= 0 {
		return from + i
	}
	return w.end
}
