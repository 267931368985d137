// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"bytes"
	"fmt"
	"io"

	"github.com/gsketch/gsketch/sketch"
)

// batchBytes is about how much text a batch holds.
const batchBytes = 1 << 20

// A block is some whole lines.
type block struct {
	data   []byte
	line   uint64 // number of the first
	offset int64  // its place in the stream
}

// A blockReader cuts a stream into blocks.
type blockReader struct {
	r      io.Reader
	path   string
	line   uint64
	offset int64
	rest   []byte // of the last read, behind its last line end
	err    error
}

func newBlockReader(r io.Reader, path string) *blockReader {
	return &blockReader{r: r, path: path, line: 1}
}

// next returns the next block, which is the caller's; io.EOF at the end.
func (b *blockReader) next() (block, error) {
	buf := append(make([]byte, 0, max(batchBytes, 2*len(b.rest))), b.rest...)
	b.rest = nil
	for b.err == nil {
		if len(buf) == cap(buf) {
			if end := bytes.LastIndexByte(buf, '\n') + 1; end > 0 {
				b.rest = buf[end:]
				return b.cut(buf[:end]), nil
			}
			if len(buf) >= MaxDocument {
				return block{}, &sketch.InputError{Path: b.path, Record: b.line, Offset: b.offset, Err: fmt.Errorf("line of more than %d bytes", MaxDocument)}
			}
			buf = append(make([]byte, 0, 2*cap(buf)), buf...)
		}
		var n int
		n, b.err = b.r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
	}
	if b.err != io.EOF {
		return block{}, b.err
	}
	if len(buf) == 0 {
		return block{}, io.EOF
	}
	return b.cut(buf), nil
}

func (b *blockReader) cut(data []byte) block {
	k := block{data, b.line, b.offset}
	b.line += uint64(bytes.Count(data, []byte{'\n'}))
	b.offset += int64(len(data))
	return k
}

// each calls yield for each line that is not blank, without its end; number and
// offset are those of the line in the stream. The byte order mark that some
// programs put before the first line is passed over.
func (k block) each(yield func(line []byte, number uint64, offset int64) error) error {
	number, offset, data := k.line, k.offset, k.data
	if offset == 0 && bytes.HasPrefix(data, byteOrderMark) {
		data = data[len(byteOrderMark):]
		offset += int64(len(byteOrderMark))
	}
	for len(data) > 0 {
		n := bytes.IndexByte(data, '\n') + 1
		if n == 0 {
			n = len(data)
		}
		line := bytes.TrimSuffix(bytes.TrimSuffix(data[:n], []byte{'\n'}), []byte{'\r'})
		if len(bytes.TrimSpace(line)) > 0 {
			if err := yield(line, number, offset); err != nil {
				return err
			}
		}
		data = data[n:]
		number++
		offset += int64(n)
	}
	return nil
}

var byteOrderMark = []byte("\xef\xbb\xbf")
