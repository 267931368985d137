// SPDX-License-Identifier: Apache-2.0

package replace

import (
	"os"
	"path/filepath"
)

// A File is not there under its name before CloseAtomicallyReplace; Cleanup
// drops it unless it is. renameio has none for Windows, which has no rename
// that is atomic in all cases; MoveFileEx, which os.Rename calls, replaces the
// file in one call.
type File struct {
	*os.File
	path string
	done bool
}

// New opens a file to be written.
func New(path string) (*File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return nil, err
	}
	return &File{File: f, path: path}, nil
}

// CloseAtomicallyReplace syncs the file and gives it its name.
func (f *File) CloseAtomicallyReplace() error {
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return err
	}
	f.done = true
	return nil
}

// Cleanup drops what was written, unless it has its name.
func (f *File) Cleanup() error {
	if f.done {
		return nil
	}
	f.Close() // it may be closed
	return os.Remove(f.Name())
}
