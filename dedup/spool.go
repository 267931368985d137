// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"bufio"
	"os"
	"slices"
)

// A spool keeps byte strings by number in a temporary file, so that the sets
// and texts of a corpus need no memory but that of the system's cache. Writing
// comes first, then reading, which is safe for concurrent use.
type spool struct {
	file *os.File
	w    *bufio.Writer
	ends []int64
}

func newSpool() (*spool, error) {
	f, err := temporary()
	if err != nil {
		return nil, err
	}
	return &spool{file: f, w: bufio.NewWriterSize(f, 1<<20)}, nil
}

// temporary opens a file that has no name any more where the system allows it,
// so that nothing stays behind, however the process ends.
func temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "gsketch-dedup-*")
	if err == nil {
		_ = os.Remove(f.Name()) // Close tries again
	}
	return f, err
}

func removeTemporary(f *os.File) {
	f.Close()
	_ = os.Remove(f.Name()) // it is gone, but where open files cannot be removed
}

// close removes it; of nil, which holds nothing, there is nothing to be removed.
func (s *spool) close() {
	if s != nil {
		removeTemporary(s.file)
	}
}

// add appends a string; its number is that of those before it.
func (s *spool) add(b []byte) error {
	if _, err := s.w.Write(b); err != nil {
		return err
	}
	s.ends = append(s.ends, s.start(len(s.ends))+int64(len(b)))
	return nil
}

func (s *spool) start(i int) int64 {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

// seal ends writing.
func (s *spool) seal() error {
	if s == nil {
		return nil
	}
	return s.w.Flush()
}

// at reads string i into buf, which grows where it is too short.
func (s *spool) at(i int, buf []byte) ([]byte, error) {
	n := int(s.ends[i] - s.start(i))
	buf = slices.Grow(buf[:0], n)[:n]
	_, err := s.file.ReadAt(buf, s.start(i))
	return buf, err
}
