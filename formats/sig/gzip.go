// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// A budget bounds what compressed input may inflate to, so that a small
// hostile file cannot fill the memory. Hashes hardly compress: signature files
// inflate 2 to 3 times, and no more than some 50 times where all is names.
type budget struct{ left int64 }

const (
	budgetStart   = 64 << 20
	budgetPerByte = 128
)

func newBudget() *budget { return &budget{left: budgetStart} }

// earn adds what n compressed bytes allow.
func (b *budget) earn(n int64) { b.left += budgetPerByte * n }

type earningReader struct {
	r io.Reader
	b *budget
}

func (e earningReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.b.earn(int64(n))
	return n, err
}

type spendingReader struct {
	r io.Reader
	b *budget
}

func (s spendingReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if s.b.left -= int64(n); s.b.left < 0 {
		return 0, fmt.Errorf("inflates more than %d times: not a signature file", budgetPerByte)
	}
	return n, err
}

// gunzip returns the decompressed stream if r begins as gzip does, else r.
func gunzip(r io.Reader, b *budget) (io.Reader, error) {
	buffered := bufio.NewReaderSize(r, scanBuffer)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return buffered, nil
	}
	zr, err := gzip.NewReader(earningReader{buffered, b})
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	return spendingReader{zr, b}, nil
}

// pack returns text as gzip, with neither name nor time in the header.
func pack(text []byte) ([]byte, error) {
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	if _, err := zw.Write(text); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
