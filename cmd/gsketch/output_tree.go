// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A treeOutput is a directory of files that appears whole or not at all: it is
// filled under another name beside the target and renamed.
type treeOutput struct {
	path  string
	dir   string // where it is filled; empty once committed
	force bool
}

// createTree prepares a directory before work begins. An existing one is an
// error unless force, which replaces it whole.
func createTree(path string, force bool) (*treeOutput, error) {
	path = filepath.Clean(path)
	o := &treeOutput{path: path, force: force}
	switch st, err := os.Stat(path); {
	case err == nil && !st.IsDir():
		return nil, &outputError{path, errors.New("exists and is no directory")}
	case err == nil && !force:
		return nil, &outputError{path, errors.New("exists already; --force replaces it")}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, &outputError{path, reason(err)}
	}
	dir := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s-%d", filepath.Base(path), os.Getpid()))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, &outputError{path, reason(err)}
	}
	o.dir = dir
	return o, nil
}

// write fills a file of the directory.
func (o *treeOutput) write(name string, fill func(io.Writer) error) error {
	out, err := create(filepath.Join(o.dir, name), nil, false)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := fill(out); err != nil {
		return err
	}
	return out.commit()
}

// commit makes the directory appear under its name.
func (o *treeOutput) commit() error {
	old := o.dir + ".old"
	if err := os.Rename(o.path, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &outputError{o.path, reason(err)}
	} else if err == nil {
		defer os.RemoveAll(old)
	}
	if err := os.Rename(o.dir, o.path); err != nil {
		_ = os.Rename(old, o.path) // what was there comes back
		return &outputError{o.path, reason(err)}
	}
	o.dir = ""
	return nil
}

// discard drops what has been written, unless it was committed.
func (o *treeOutput) discard() {
	if o.dir != "" {
		os.RemoveAll(o.dir)
	}
}
