// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/internal/python"
	"github.com/gsketch/gsketch/sketch"
)

// mashLabel is what mash dist prints for a sketch: its name, with the comment
// behind a colon under -C.
func mashLabel(g *grid, m sketch.Meta) string {
	if g.o.comments {
		return m.Label() + ":" + m.Comment
	}
	return m.Label()
}

// appendMash appends distance, p-value and counts as mash dist prints them.
func (g *grid) appendMash(dst []byte, i int, c distance.Count) []byte {
	_, p := g.pair(i, c).PeerMash()
	dst = append(g.mash.append(dst, c), '\t')
	dst = append(appendG(dst, p), '\t')
	dst = append(strconv.AppendUint(dst, uint64(c.Shared), 10), '/')
	return append(strconv.AppendUint(dst, uint64(c.Of), 10), '\n')
}

// mashRow is mash dist: the reference first.
func mashRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	name := mashLabel(g, g.rows[i].Meta)
	for _, c := range counts {
		dst = append(append(dst, mashLabel(g, g.cols[c.Col].Meta)...), '\t')
		dst = append(append(dst, name...), '\t')
		dst = g.appendMash(dst, i, c)
	}
	return dst
}

func mashTableHead(g *grid, w io.Writer) error {
	var b strings.Builder
	b.WriteString("#query")
	for _, it := range g.cols {
		b.WriteString("\t" + mashLabel(g, it.Meta))
	}
	b.WriteString("\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// mashTableRow is mash dist -t: what does not pass the limits is an empty cell.
func mashTableRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	dst = append(dst, mashLabel(g, g.rows[i].Meta)...)
	for _, c := range counts {
		dst = append(dst, '\t')
		if g.keep(i, c) {
			dst = g.mash.append(dst, c)
		}
	}
	return append(dst, '\n')
}

func mashTriangleHead(g *grid, w io.Writer) error {
	_, err := fmt.Fprintf(w, "\t%d\n", len(g.rows))
	return err
}

func mashTriangleRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	dst = append(dst, g.o.labelOf(g.rows[i].Meta)...)
	for _, c := range counts {
		dst = g.mash.append(append(dst, '\t'), c)
	}
	return append(dst, '\n')
}

func mashEdgesRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	name := g.o.labelOf(g.rows[i].Meta)
	for _, c := range counts {
		dst = append(append(dst, name...), '\t')
		dst = append(append(dst, g.o.labelOf(g.cols[c.Col].Meta)...), '\t')
		dst = g.appendMash(dst, i, c)
	}
	return dst
}

// sourmashLabel is what sourmash compare calls a sketch: its name, else its
// file, else the start of its digest.
func sourmashLabel(it sketch.Item) string {
	if l := it.Meta.Label(); l != "" {
		return l
	}
	digest, err := sig.Digest(it.Sketch.(sketch.HashSet))
	if err != nil { // not a sketch that sourmash has
		return ""
	}
	return digest[:8]
}

func sourmashHead(g *grid, w io.Writer) error {
	names := make([]string, len(g.cols))
	for i, it := range g.cols {
		names[i] = sourmashLabel(it)
	}
	return csvLine(w, names)
}

func csvLine(w io.Writer, cells []string) error {
	var b bytes.Buffer
	c := csv.NewWriter(&b)
	c.UseCRLF = true
	if err := c.Write(cells); err != nil {
		return err
	}
	c.Flush()
	_, err := w.Write(b.Bytes())
	return err
}

// sourmashRow is a row of sourmash compare --csv.
func sourmashRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	for j, c := range counts {
		if j > 0 {
			dst = append(dst, ',')
		}
		dst = python.AppendFloat(dst, g.sourmashValue(i, c))
	}
	return append(dst, "\r\n"...)
}

// sourmashValue is the value of sourmash compare, whose cell is of its column in
// its row: the diagonal is 1, and what is undefined is 0.
func (g *grid) sourmashValue(i int, c distance.Count) float64 {
	var v float64
	if e, ok := g.measure.(distance.PairEstimator); ok {
		v = e.FromPair(distance.Counted(g.cols[c.Col], g.rows[i], c)).Value
	} else {
		v = g.value(i, c) // which is symmetric
	}
	switch {
	case g.within && i == int(c.Col):
		v = 1
	case math.IsNaN(v):
		v = 0
	}
	if g.o.oneMinus {
		return 1 - v
	}
	return v
}
