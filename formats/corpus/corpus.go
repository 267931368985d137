// SPDX-License-Identifier: Apache-2.0

// Package corpus reads documents and sets: JSON lines, columns of Parquet
// tables, plain files, and sets of members with or without weights.
//
// A Reader cuts its inputs into batches, which any goroutine may turn into
// documents: cutting is cheap, parsing is not. Errors are *sketch.InputError
// with the number of the line (of a text format) or row and the byte in the
// decompressed stream; input that is cut short, malformed or not UTF-8 is an
// error, never a document.
package corpus

import (
	"fmt"
	"io"

	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/sketch"
)

// The kinds of input, as Options.Kind spells them.
const (
	Text    = "text"    // a file is a document
	JSONL   = "jsonl"   // a line is a document: a JSON object
	Parquet = "parquet" // a row is a document
	Sets    = "set"     // a line is a set, or a member of one
)

// MaxDocument is the length in bytes of the longest document, or line, that is
// read.
const MaxDocument = 256 << 20

// A Document is a text or a set with its name. It is valid during the call that
// hands it out.
type Document struct {
	ID      string // name; the path of a plain file, PATH:LINE where no name is given
	Text    []byte // UTF-8; nil for sets
	Members [][]byte
	Weights []float64 // of Members, 0 or more; nil if none are given
	Source  string    // path as typed
	Record  uint64    // line or row of its source, from 1; of the first line of a set of several
	Raw     []byte    // JSONL: the line, without its end
	Fields  []string  // the values of Options.Fields; "" where there is none
	Offset  int64     // byte of that line in the decompressed source; -1 if it says nothing
}

// fail returns an error about the document.
func (d *Document) fail(err error) error {
	return &sketch.InputError{Path: d.Source, Record: d.Record, Name: d.ID, Offset: d.Offset, Err: err}
}

// Options say how inputs are read.
type Options struct {
	Kind    string
	ID      string       // JSONL, Parquet: field or column of the name; "" numbers the lines
	Text    string       // JSONL, Parquet: field or column of the text
	Fields  []string     // JSONL, Parquet: further fields or columns, strings, numbers or booleans
	Sets    SetOptions   // Sets
	Threads int          // that decompress
	Warn    func(string) // what was left out on purpose; may be nil
	Read    func(bytes int)
}

// A Batch is a part of an input. It calls yield for each of its documents, in
// order, and stops at the first error. It may be called once, by any goroutine.
type Batch func(yield func(*Document) error) error

// A Reader reads inputs one after the other. It belongs to one goroutine.
type Reader struct {
	opts  Options
	paths []string
	src   source
}

// A source is an open input.
type source interface {
	next() (Batch, error)
	close() error
}

// NewReader returns a Reader of the paths; "-" is standard input.
func NewReader(paths []string, o Options) (*Reader, error) {
	if openers[o.Kind] == nil {
		return nil, fmt.Errorf("no documents in input of kind %q", o.Kind)
	}
	if len(o.Fields) > 0 && o.Kind != JSONL && o.Kind != Parquet {
		return nil, fmt.Errorf("input of kind %s has no fields", o.Kind)
	}
	if o.Kind == Sets {
		if err := o.Sets.validate(); err != nil {
			return nil, err
		}
	}
	return &Reader{opts: o, paths: paths}, nil
}

var openers = map[string]func(path string, o Options) (source, error){
	Text: openFile, JSONL: openJSONL, Parquet: openParquet, Sets: openSets,
}

// Next returns the next batch, io.EOF at the end of the last input. After an
// error about one input it goes on with the next one. The number of the input
// is that of the batch in paths.
func (r *Reader) Next() (Batch, error) {
	for {
		if r.src == nil {
			if len(r.paths) == 0 {
				return nil, io.EOF
			}
			path := r.paths[0]
			r.paths = r.paths[1:]
			src, err := openers[r.opts.Kind](path, r.opts)
			if err != nil {
				return nil, err
			}
			r.src = src
		}
		b, err := r.src.next()
		if err == nil {
			return b, nil
		}
		closed := r.Close()
		if err != io.EOF {
			return nil, err
		}
		if closed != nil {
			return nil, closed
		}
	}
}

// Close closes the input that is open.
func (r *Reader) Close() error {
	if r.src == nil {
		return nil
	}
	err := r.src.close()
	r.src = nil
	return err
}

// openStream opens decompressed bytes.
func openStream(path string, o Options) (*counted, error) {
	s, err := stream.Open(path, stream.Options{Threads: o.Threads, Warn: o.Warn})
	if err != nil {
		return nil, err
	}
	return &counted{s, o.Read}, nil
}

// counted reports how far a stream has been read.
type counted struct {
	*stream.Stream
	count func(bytes int)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Stream.Read(p)
	if c.count != nil {
		c.count(n)
	}
	return n, err
}
