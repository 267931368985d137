// SPDX-License-Identifier: Apache-2.0

//go:build unix

package bands

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapped returns the bytes of a file, read when they are used, and how to give
// them up.
func mapped(f *os.File, size int64) ([]byte, func(), error) {
	if size == 0 {
		return nil, func() {}, nil
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return data, func() { _ = unix.Munmap(data) }, nil
}
