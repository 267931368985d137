// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// A piece is a file with one part of a result that several jobs compute: a block
// of all pairs, or what was found in one shard of a collection. Its first line
// says which part of which job it is:
//
//	MAGIC place job heads [more...]
//
// where job is a digest of all that the parts have in common, and heads the
// number of lines of the header that follow. Then each line of the result stands
// behind the number of its row, and the last line counts them:
//
//	#end lines [seal]
type piece struct {
	path  string
	place string   // which part
	job   string   // digest
	more  []string // further cells of the first line
	head  string   // of the result
	seal  string   // what is known only at the end; empty before
	f     *os.File
	r     *bufio.Reader
	row   int    // of the line that is next; -1 after the last
	line  []byte // that line, without the number
	lines int
}

const pieceEnd = "#end"

// A pieceWriter writes a piece.
type pieceWriter struct {
	w     io.Writer
	lines int
	buf   []byte
}

func beginPiece(w io.Writer, magic, place, job string, head []byte, more ...string) (*pieceWriter, error) {
	cells := append([]string{magic, place, job, strconv.Itoa(bytes.Count(head, []byte("\n")))}, more...)
	if err := line(w, cells); err != nil {
		return nil, err
	}
	_, err := w.Write(head)
	return &pieceWriter{w: w}, err
}

// write writes text of a row: each line of it, behind the key if there is one.
func (p *pieceWriter) write(row int, key string, text []byte) error {
	p.buf = p.buf[:0]
	for l := range bytes.Lines(text) {
		p.buf = strconv.AppendInt(p.buf, int64(row), 10)
		p.buf = append(append(append(p.buf, '\t'), key...), l...)
		p.lines++
	}
	_, err := p.w.Write(p.buf)
	return err
}

func (p *pieceWriter) end(seal ...string) error {
	return line(p.w, append([]string{pieceEnd, strconv.Itoa(p.lines)}, seal...))
}

func (b *piece) fail(err error) error { return sketch.BadInput(b.path, err) }

// openPiece opens a piece that begins with magic; what is said of one that does
// not.
func openPiece(path, magic, what string) (*piece, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, sketch.BadInput(path, reason(err))
	}
	b := &piece{path: path, f: f, r: bufio.NewReaderSize(f, 64<<10)}
	if err := b.begin(magic, what); err != nil {
		f.Close()
		return nil, err
	}
	return b, nil
}

// longestLine bounds a line of a piece: longer ones are of no file of ours.
const longestLine = 64 << 20

// text reads a line.
func (b *piece) text() ([]byte, error) {
	var long []byte
	for {
		part, err := b.r.ReadSlice('\n')
		if err == nil && long == nil {
			return part, nil
		}
		if long = append(long, part...); err != bufio.ErrBufferFull || len(long) > longestLine {
			return long, err
		}
	}
}

func (b *piece) begin(magic, what string) error {
	first, err := b.text()
	cells := strings.Split(strings.TrimSuffix(string(first), "\n"), "\t")
	if err != nil || len(cells) < 4 || cells[0] != magic {
		return b.fail(errors.New("not " + what))
	}
	b.place, b.job, b.more = cells[1], cells[2], cells[4:]
	heads, err := strconv.Atoi(cells[3])
	if err != nil || heads < 0 || heads > 1 {
		return b.fail(fmt.Errorf("%s that is damaged: its first line", what))
	}
	for range heads {
		head, err := b.text()
		if err != nil {
			return b.fail(fmt.Errorf("%s that was cut", what))
		}
		b.head += string(head)
	}
	return b.next()
}

// next reads the next line.
func (b *piece) next() error {
	text, err := b.text()
	if err != nil {
		return b.fail(errors.New("was cut: it has no last line"))
	}
	number, rest, _ := bytes.Cut(text, []byte("\t"))
	if string(number) == pieceEnd {
		return b.last(string(bytes.TrimSuffix(rest, []byte("\n"))))
	}
	row, err := strconv.Atoi(string(number))
	if err != nil || row < b.row {
		return b.fail(errors.New("damaged: rows are out of order"))
	}
	b.row, b.line = row, rest
	b.lines++
	return nil
}

func (b *piece) last(text string) error {
	count, seal, _ := strings.Cut(text, "\t")
	if n, err := strconv.Atoi(count); err != nil || n != b.lines {
		return b.fail(fmt.Errorf("damaged: it has %d lines and says %s", b.lines, count))
	}
	if _, err := b.r.ReadByte(); err != io.EOF {
		return b.fail(errors.New("damaged: something stands behind its last line"))
	}
	b.row, b.seal = -1, seal
	return nil
}

func closePieces(pieces []*piece) {
	for _, b := range pieces {
		b.f.Close()
	}
}

// mergeRows writes the lines of pieces: row by row, of each row piece by piece.
func mergeRows(pieces []*piece, w io.Writer) error {
	for {
		row := firstRow(pieces)
		if row < 0 {
			return nil
		}
		for _, b := range pieces {
			for b.row == row {
				if _, err := w.Write(b.line); err != nil {
					return err
				}
				if err := b.next(); err != nil {
					return err
				}
			}
		}
	}
}

// firstRow is the first row that is left; -1 if none is.
func firstRow(pieces []*piece) int {
	first := -1
	for _, b := range pieces {
		if b.row >= 0 && (first < 0 || b.row < first) {
			first = b.row
		}
	}
	return first
}

// A jobDigest is of all that the parts of a job have in common, or of one
// collection.
type jobDigest struct {
	hash.Hash
	buf []byte
}

func newJobDigest() *jobDigest { return &jobDigest{Hash: sha256.New()} }

// item adds a sketch and what is known of it.
func (d *jobDigest) item(it sketch.Item) {
	fmt.Fprintf(d, "%q %q %q %d %s %d\n", it.Meta.ID, it.Meta.Source, it.Meta.Comment, it.Meta.Length, it.Sketch.Params(), it.Sketch.Len())
	d.values(values(it.Sketch))
	if a, ok := it.Sketch.(sketch.Abundant); ok {
		d.values(a.Abundances())
	}
}

func (d *jobDigest) values(list []uint64) {
	for len(list) > 0 {
		n := min(len(list), 512)
		d.buf = d.buf[:0]
		for _, x := range list[:n] {
			d.buf = binary.LittleEndian.AppendUint64(d.buf, x)
		}
		d.Write(d.buf)
		list = list[n:]
	}
}

func (d *jobDigest) String() string { return hex.EncodeToString(d.Sum(nil)[:16]) }

// values are the hashes or slots of a sketch.
func values(s sketch.Sketch) []uint64 {
	if set, ok := s.(sketch.HashSet); ok {
		return set.Hashes()
	}
	return s.(sketch.Signature).AppendSlots(nil)
}
