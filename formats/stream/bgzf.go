// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

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
	ready chan struct{} // out or err is set
}

func newBlock() *block {
	return &block{in: make([]byte, maxBlock), out: make([]byte, maxBlock), ready: make(chan struct{}, 1)}
}

// fill reads the next block, if what comes next is one.
func (k *block) fill(in *bufio.Reader) bool {
	head, _ := in.Peek(blockHeader)
	if !isBlock(head) {
		return false
	}
	size := int(binary.LittleEndian.Uint16(head[16:])) + 1
	if size < blockHeader+blockTrailer {
		k.err = fmt.Errorf("block of %d bytes", size)
		return true
	}
	k.in = k.in[:size]
	if _, k.err = io.ReadFull(in, k.in); k.err == io.EOF {
		k.err = io.ErrUnexpectedEOF
	}
	return true
}

// An inflater inflates blocks, one at a time.
type inflater struct {
	src bytes.Reader
	z   io.ReadCloser
}

func newInflater() *inflater {
	f := new(inflater)
	f.z = flate.NewReader(&f.src)
	return f
}

func (f *inflater) inflate(k *block) error {
	deflated, trailer := k.in[blockHeader:len(k.in)-blockTrailer], k.in[len(k.in)-blockTrailer:]
	size := binary.LittleEndian.Uint32(trailer[4:])
	if size > maxBlock {
		return fmt.Errorf("block of %d bytes", size)
	}
	f.src.Reset(deflated)
	if err := f.z.(flate.Resetter).Reset(&f.src, nil); err != nil {
		return err
	}
	k.out = k.out[:size]
	if _, err := io.ReadFull(f.z, k.out); err != nil {
		return fmt.Errorf("block shorter than it says: %v", err)
	}
	var more [1]byte
	if n, err := f.z.Read(more[:]); n != 0 || err != io.EOF || f.src.Len() > 0 {
		return errLongBlock
	}
	if crc32.ChecksumIEEE(k.out) != binary.LittleEndian.Uint32(trailer) {
		return gzip.ErrChecksum
	}
	return nil
}

var errLongBlock = errors.New("block longer than it says")

// blocks hands out bgzf blocks one after the other. Where they end, ordinary
// gzip takes over for good: it knows what to do with what follows.
type blocks struct {
	next func(done *block) *block // nil at the end; it may reuse done
	cur  *block
	left []byte // of cur.out
	rest *members
}

func (b *blocks) Read(p []byte) (int, error) {
	for len(b.left) == 0 {
		if b.cur != nil && b.cur.err != nil {
			return 0, b.cur.err
		}
		if b.next == nil {
			return b.rest.Read(p)
		}
		b.cur = b.next(b.cur)
		switch {
		case b.cur == nil:
			b.next = nil
		case b.cur.err == nil:
			b.left = b.cur.out
		}
	}
	n := copy(p, b.left)
	b.left = b.left[n:]
	return n, nil
}

// openBlocks inflates in the calls of Read if threads is at most 1, else in
// that many goroutines, which stop ends.
func openBlocks(in *bufio.Reader, threads int) (b *blocks, stop func()) {
	b = &blocks{rest: &members{in: in, started: true}}
	if threads > 1 {
		p := startPool(in, threads)
		b.next = p.next
		return b, func() { close(p.quit) }
	}
	k, f := newBlock(), newInflater()
	b.next = func(*block) *block {
		if !k.fill(in) {
			return nil
		}
		if k.err == nil {
			k.err = f.inflate(k)
		}
		return k
	}
	return b, func() {}
}

// A pool of goroutines inflates blocks.
type pool struct {
	order chan *block // as in the file; closed after the last block
	free  chan *block
	quit  chan struct{}
}

func startPool(in *bufio.Reader, workers int) *pool {
	n := 2*workers + 2
	p := &pool{order: make(chan *block, n), free: make(chan *block, n), quit: make(chan struct{})}
	for range n {
		p.free <- newBlock()
	}
	work := make(chan *block, n)
	go p.feed(in, work)
	for range workers {
		go inflateAll(work)
	}
	return p
}

// feed reads block after block until something else follows, the input ends
// within a block, or quit is closed.
func (p *pool) feed(in *bufio.Reader, work chan<- *block) {
	defer close(work)
	defer close(p.order)
	for {
		var k *block
		select {
		case k = <-p.free:
		case <-p.quit:
			return
		}
		if !k.fill(in) {
			return
		}
		p.order <- k // has room for all of them
		if k.err != nil {
			k.ready <- struct{}{}
			return
		}
		work <- k
	}
}

func inflateAll(work <-chan *block) {
	f := newInflater()
	for k := range work {
		k.err = f.inflate(k)
		k.ready <- struct{}{}
	}
}

func (p *pool) next(done *block) *block {
	if done != nil {
		p.free <- done
	}
	k, ok := <-p.order
	if !ok {
		return nil
	}
	<-k.ready
	return k
}
