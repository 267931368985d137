// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/gsketch/gsketch/internal/replace"
)

// An output is a file that appears whole or not at all: it is written under
// another name beside the target, synced and renamed. Standard output is an
// output, too.
type output struct {
	path    string
	pending *replace.File // nil for standard output
	w       *bufio.Writer
	failed  error
}

// create opens an output before work begins, so that what cannot be written is
// known before the work is done. An existing file is an error unless force.
func create(path string, stdout io.Writer, force bool) (*output, error) {
	o := &output{path: path}
	if path == "-" {
		o.path = "standard output"
		o.w = bufio.NewWriterSize(stdout, 64<<10)
		return o, nil
	}
	switch st, err := os.Stat(path); {
	case err == nil && st.IsDir():
		return nil, &outputError{path, errors.New("is a directory")}
	case err == nil && !st.Mode().IsRegular():
		return o, o.openDevice()
	case err == nil && !force:
		return nil, &outputError{path, errors.New("exists already; --force overwrites it")}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, o.wrap(err)
	}
	p, err := replace.New(path)
	if err != nil {
		return nil, o.wrap(err)
	}
	o.pending = p
	begun(p.Name())
	o.w = bufio.NewWriterSize(p, 256<<10)
	return o, nil
}

// openDevice writes straight into what is no regular file, as /dev/null or a
// named pipe: there is nothing to replace.
func (o *output) openDevice() error {
	f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err != nil {
		return o.wrap(err)
	}
	o.w = bufio.NewWriterSize(f, 64<<10)
	return nil
}

func (o *output) wrap(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err // the path is named already, and not that of the temporary file
	}
	return &outputError{o.path, err}
}

// Write implements io.Writer; its errors are outputErrors.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil && o.failed == nil {
		o.failed = o.wrap(err)
	}
	if err != nil {
		err = o.failed
	}
	return n, err
}

// flush writes what is buffered: a full disk is known before anything else
// appears.
func (o *output) flush() error {
	if o.failed != nil {
		return o.failed
	}
	if err := o.w.Flush(); err != nil {
		return o.wrap(err)
	}
	return nil
}

// commit makes the output appear under its name.
func (o *output) commit() error {
	if err := o.flush(); err != nil {
		return err
	}
	if o.pending == nil {
		return nil
	}
	if err := o.pending.CloseAtomicallyReplace(); err != nil {
		return o.wrap(err)
	}
	ended(o.pending.Name())
	return nil
}

// discard drops what has been written, unless it was committed.
func (o *output) discard() {
	if o.pending != nil {
		o.pending.Cleanup()
		ended(o.pending.Name())
	}
}
