// SPDX-License-Identifier: Apache-2.0

package columns

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// A decompressor keeps what is worth keeping from page to page.
type decompressor struct{ zstd *zstd.Decoder }

// decompress returns the n bytes of a page, in dst if they fit. What it
// allocates is bounded by what src can hold, not by n.
func (d *decompressor) decompress(dst, src []byte, codec format.CompressionCodec, n int) ([]byte, error) {
	if n > MaxPage {
		return nil, fmt.Errorf("page of more than %d bytes", MaxPage)
	}
	switch codec {
	case format.Uncompressed:
		if len(src) != n {
			return nil, errPage
		}
		return append(dst[:0], src...), nil
	case format.Snappy: // at most 64 bytes of 3
		if size, err := snappy.DecodedLen(src); err != nil || size != n || n > 64*len(src) {
			return nil, errCompressed
		}
		return snappy.Decode(grow(dst, n), src)
	case format.Lz4Raw: // at most 255 bytes of one
		if n > 256*len(src) {
			return nil, errCompressed
		}
		dst = grow(dst, n)
		size, err := lz4.UncompressBlock(src, dst)
		if err == nil && size != n {
			err = errCompressed
		}
		return dst, err
	case format.Gzip:
		z, err := gzip.NewReader(bytes.NewReader(src))
		if err != nil {
			return nil, err
		}
		return readAll(dst, z, n)
	case format.Zstd:
		if d.zstd == nil {
			d.zstd, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20)) // the options are valid
		}
		if err := d.zstd.Reset(bytes.NewReader(src)); err != nil {
			return nil, err
		}
		return readAll(dst, d.zstd, n)
	case format.Brotli:
		return readAll(dst, brotli.NewReader(bytes.NewReader(src)), n)
	}
	return nil, fmt.Errorf("pages compressed by %s", codec)
}

var errCompressed = errors.New("malformed compressed page")

// readAll reads exactly n bytes.
func readAll(dst []byte, r io.Reader, n int) ([]byte, error) {
	buf := bytes.NewBuffer(dst[:0])
	got, err := buf.ReadFrom(io.LimitReader(r, int64(n)+1))
	if err == nil && got != int64(n) {
		err = errCompressed
	}
	return buf.Bytes(), err
}
