// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/gsketch/gsketch/sketch"
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
	buffered := bufio.NewReaderSize(r, 16<<10)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return buffered, nil
	}
	zr, err := gzip.NewReader(earningReader{buffered, b})
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	return spendingReader{zr, b}, nil
}

// A packer makes .sig.gz files with one sketch each. It is reused, since the
// state of the compressor is larger than most sketches.
type packer struct {
	gz     *gzip.Writer
	text   []byte
	packed bytes.Buffer
}

// file returns the file, valid until the next call, and the sketch's md5sum.
// The gzip header has neither name nor time.
func (p *packer) file(item sketch.Item) (content []byte, md5sum string, err error) {
	text, md5sum, err := appendSignature(append(p.text[:0], '['), item)
	if err != nil {
		return nil, "", err
	}
	p.text = append(text, ']')
	p.packed.Reset()
	if p.gz == nil {
		p.gz = gzip.NewWriter(&p.packed)
	} else {
		p.gz.Reset(&p.packed)
	}
	if _, err := p.gz.Write(p.text); err != nil {
		return nil, "", err
	}
	if err := p.gz.Close(); err != nil {
		return nil, "", err
	}
	return p.packed.Bytes(), md5sum, nil
}
