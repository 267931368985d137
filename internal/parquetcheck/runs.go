// SPDX-License-Identifier: Apache-2.0

package parquetcheck

import (
	"encoding/binary"
	"errors"
)

var errRuns = errors.New("malformed levels")

// Runs says whether the runs of b, values of width bits in Parquet's hybrid of
// run lengths and packed bits, hold n values and no more than padding beyond.
// Packed runs are of groups of 8, so 7 is the least; DuckDB fills up to 256.
func Runs(b []byte, width, n, padding int) error {
	got := uint64(0)
	for len(b) > 0 {
		head, k := binary.Uvarint(b)
		if k <= 0 {
			return errRuns
		}
		b = b[k:]
		count, length := head>>1, uint64(width+7)/8
		if count > uint64(n) {
			return errRuns
		}
		if head&1 == 1 { // groups of 8, packed
			length = count * uint64(width)
			count *= 8
		}
		if length > uint64(len(b)) {
			return errRuns
		}
		b = b[length:]
		if got += count; got > uint64(n)+uint64(padding) {
			return errRuns
		}
	}
	if got < uint64(n) {
		return errRuns
	}
	return nil
}
