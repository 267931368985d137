// SPDX-License-Identifier: Apache-2.0

package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/zeebo/xxh3"
)

// A postings file, all numbers little endian:
//
//	"GSKPOST1"
//	blocks      for up to 512 hashes: the hashes (8 bytes each, ascending), for
//	            each the number of its postings (4), the postings (4: the row;
//	            bottom-k: 8, row and rank)
//	directory   for each block: first hash (8), offset (8), length (4), hashes (4), xxh3-64 (8)
//	sizes       for each row: hashes of its sketch (4)
//	footer      blocks (8), rows (8), width of a posting (8), xxh3-64 of
//	            directory and sizes (8), "GSKPOST1"
//
// Directory and sizes are read when the file is opened; blocks when they are
// needed, each against its checksum.
const (
	postingsMagic  = "GSKPOST1"
	blockHashes    = 512
	directoryEntry = 32
	footerSize     = 40
)

// maxBlock bounds a block in a file: 512 hashes that every row has would be
// more, and are written as several blocks.
const maxBlock = 1 << 26

type blockEntry struct {
	first  uint64
	offset int64
	length uint32
	hashes uint32
	sum    uint64
}

// A posting is a sketch that holds a hash, with the place of the hash in it.
type posting struct{ row, rank uint32 }

// A postingsWriter writes hashes in ascending order with their postings.
type postingsWriter struct {
	w      io.Writer
	width  int
	at     int64
	blocks []blockEntry
	hashes []byte
	counts []byte
	body   []byte
	rows   []posting // scratch of addRecords
	err    error
}

func newPostingsWriter(w io.Writer, ranked bool) *postingsWriter {
	p := &postingsWriter{w: w, width: 4}
	if ranked {
		p.width = 8
	}
	p.write([]byte(postingsMagic))
	return p
}

func (p *postingsWriter) write(b []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
		p.at += int64(len(b))
	}
}

// add writes one hash; rows must ascend.
func (p *postingsWriter) add(hash uint64, rows []posting) error {
	if n := len(p.hashes) / 8; n == blockHashes || n > 0 && len(p.body)+len(rows)*p.width > maxBlock/2 {
		p.flush()
	}
	p.hashes = binary.LittleEndian.AppendUint64(p.hashes, hash)
	p.counts = binary.LittleEndian.AppendUint32(p.counts, uint32(len(rows)))
	for _, r := range rows {
		p.body = binary.LittleEndian.AppendUint32(p.body, r.row)
		if p.width == 8 {
			p.body = binary.LittleEndian.AppendUint32(p.body, r.rank)
		}
	}
	return p.err
}

func (p *postingsWriter) flush() {
	if len(p.hashes) == 0 {
		return
	}
	b := append(append(p.hashes, p.counts...), p.body...)
	p.blocks = append(p.blocks, blockEntry{
		first: binary.LittleEndian.Uint64(p.hashes), offset: p.at,
		length: uint32(len(b)), hashes: uint32(len(p.counts) / 4), sum: xxh3.Hash(b),
	})
	p.write(b)
	p.hashes, p.counts, p.body = p.hashes[:0], p.counts[:0], p.body[:0]
}

// close writes what follows the blocks.
func (p *postingsWriter) close(sizes []uint32) error {
	p.flush()
	var tail []byte
	for _, e := range p.blocks {
		tail = binary.LittleEndian.AppendUint64(tail, e.first)
		tail = binary.LittleEndian.AppendUint64(tail, uint64(e.offset))
		tail = binary.LittleEndian.AppendUint32(tail, e.length)
		tail = binary.LittleEndian.AppendUint32(tail, e.hashes)
		tail = binary.LittleEndian.AppendUint64(tail, e.sum)
	}
	for _, n := range sizes {
		tail = binary.LittleEndian.AppendUint32(tail, n)
	}
	sum := xxh3.Hash(tail)
	for _, n := range []uint64{uint64(len(p.blocks)), uint64(len(sizes)), uint64(p.width), sum} {
		tail = binary.LittleEndian.AppendUint64(tail, n)
	}
	p.write(append(tail, postingsMagic...))
	return p.err
}

// postings are an open postings file.
type postings struct {
	r      io.ReaderAt
	width  int
	blocks []blockEntry
	sizes  []uint32
}

var errPostings = errors.New("damaged postings")

// openPostings reads directory and sizes. Lengths are bounded by the size of
// the file before anything is allocated.
func openPostings(r io.ReaderAt, size int64) (*postings, error) {
	var foot [footerSize]byte
	if size < int64(len(postingsMagic)+footerSize) {
		return nil, fmt.Errorf("%w: %d bytes are too few", errPostings, size)
	}
	if _, err := r.ReadAt(foot[:], size-footerSize); err != nil {
		return nil, err
	}
	u := binary.LittleEndian.Uint64
	blocks, rows, width, sum := u(foot[0:]), u(foot[8:]), u(foot[16:]), u(foot[24:])
	left := uint64(size - int64(len(postingsMagic)) - footerSize)
	if string(foot[32:]) != postingsMagic || width != 4 && width != 8 || blocks > left/directoryEntry || rows > (left-blocks*directoryEntry)/4 {
		return nil, fmt.Errorf("%w: bad footer", errPostings)
	}
	tail := make([]byte, blocks*directoryEntry+rows*4)
	start := size - footerSize - int64(len(tail))
	if _, err := r.ReadAt(tail, start); err != nil {
		return nil, err
	}
	if xxh3.Hash(tail) != sum {
		return nil, fmt.Errorf("%w: the directory does not fit its checksum", errPostings)
	}
	p := &postings{r: r, width: int(width), blocks: make([]blockEntry, blocks), sizes: make([]uint32, rows)}
	at := int64(len(postingsMagic))
	for i := range p.blocks {
		b := tail[i*directoryEntry:]
		e := blockEntry{u(b), int64(u(b[8:])), binary.LittleEndian.Uint32(b[16:]), binary.LittleEndian.Uint32(b[20:]), u(b[24:])}
		if e.offset != at || e.length > maxBlock || e.hashes == 0 || e.hashes > blockHashes || e.length < 12*e.hashes || i > 0 && e.first <= p.blocks[i-1].first {
			return nil, fmt.Errorf("%w: bad directory", errPostings)
		}
		at += int64(e.length)
		p.blocks[i] = e
	}
	if at != start {
		return nil, fmt.Errorf("%w: bad directory", errPostings)
	}
	for i := range p.sizes {
		p.sizes[i] = binary.LittleEndian.Uint32(tail[int(blocks)*directoryEntry+4*i:])
	}
	return p, nil
}

// A block is one in memory; it can be used again for another one.
type block struct {
	buf    []byte
	hashes []byte
	ends   []uint32 // of the postings of each hash
	body   []byte
	width  int
}

func (b *block) hash(i int) uint64 { return binary.LittleEndian.Uint64(b.hashes[8*i:]) }

// of is the postings of hash i, as they are in the file.
func (b *block) of(i int) []byte {
	from := 0
	if i > 0 {
		from = int(b.ends[i-1])
	}
	return b.body[from*b.width : int(b.ends[i])*b.width]
}

// read reads block i into b.
func (p *postings) read(i int, b *block) error {
	e := p.blocks[i]
	if cap(b.buf) < int(e.length) {
		b.buf = make([]byte, e.length+e.length/4)
	}
	buf := b.buf[:e.length]
	if _, err := p.r.ReadAt(buf, e.offset); err != nil {
		return err
	}
	if xxh3.Hash(buf) != e.sum {
		return fmt.Errorf("%w: block %d does not fit its checksum", errPostings, i)
	}
	n := int(e.hashes)
	b.hashes, b.body, b.width, b.ends = buf[:8*n], buf[12*n:], p.width, slices.Grow(b.ends[:0], n)[:n]
	var sum uint64 // of at most 512 numbers of 32 bits
	counts := buf[8*n : 12*n]
	for j := range b.ends {
		sum += uint64(binary.LittleEndian.Uint32(counts[4*j:]))
		b.ends[j] = uint32(sum)
	}
	if sum*uint64(p.width) != uint64(len(b.body)) {
		return fmt.Errorf("%w: block %d does not have the postings that it counts", errPostings, i)
	}
	return nil
}

// A tally takes the postings of the hash at a place of the list looked for, as
// they are in the file. It returns false if a row is out of range.
type tally func(place int, found []byte) bool

// find looks for hashes (ascending) and gives the postings of those that the
// file has to add.
func (p *postings) find(hashes []uint64, add tally) error {
	b := &block{}
	at := -1
	for i, h := range hashes {
		n := sort.Search(len(p.blocks), func(j int) bool { return p.blocks[j].first > h }) - 1
		if n < 0 {
			continue
		}
		if n != at {
			if err := p.read(n, b); err != nil {
				return err
			}
			at = n
		}
		j := sort.Search(len(b.ends), func(j int) bool { return b.hash(j) >= h })
		if j == len(b.ends) || b.hash(j) != h {
			continue
		}
		if !add(i, b.of(j)) {
			return fmt.Errorf("%w: block %d names a row that is not there", errPostings, n)
		}
	}
	return nil
}

// A cursor goes through all hashes with their postings, in order.
type cursor struct {
	p     *postings
	next  int // block
	block block
	at    int // in the block: the hash that is next
	begun bool

	hash uint64
	rows []posting
}

// advance moves to the next hash. It is false at the end.
func (c *cursor) advance() (bool, error) {
	if c.at == len(c.block.ends) {
		if c.next == len(c.p.blocks) {
			return false, nil
		}
		if err := c.p.read(c.next, &c.block); err != nil {
			return false, err
		}
		if c.block.hash(0) != c.p.blocks[c.next].first {
			return false, fmt.Errorf("%w: block %d does not begin as the directory says", errPostings, c.next)
		}
		c.next++
		c.at = 0
	}
	h := c.block.hash(c.at)
	if c.begun && h <= c.hash {
		return false, fmt.Errorf("%w: block %d: hashes do not ascend", errPostings, c.next-1)
	}
	c.hash, c.begun = h, true
	c.rows = c.rows[:0]
	for found := c.block.of(c.at); len(found) > 0; found = found[c.p.width:] {
		post := posting{row: binary.LittleEndian.Uint32(found)}
		if c.p.width == 8 {
			post.rank = binary.LittleEndian.Uint32(found[4:])
		}
		c.rows = append(c.rows, post)
		if int(post.row) >= len(c.p.sizes) {
			return false, fmt.Errorf("%w: block %d names a row that is not there", errPostings, c.next-1)
		}
	}
	c.at++
	return true, nil
}

// each calls yield for every hash with its postings, in order.
func (p *postings) each(yield func(hash uint64, rows []posting) error) error {
	c := &cursor{p: p}
	for {
		more, err := c.advance()
		if err != nil || !more {
			return err
		}
		if err := yield(c.hash, c.rows); err != nil {
			return err
		}
	}
}
