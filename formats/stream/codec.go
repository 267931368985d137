// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

type codec uint8

const (
	plain codec = iota
	gzipped
	bgzf
	bzipped
	xzipped
	zstandard
)

func (c codec) String() string {
	return [...]string{"", "gzip", "bgzf", "bzip2", "xz", "zstd"}[c]
}

// magicLen is what detect wants to see: the header of a bgzf block.
const magicLen = 18

// detect tells the compression by the first bytes, of which there may be fewer
// than magicLen.
func detect(head []byte) codec {
	switch {
	case isBlock(head):
		return bgzf
	case bytes.HasPrefix(head, gzipMagic):
		return gzipped
	case len(head) >= 10 && bytes.HasPrefix(head, []byte("BZh")) && isBzipBlock(head[4:10]):
		return bzipped
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return xzipped
	case isZstd(head):
		return zstandard
	}
	return plain
}

var gzipMagic = []byte{0x1f, 0x8b}

// isBzipBlock looks for the digits of pi that start a block, or those of its
// square root, which end a stream without any.
func isBzipBlock(b []byte) bool {
	return string(b) == "\x31\x41\x59\x26\x53\x59" || string(b) == "\x17\x72\x45\x38\x50\x90"
}

// isZstd knows frames and skippable frames, with which pzstd files begin
// (RFC 8878, 3.1).
func isZstd(b []byte) bool {
	return len(b) >= 4 && b[3] == 0xfd && b[2] == 0x2f && b[1] == 0xb5 && b[0] == 0x28 ||
		len(b) >= 4 && b[3] == 0x18 && b[2] == 0x4d && b[1] == 0x2a && b[0]&0xf0 == 0x50
}

// open starts the decompressor.
func (c codec) open(in *bufio.Reader, threads int) (body, error) {
	if c == bgzf {
		b, stop := openBlocks(in, threads)
		return body{Reader: b, close: stop, warning: b.rest.warning}, nil
	}
	b, err := c.inline(in)
	if err != nil || c == plain || threads <= 1 {
		return b, err
	}
	return ahead(b), nil
}

// inline starts a decompressor that works in the calls of Read.
func (c codec) inline(in *bufio.Reader) (body, error) {
	switch c {
	case gzipped:
		g := &members{in: in}
		return body{Reader: g, warning: g.warning}, nil
	case bzipped:
		return body{Reader: bzip2.NewReader(in)}, nil
	case xzipped:
		r, err := xz.NewReader(in, maxWindow)
		return body{Reader: r}, err
	case zstandard:
		d, err := newZstd(in)
		if err != nil {
			return body{}, err
		}
		return body{Reader: d, close: d.Close}, nil
	}
	return body{Reader: in}, nil
}

// explain says in our words what a decompressor means.
func (c codec) explain(err error) error {
	switch {
	case c == plain || err == errTrailingText || err == errTrailingMember:
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s stream is cut short: %w", c, io.ErrUnexpectedEOF)
	case err == xz.ErrBuf: // it does not tell the two apart
		return fmt.Errorf("xz stream is cut short or corrupt: %w", io.ErrUnexpectedEOF)
	case err == xz.ErrMemlimit, errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("%s stream needs a window of more than %d MiB", c, maxWindow>>20)
	}
	return fmt.Errorf("corrupt %s stream: %w", c, err)
}

// maxWindow is the largest history a stream may ask a decoder to hold, whatever
// its header says. It is what zstd itself accepts without a flag, and twice
// what xz -9 makes. (That xz package is the one that has such a bound, and that
// does not take a file cut between two blocks for a whole one.)
const maxWindow = 128 << 20

// newZstd keeps to one goroutine and small buffers: its default would hold
// several blocks and windows per core.
func newZstd(in io.Reader) (*zstd.Decoder, error) {
	return zstd.NewReader(in,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow))
}
