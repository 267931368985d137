// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// A fileSource is one document: a file, whole.
type fileSource struct {
	path string
	opts Options
	done bool
}

func openFile(path string, o Options) (source, error) { return &fileSource{path: path, opts: o}, nil }

func (f *fileSource) close() error { return nil }

// next leaves the file to the goroutine that parses the batch, unless it is
// standard input, of which there is one.
func (f *fileSource) next() (Batch, error) {
	if f.done {
		return nil, io.EOF
	}
	f.done = true
	return func(yield func(*Document) error) error {
		doc := Document{ID: f.path, Source: f.path, Offset: -1}
		in, err := openStream(f.path, f.opts)
		if err != nil {
			return err
		}
		defer in.Close()
		var text bytes.Buffer
		n, err := text.ReadFrom(io.LimitReader(in, MaxDocument+1))
		if err != nil {
			return err
		}
		if n > MaxDocument {
			return doc.fail(fmt.Errorf("document of more than %d bytes", MaxDocument))
		}
		doc.Text = bytes.TrimPrefix(text.Bytes(), byteOrderMark)
		if at := invalid(doc.Text); at >= 0 {
			doc.Offset = int64(at + text.Len() - len(doc.Text))
			return doc.fail(errNotUTF8)
		}
		return yield(&doc)
	}, nil
}

var errNotUTF8 = errors.New("not UTF-8")

// invalid is the place of the first byte that is not UTF-8, -1 if there is
// none.
func invalid(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
