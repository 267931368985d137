// SPDX-License-Identifier: Apache-2.0

// Package stream opens a file, a pipe or standard input and hands out its
// bytes, decompressed. What compresses them is found in the first bytes, never
// in the name, and nothing is opened twice or sought in, so that named pipes
// and /dev/fd/N work.
//
//	plain | gzip (any number of members, RFC 1952) | bgzf | bzip2 | xz | zstd
//
// A stream that is cut short or corrupt is an error; what was read before it
// is a part of the file and must not be taken for the whole.
package stream

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/gsketch/gsketch/sketch"
)

// Options say how to open, never what comes out.
type Options struct {
	// Threads above 1 lets one goroutine decompress ahead of the consumer, or,
	// for bgzf, as many as Threads. With 0 or 1 Read decompresses by itself.
	Threads int

	// Warn is called, by the goroutine that calls Read, with one line about
	// input that was left out on purpose. It may be nil.
	Warn func(string)
}

const (
	inSize  = 64 << 10 // compressed side; holds any bgzf block header and what a look at trailing data needs
	outSize = 16 << 10 // decompressed side; larger reads bypass it
)

// MaxPeek is the most that Peek can look ahead.
const MaxPeek = outSize

// A Stream is the decompressed content of one input. It belongs to one
// goroutine.
type Stream struct {
	path    string
	file    *os.File // nil if not ours to close
	codec   codec
	body    body
	out     *bufio.Reader
	warn    func(string)
	offset  int64
	lastErr error
}

// body is a decompressor, or the file itself.
type body struct {
	io.Reader
	close   func()        // nil if there is nothing to free
	warning func() string // nil if it never has one; asked at io.EOF
}

var errDirectory = errors.New("is a directory (use --recursive)")

// Open opens path, "-" being standard input ("./-" is a file of that name).
// The error is a *sketch.InputError.
func Open(path string, o Options) (*Stream, error) {
	file, err := open(path)
	if err != nil {
		return nil, sketch.BadInput(path, readError(err))
	}
	s, err := newStream(file, path, o)
	if err != nil {
		if file != os.Stdin {
			file.Close()
		}
		return nil, err
	}
	if file != os.Stdin {
		s.file = file
	}
	return s, nil
}

func newStream(src io.Reader, path string, o Options) (*Stream, error) {
	s := &Stream{path: path, warn: o.Warn}
	in := bufio.NewReaderSize(src, inSize)
	head, err := in.Peek(magicLen)
	if err != nil && err != io.EOF {
		return nil, s.inputError(err)
	}
	s.codec = detect(head)
	if s.body, err = s.codec.open(in, o.Threads); err != nil {
		return nil, s.inputError(err)
	}
	s.out = in
	if s.codec != plain {
		s.out = bufio.NewReaderSize(s.body, outSize)
	}
	return s, nil
}

func open(path string) (*os.File, error) {
	if path == "-" {
		return os.Stdin, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, errDirectory
	}
	return f, nil
}

// Compression is "" for plain input, else "gzip", "bgzf", "bzip2", "xz" or
// "zstd".
func (s *Stream) Compression() string { return s.codec.String() }

// Read reads decompressed bytes. An error other than io.EOF is a
// *sketch.InputError with the offset of the first byte that could not be had.
func (s *Stream) Read(p []byte) (int, error) {
	if s.lastErr != nil {
		return 0, s.lastErr
	}
	n, err := s.out.Read(p)
	s.offset += int64(n)
	if err != nil {
		s.lastErr = s.inputError(err)
		s.passWarning(err)
	}
	return n, s.lastErr
}

// Peek returns the next n decompressed bytes without taking them, n being at
// most MaxPeek. If there are fewer it returns those and io.EOF, or the
// *sketch.InputError that Read is going to meet.
func (s *Stream) Peek(n int) ([]byte, error) {
	b, err := s.out.Peek(min(n, MaxPeek))
	if err != nil && err != io.EOF {
		e := s.inputError(err).(*sketch.InputError)
		e.Offset += int64(len(b))
		err = e
	}
	return b, err
}

// Close frees what Open took. Standard input stays open.
func (s *Stream) Close() error {
	if s.body.close != nil {
		s.body.close()
		s.body.close = nil
	}
	if s.lastErr == nil {
		s.lastErr = sketch.BadInput(s.path, fs.ErrClosed)
	}
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.Close()
}

func (s *Stream) passWarning(err error) {
	if err != io.EOF || s.warn == nil || s.body.warning == nil {
		return
	}
	if w := s.body.warning(); w != "" {
		s.warn(s.path + ": " + w)
	}
}

// inputError puts file and place to an error of a decompressor or of the
// system. io.EOF stays what it is.
func (s *Stream) inputError(err error) error {
	if err == io.EOF {
		return err
	}
	if errors.As(err, new(*fs.PathError)) {
		err = readError(err)
	} else {
		err = s.codec.explain(err)
	}
	return &sketch.InputError{Path: s.path, Offset: s.offset, Err: err}
}

// readError drops from an error of the system the path, which the InputError has.
func readError(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	if errors.Is(err, syscall.EISDIR) {
		return errDirectory
	}
	return err
}
