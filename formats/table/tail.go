// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
)

// The tail of a file is all that lies behind its last page: page index,
// footer, length of the footer, magic. Its digest stands in the footer, hence
// is computed with its own place filled by zeros.

// noDigest holds the place of the tail's digest.
var noDigest = strings.Repeat("0", 2*digestSize)

// tailPlace is where in tail the 32 digits of its digest stand: behind the
// last occurrence of the key, the Thrift header of the value's field (0x18) and
// its length (32). It is -1 if there is no such place.
func tailPlace(tail []byte) int {
	mark := []byte(keyTail + "\x18\x20")
	at := bytes.LastIndex(tail, mark)
	if at < 0 || at+len(mark)+len(noDigest) > len(tail) {
		return -1
	}
	return at + len(mark)
}

// tailDigest is the digest of tail, in hexadecimal, given its place. It
// overwrites that place with zeros.
func tailDigest(tail []byte, place int) string {
	copy(tail[place:], noDigest)
	sum := hashAll(tail)
	return hex.EncodeToString(sum[:])
}

// A tailWriter passes pages on and holds back the tail.
type tailWriter struct {
	w       io.Writer
	written int64
	holding bool
	tail    bytes.Buffer
}

func (t *tailWriter) Write(b []byte) (int, error) {
	if t.holding {
		return t.tail.Write(b)
	}
	n, err := t.w.Write(b)
	t.written += int64(n)
	return n, err
}

// hold is called when the last page is written.
func (t *tailWriter) hold() { t.holding = true }

// finish completes the digest and writes the tail.
func (t *tailWriter) finish() error {
	b := t.tail.Bytes()
	tail := b
	if t.written == 0 { // no page: the file's first magic is held, too
		tail = b[len(magic):]
	}
	place := tailPlace(tail)
	if place < 0 {
		return errors.New("sketch table: the metadata lacks its digest")
	}
	copy(tail[place:], tailDigest(tail, place))
	_, err := t.w.Write(b)
	return err
}
