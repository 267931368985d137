// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/distance"
)

// A block is a part of all pairs that is a job of its own: the sketches are cut
// into n groups, and block i,j holds the pairs of group i with group j <= i.
// Its file is a piece.
type block struct{ i, j, n int }

const blockMagic = "#gsketch-block"

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

// groups are the places of the block's rows and columns.
func (g *grid) groups() (from, to, cfrom, cto int) {
	from, to = group(len(g.rows), g.block.i, g.block.n)
	cfrom, cto = group(len(g.rows), g.block.j, g.block.n)
	return
}

// readBlock digests all sketches and reads those of the block.
func (g *grid) readBlock() (err error) {
	if g.block, err = parseBlock(g.o.block); err != nil {
		return err
	}
	d := newJobDigest()
	for _, it := range g.rows {
		if u, ok := it.Sketch.(*unread); ok {
			d.Write(u.digest[:])
		} else {
			d.item(it)
		}
	}
	g.contents = d.String()
	from, to, cfrom, cto := g.groups()
	if err := readUnread(g.rows[from:to], g.o.threads); err != nil || from == cfrom {
		return err
	}
	return readUnread(g.rows[cfrom:cto], g.o.threads)
}

// writeBlock computes one block of a grid within one list.
func (g *grid) writeBlock(ctx context.Context, w io.Writer, f gridFormat, threads int) error {
	var head bytes.Buffer
	if err := f.head(g, &head); err != nil {
		return err
	}
	file, err := beginPiece(w, blockMagic, g.block.String(), g.job(), head.Bytes())
	if err != nil {
		return err
	}
	from, to, cfrom, cto := g.groups()
	part := *g
	part.rows, part.cols = g.rows[from:to], g.rows[cfrom:cto]
	o := distance.Options{Threads: threads, Sparse: g.limited()}
	format := func(i int, counts []distance.Count, buf []byte) ([]byte, error) {
		return f.row(&part, buf[:0], i, part.choose(f, i, counts)), nil
	}
	row := from
	emit := func(lines []byte) error {
		row++
		return file.write(row-1, "", lines)
	}
	if err := count(ctx, &part, g.block.i == g.block.j, o, format, emit); err != nil {
		return err
	}
	return file.end()
}

// job is a digest of what all blocks of a job have in common: the sketches and
// what is asked of them.
func (g *grid) job() string {
	d := newJobDigest()
	o := g.o
	fmt.Fprintf(d, "%d %s %s %t %t %t %v %v %v %v %t %s\n", g.block.n, o.format, g.name, o.ci, o.comments, o.oneMinus, o.maxDist, o.minANI, o.maxP, o.minSim, o.anyLimit(), g.contents)
	return d.String()
}

// mergeBlocks joins the blocks of a job into what one run would have written.
func mergeBlocks(paths []string, w io.Writer) error {
	var files []*piece
	defer func() { closePieces(files) }()
	at := map[block]*piece{}
	n := 0
	for _, p := range paths {
		f, err := openPiece(p, blockMagic, "a block of gsketch dist")
		if err != nil {
			return err
		}
		files = append(files, f)
		b, err := parseBlock(f.place)
		if err != nil {
			return f.fail(errors.New("damaged: its first line names no block"))
		}
		if first := files[0]; f != first && (f.job != first.job || b.n != n || f.head != first.head) {
			return usagef("%s and %s are not blocks of one job", first.path, p)
		}
		if there, ok := at[b]; ok {
			return usagef("block %s is given twice: %s and %s", b, there.path, p)
		}
		at[b], n = f, b.n
	}
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
		row := make([]*piece, i+1)
		for j := range row {
			row[j] = at[block{i, j, n}]
		}
		if err := mergeRows(row, w); err != nil {
			return err
		}
	}
	return nil
}
