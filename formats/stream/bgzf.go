// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// A bgzf file is a gzip file of members of at most 64 KiB, before and after,
// whose header gives their compressed size (SAM specification, section 4.1).
// So they can be found without inflating, and inflated in parallel.
const (
	blockHeader  = 18
	blockTrailer = 8
	maxBlock     = 64 << 10
)

// isBlock recognises the header that htslib writes: no field but the extra one,
// and nothing in that but the size. Other spellings are read as plain gzip.
func isBlock(h []byte) bool {
	return len(h) >= blockHeader && string(h[:4]) == "\x1f\x8b\x08\x04" && string(h[10:16]) == "\x06\x00BC\x02\x00"
}

type block struct {
	in    []byte // the whole member
	out   []byte
	err   error
	ready chan struct{}
}

// blocks inflates bgzf blocks in goroutines of their own and hands them out in
// order. Where the blocks end, ordinary gzip takes over: it knows what to do
// with what follows.
type blocks struct {
	order chan *block // as in the file; closed after the last block
	free  chan *block
	quit  chan struct{}
	once  sync.Once
	cur   *block
	left  []byte // of cur.out
	rest  *members
}

func newBlocks(in *bufio.Reader, workers int) *blocks {
	n := 2*workers + 2
	b := &blocks{
		order: make(chan *block, n),
		free:  make(chan *block, n),
		quit:  make(chan struct{}),
		rest:  &members{in: in, started: true},
	}
	for range n {
		b.free <- &block{
			in:    make([]byte, maxBlock),
			out:   make([]byte, maxBlock),
			ready: make(chan struct{}, 1),
		}
	}
	work := make(chan *block, n)
	go b.feed(in, work)
	for range workers {
		go inflate(work)
	}
	return b
}

// feed reads block after block until something else follows, the input ends
// within a block, or stop is called.
func (b *blocks) feed(in *bufio.Reader, work chan<- *block) {
	defer close(work)
	defer close(b.order)
	for {
		head, _ := in.Peek(blockHeader)
		if !isBlock(head) {
			return
		}
		size := int(binary.LittleEndian.Uint16(head[16:])) + 1
		var k *block
		select {
		case k = <-b.free:
		case <-b.quit:
			return
		}
		k.in = k.in[:size]
		if size < blockHeader+blockTrailer {
			k.err = fmt.Errorf("block of %d bytes", size)
		} else if _, k.err = io.ReadFull(in, k.in); k.err == io.EOF {
			k.err = io.ErrUnexpectedEOF
		}
		b.order <- k // has room for all of them
		if k.err != nil {
			k.ready <- struct{}{}
			return
		}
		work <- k
	}
}

func inflate(work <-chan *block) {
	src := new(bytes.Reader)
	z := flate.NewReader(src)
	for k := range work {
		src.Reset(k.in[blockHeader : len(k.in)-blockTrailer])
		k.err = z.(flate.Resetter).Reset(src, nil)
		if k.err == nil {
			k.err = k.inflate(z)
		}
		k.ready <- struct{}{}
	}
}

func (k *block) inflate(z io.Reader) error {
	trailer := k.in[len(k.in)-blockTrailer:]
	size := binary.LittleEndian.Uint32(trailer[4:])
	if size > maxBlock {
		return fmt.Errorf("block of %d bytes", size)
	}
	k.out = k.out[:size]
	if _, err := io.ReadFull(z, k.out); err != nil {
		return fmt.Errorf("block shorter than it says: %v", err)
	}
	if n, err := z.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return fmt.Errorf("block longer than it says")
	}
	if crc32.ChecksumIEEE(k.out) != binary.LittleEndian.Uint32(trailer) {
		return gzip.ErrChecksum
	}
	return nil
}

func (b *blocks) Read(p []byte) (int, error) {
	for len(b.left) == 0 {
		if b.cur != nil {
			if b.cur.err != nil {
				return 0, b.cur.err
			}
			b.free <- b.cur
			b.cur = nil
		}
		k, ok := <-b.order
		if !ok {
			return b.rest.Read(p)
		}
		<-k.ready
		b.cur = k
		if k.err == nil {
			b.left = k.out
		}
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

func (b *blocks) stop() { b.once.Do(func() { close(b.quit) }) }
