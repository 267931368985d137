// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"github.com/gsketch/gsketch/sketch"
)

// A Writer writes a .sig file: one line of JSON, each sketch a signature of
// its own, with the keys in sourmash's order. Name is Meta.ID, filename is
// Meta.Source; what else Meta has is not kept. The same items give the same
// bytes. Close completes the file; it does not close what lies below.
type Writer struct {
	w   io.Writer
	gz  *gzip.Writer // nil if not compressed
	n   int
	buf []byte
	err error
}

// NewWriter returns a Writer of plain JSON.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// NewGzipWriter returns a Writer of gzipped JSON, with neither name nor time
// in the header.
func NewGzipWriter(w io.Writer) *Writer {
	gz := gzip.NewWriter(w)
	return &Writer{w: gz, gz: gz}
}

// Write writes items as one .sig file.
func Write(w io.Writer, items []sketch.Item) error {
	sw := NewWriter(w)
	for _, item := range items {
		if err := sw.Add(item); err != nil {
			return err
		}
	}
	return sw.Close()
}

// Add writes one sketch. It writes nothing of a sketch that a signature cannot
// hold: of other families, with 32-bit hashes, of other elements, or with a
// name or path that is not UTF-8.
func (w *Writer) Add(item sketch.Item) error {
	if w.err != nil {
		return w.err
	}
	before := byte('[')
	if w.n > 0 {
		before = ','
	}
	text, _, err := appendSignature(append(w.buf[:0], before), item)
	if err != nil {
		return fmt.Errorf("sketch %d (%s): %w", w.n+1, item.Meta.Label(), err)
	}
	w.buf = text
	w.n++
	_, w.err = w.w.Write(text)
	return w.err
}

// Close writes what is left of the file.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	end := "]"
	if w.n == 0 {
		end = "[]"
	}
	if _, w.err = io.WriteString(w.w, end); w.err != nil {
		return w.err
	}
	if w.gz != nil {
		if w.err = w.gz.Close(); w.err != nil {
			return w.err
		}
	}
	w.err = errors.New("signature file already closed")
	return nil
}

// appendSignature appends the JSON object of one sketch and returns its
// digest.
func appendSignature(b []byte, item sketch.Item) (text []byte, md5sum string, err error) {
	set, ok := item.Sketch.(sketch.HashSet)
	if !ok {
		return nil, "", fmt.Errorf("a sourmash signature cannot hold a %T", item.Sketch)
	}
	if md5sum, err = Digest(set); err != nil {
		return nil, "", errors.Unwrap(err)
	}
	b = append(b, `{"class":"sourmash_signature","email":"","hash_function":"0.murmur64","filename":`...)
	if b, err = appendString(b, sourceOf(item.Meta)); err != nil {
		return nil, "", err
	}
	if item.Meta.ID != "" {
		b = append(b, `,"name":`...)
		if b, err = appendString(b, item.Meta.ID); err != nil {
			return nil, "", err
		}
	}
	b = append(b, `,"license":"CC0","signatures":[`...)
	if b, err = appendSketch(b, set, md5sum); err != nil {
		return nil, "", err
	}
	return append(b, `],"version":0.4}`...), md5sum, nil
}

func appendSketch(b []byte, set sketch.HashSet, md5sum string) ([]byte, error) {
	p := set.Params()
	b = slices.Grow(b, 512+21*set.Len())
	number := func(key string, n uint64) {
		b = append(b, key...)
		b = strconv.AppendUint(b, n, 10)
	}
	numbers := func(key string, list []uint64) {
		b = append(b, key...)
		for i, n := range list {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendUint(b, n, 10)
		}
		b = append(b, ']')
	}
	number(`{"num":`, uint64(p.Size))
	number(`,"ksize":`, ksizeOf(p.Elements))
	number(`,"seed":`, p.Hash.Seed)
	number(`,"max_hash":`, sketch.MaxHash(p.Scaled))
	numbers(`,"mins":[`, set.Hashes())
	b = append(b, `,"md5sum":"`+md5sum+`"`...)
	if p.Weighted {
		counted, ok := set.(sketch.Abundant)
		if !ok {
			return nil, errors.New("no abundances in a weighted sketch")
		}
		numbers(`,"abundances":[`, counted.Abundances())
	}
	return append(b, `,"molecule":"`+molecules[p.Elements.Molecule]+`"}`...), nil
}

// sourceOf is the filename to store, which is empty for standard input.
func sourceOf(m sketch.Meta) string {
	if m.Source == "-" {
		return ""
	}
	return m.Source
}

// appendString appends a JSON string. JSON is UTF-8; a name in other bytes
// would come back as another one.
func appendString(b []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("a sourmash signature cannot hold the name %q, which is not UTF-8", s)
	}
	quoted, err := json.Marshal(s)
	return append(b, quoted...), err
}
