// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gsketch/gsketch/internal/replace"

	"github.com/gsketch/gsketch/sketch"
)

// A DirWriter writes sketches into a directory, each into a file MD5.sig.gz of
// its own; sketches with one md5sum get MD5_0.sig.gz, MD5_1.sig.gz, ... Each
// file appears whole or not at all, and replaces one of the same name.
type DirWriter struct {
	dir    string
	n      int
	packer packer
	copies map[string]int
}

// NewDirWriter makes the directory, unless there is one.
func NewDirWriter(dir string) (*DirWriter, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return &DirWriter{dir: dir, copies: map[string]int{}}, nil
}

// Add writes one sketch. What a signature cannot hold is an error, as for
// Writer.Add.
func (w *DirWriter) Add(item sketch.Item) error {
	w.n++
	content, md5sum, err := w.packer.file(item)
	if err != nil {
		return fmt.Errorf("sketch %d (%s): %w", w.n, item.Meta.Label(), err)
	}
	name := md5sum
	if n := w.copies[md5sum]; n > 0 {
		name += "_" + strconv.Itoa(n-1)
	}
	w.copies[md5sum]++
	return replace.WriteFile(filepath.Join(w.dir, name+".sig.gz"), content)
}

// Close is there for the sake of the other writers' shape.
func (w *DirWriter) Close() error { return nil }
