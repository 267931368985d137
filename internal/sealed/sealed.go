// SPDX-License-Identifier: Apache-2.0

// Package sealed keeps directories of files that are never changed once they
// are there: an index on disk. A manifest, which is replaced as a whole, names
// the files that count, with their digests; one process at a time writes; a
// file that no manifest names was left behind by an interrupted writer.
package sealed

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/internal/replace"
	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/sketch"
)

// ErrLocked is returned when another process writes to a directory.
var ErrLocked = errors.New("another process writes to this index")

const lockName = "LOCK"

// Lock takes the lock of a directory, which is held until the file is closed or
// the process ends.
func Lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	err = tryLock(f)
	if err == nil && !isAt(f, f.Name()) {
		err = ErrLocked
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return f, nil
}

// isAt says whether an open file is the one at a path. A writer that gives up a
// new directory removes the lock, and another one may have made the next.
func isAt(f *os.File, path string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(mine, there)
}

// A Sum is the size and the XXH3-64 of a file.
type Sum struct {
	Bytes int64  `json:"bytes"`
	Sum   string `json:"xxh3"`
}

// WriteFile writes a file under another name, syncs and renames it.
func WriteFile(path string, fill func(io.Writer) error) (Sum, error) {
	f, err := replace.New(path)
	if err != nil {
		return Sum{}, err
	}
	defer f.Cleanup()
	sum := &summed{w: f, h: xxh3.New()}
	w := bufio.NewWriterSize(sum, 1<<20)
	if err := fill(w); err != nil {
		return Sum{}, err
	}
	if err := w.Flush(); err != nil {
		return Sum{}, err
	}
	return Sum{sum.n, fmt.Sprintf("%016x", sum.h.Sum64())}, f.CloseAtomicallyReplace()
}

type summed struct {
	w io.Writer
	h *xxh3.Hasher
	n int64
}

func (s *summed) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	s.h.Write(b[:n])
	s.n += int64(n)
	return n, err
}

// Check reads a file and compares it with its sum.
func (s Sum) Check(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return sketch.BadInput(path, err)
	}
	defer f.Close()
	h := xxh3.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return sketch.BadInput(path, err)
	}
	if got := (Sum{n, fmt.Sprintf("%016x", h.Sum64())}); got != s {
		return sketch.BadInput(path, errors.New("damaged: it does not fit its digest in the manifest"))
	}
	return nil
}

// Open opens a file whose size must be that of the sum.
func (s Sum) Open(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, sketch.BadInput(path, err)
	}
	st, err := f.Stat()
	if err == nil && st.Size() != s.Bytes {
		err = fmt.Errorf("%d bytes, the manifest says %d", st.Size(), s.Bytes)
	}
	if err != nil {
		f.Close()
		return nil, sketch.BadInput(path, err)
	}
	return f, nil
}

// Sweep removes files with these suffixes behind a number, and temporary files
// of writers, whose names are those of the target with digits behind them,
// unless they are named. What is not ours stays.
func Sweep(dir string, named map[string]bool, suffixes ...string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if named[name] || name == manifestName || !ours(name, suffixes) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func ours(name string, suffixes []string) bool {
	stem := strings.TrimRight(name, "0123456789")
	if strings.TrimPrefix(stem, ".") == manifestName {
		return true
	}
	for _, suffix := range suffixes {
		if n, ok := strings.CutSuffix(stem, suffix); ok {
			_, err := strconv.Atoi(strings.TrimPrefix(n, "."))
			return err == nil
		}
	}
	return false
}

// SyncDir makes the names in a directory durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
