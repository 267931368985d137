// SPDX-License-Identifier: Apache-2.0

package stream

import "github.com/klauspost/readahead"

// Four buffers of a quarter of a MiB are as fast as more of them.
const (
	aheadBuffers = 4
	aheadSize    = 256 << 10
)

// ahead lets a goroutine of its own read b ahead of the consumer.
func ahead(b body) body {
	r, err := readahead.NewReaderSize(b.Reader, aheadBuffers, aheadSize)
	if err != nil {
		panic(err) // the sizes are wrong
	}
	inner := b.close
	b.Reader = r
	b.close = func() {
		go func() { // its goroutine may be waiting for a pipe that nobody writes to
			r.Close()
			if inner != nil {
				inner()
			}
		}()
	}
	return b
}
