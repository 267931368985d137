// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/sketch"
)

// A block is a part of all pairs that is a job of its own: the sketches are cut
// into n groups, and block i,j holds the pairs of group i with group j <= i.
// Its file begins with a line that says which block of which job it is and ends
// with one that counts its pairs; between them each line of output stands
// behind the number of its row.
type block struct{ i, j, n int }

const (
	blockMagic = "#gsketch-block"
	blockEnd   = "#end"
)

// parseBlock reads "i,j/n".
func parseBlock(s string) (b block, err error) {
	bad := usagef("--block %s: I,J/N is expected, 0 <= J <= I < N", s)
	place, n, ok1 := strings.Cut(s, "/")
	i, j, ok2 := strings.Cut(place, ",")
	if !ok1 || !ok2 {
		return b, bad
	}
	for _, f := range []struct {
		text string
		to   *int
	}{{i, &b.i}, {j, &b.j}, {n, &b.n}} {
		if *f.to, err = strconv.Atoi(f.text); err != nil {
			return b, bad
		}
	}
	if b.j < 0 || b.i < b.j || b.n <= b.i || b.n > 1<<16 {
		return b, bad
	}
	return b, nil
}

func (b block) String() string { return fmt.Sprintf("%d,%d/%d", b.i, b.j, b.n) }

// group is the range of the sketches in group i of n.
func group(total, i, n int) (from, to int) { return total * i / n, total * (i + 1) / n }

// writeBlock computes one block of a grid within one list.
func (g *grid) writeBlock(ctx context.Context, w io.Writer, f gridFormat, b block, threads int) error {
	var head bytes.Buffer
	if err := f.head(g, &head); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%d\n%s", blockMagic, b, g.job(b.n), bytes.Count(head.Bytes(), []byte("\n")), head.Bytes()); err != nil {
		return err
	}
	from, to := group(len(g.rows), b.i, b.n)
	cfrom, cto := group(len(g.rows), b.j, b.n)
	part := *g
	part.rows, part.cols = g.rows[from:to], g.rows[cfrom:cto]
	pairs := 0
	o := distance.Options{Threads: threads, Sparse: g.limited()}
	format := func(i int, counts []distance.Count, buf []byte) ([]byte, error) {
		return f.row(&part, buf[:0], i, part.choose(f, i, counts)), nil
	}
	row := from
	emit := func(lines []byte) error {
		for line := range bytes.Lines(lines) {
			if _, err := fmt.Fprintf(w, "%d\t%s", row, line); err != nil {
				return err
			}
			pairs++
		}
		row++
		return nil
	}
	if err := count(ctx, &part, b.i == b.j, o, format, emit); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s\t%d\n", blockEnd, pairs)
	return err
}

// job is a digest of what all blocks of a job have in common: the sketches and
// what is asked of them.
func (g *grid) job(n int) string {
	h := sha256.New()
	o := g.o
	fmt.Fprintf(h, "%d %s %s %t %t %v %v %v %v %t\n", n, o.format, g.name, o.ci, o.comments, o.maxDist, o.minANI, o.maxP, o.minSim, o.anyLimit())
	buf := make([]byte, 0, 8<<10)
	for _, it := range g.rows {
		fmt.Fprintf(h, "%q %q %d %s\n", it.Meta.Label(), it.Meta.Comment, it.Meta.Length, it.Sketch.Params())
		buf = buf[:0]
		for _, x := range values(it.Sketch) {
			if buf = strconv.AppendUint(buf, x, 16); len(buf) > 8000 {
				h.Write(buf)
				buf = buf[:0]
			}
			buf = append(buf, ' ')
		}
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// values are the hashes or slots of a sketch.
func values(s sketch.Sketch) []uint64 {
	if set, ok := s.(sketch.HashSet); ok {
		return set.Hashes()
	}
	return s.(sketch.Signature).AppendSlots(nil)
}

// A blockFile is a block to be merged.
type blockFile struct {
	path  string
	block block
	job   string
	head  string
	f     *os.File
	r     *bufio.Reader
	row   int // of the line that is next; -1 after the last
	line  []byte
	pairs int
}

func (b *blockFile) fail(err error) error { return sketch.BadInput(b.path, err) }

func openBlock(path string) (*blockFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, sketch.BadInput(path, reason(err))
	}
	b := &blockFile{path: path, f: f, r: bufio.NewReaderSize(f, 64<<10)}
	first, err := b.r.ReadString('\n')
	parts := strings.Split(strings.TrimSuffix(first, "\n"), "\t")
	if err != nil || len(parts) != 4 || parts[0] != blockMagic {
		f.Close()
		return nil, b.fail(errors.New("not a block of gsketch dist"))
	}
	var heads int
	b.block, err = parseBlock(parts[1])
	if heads, _ = strconv.Atoi(parts[3]); err != nil || heads < 0 || heads > 1 {
		f.Close()
		return nil, b.fail(errors.New("a damaged block"))
	}
	b.job = parts[2]
	for range heads {
		line, err := b.r.ReadString('\n')
		if err != nil {
			f.Close()
			return nil, b.fail(errors.New("a block that was cut"))
		}
		b.head += line
	}
	return b, b.next()
}

// next reads the next line.
func (b *blockFile) next() error {
	line, err := b.r.ReadBytes('\n')
	if err != nil {
		return b.fail(errors.New("a block that was cut: it has no last line"))
	}
	number, rest, _ := bytes.Cut(line, []byte("\t"))
	if string(number) == blockEnd {
		if n, err := strconv.Atoi(string(bytes.TrimSuffix(rest, []byte("\n")))); err != nil || n != b.pairs {
			return b.fail(fmt.Errorf("a damaged block: it has %d pairs and says %s", b.pairs, bytes.TrimSpace(rest)))
		}
		if _, err := b.r.ReadByte(); err != io.EOF {
			return b.fail(errors.New("a damaged block: something stands behind its last line"))
		}
		b.row = -1
		return nil
	}
	row, err := strconv.Atoi(string(number))
	if err != nil || row < b.row {
		return b.fail(errors.New("a damaged block: rows are out of order"))
	}
	b.row, b.line = row, rest
	b.pairs++
	return nil
}

// mergeBlocks joins the blocks of a job into what one run would have written.
func mergeBlocks(paths []string, w io.Writer) error {
	var files []*blockFile
	defer func() {
		for _, b := range files {
			b.f.Close()
		}
	}()
	at := map[block]*blockFile{}
	for _, p := range paths {
		b, err := openBlock(p)
		if err != nil {
			return err
		}
		files = append(files, b)
		if first := files[0]; b.job != first.job || b.block.n != first.block.n || b.head != first.head {
			return usagef("%s and %s are not blocks of one job", first.path, p)
		}
		if there, ok := at[b.block]; ok {
			return usagef("block %s is given twice: %s and %s", b.block, there.path, p)
		}
		at[b.block] = b
	}
	n := files[0].block.n
	for i := range n {
		for j := range i + 1 {
			if at[block{i, j, n}] == nil {
				return usagef("block %s is missing", block{i, j, n})
			}
		}
	}
	if _, err := io.WriteString(w, files[0].head); err != nil {
		return err
	}
	for i := range n {
		row := make([]*blockFile, i+1)
		for j := range row {
			row[j] = at[block{i, j, n}]
		}
		if err := mergeRows(row, w); err != nil {
			return err
		}
	}
	return nil
}

// mergeRows writes a row of blocks: line by line of rows, block by block.
func mergeRows(blocks []*blockFile, w io.Writer) error {
	for {
		least := -1
		for _, b := range blocks {
			if b.row >= 0 && (least < 0 || b.row < least) {
				least = b.row
			}
		}
		if least < 0 {
			return nil
		}
		for _, b := range blocks {
			for b.row == least {
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
