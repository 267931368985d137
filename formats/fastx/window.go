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
	hasCR    bool  // there may be a CR in buf[pos:end]
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
	for w.end < len(w.buf) && w.srcErr == nil {
		var n int
		n, w.srcErr = w.src.Read(w.buf[w.end:])
		w.end += n
	}
	w.raw = w.end
	w.hasCR = bytes.IndexByte(w.buf[:w.end], '\r') >= 0
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

// lineEnd returns the index of the first CR or LF in buf[from:end], or -1. The
// LF of a CR LF then ends a blank line, which means nothing.
func (w *window) lineEnd(from int) int {
	line := w.buf[from:w.end]
	i := bytes.IndexByte(line, '\n')
	if w.hasCR {
		if i >= 0 {
			line = line[:i]
		}
		if j := bytes.IndexByte(line, '\r'); j >= 0 {
			i = j
		}
	}
	if i < 0 {
		return -1
	}
	return from + i
}
