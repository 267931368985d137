// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package bands

import (
	"io"
	"os"
)

// mapped reads a file.
func mapped(f *os.File, size int64) ([]byte, func(), error) {
	data := make([]byte, size)
	_, err := io.ReadFull(f, data)
	return data, func() {}, err
}
