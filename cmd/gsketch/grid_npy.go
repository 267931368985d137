// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/sketch"
)

// npyHead writes the header of numpy's format 1.0 for an array of little-endian
// doubles in C order, padded so that the data begin at a multiple of 64.
func npyHead(g *grid, w io.Writer) error {
	dict := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", len(g.rows), len(g.cols))
	const before = 10 // magic, version and length
	pad := (64 - (before+len(dict)+1)%64) % 64
	dict += strings.Repeat(" ", pad) + "\n"
	head := append([]byte("\x93NUMPY\x01\x00"), byte(len(dict)), byte(len(dict)>>8))
	_, err := w.Write(append(head, dict...))
	return err
}

func npyRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	for _, c := range counts {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(g.cell(i, c)))
	}
	return dst
}

func sourmashNpyRow(g *grid, dst []byte, i int, counts []distance.Count) []byte {
	for _, c := range counts {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(g.sourmashValue(i, c)))
	}
	return dst
}

// npyLabels writes the names of the rows, and those of the columns where they
// are others, a name a line.
func npyLabels(g *grid, o *distOptions, _ io.Writer) error {
	if err := writeLabels(g, o.output+".labels.txt", g.rows); err != nil || g.within {
		return err
	}
	return writeLabels(g, o.output+".columns.txt", g.cols)
}

func writeLabels(g *grid, path string, items []sketch.Item) error {
	out, err := create(path, nil, true)
	if err != nil {
		return err
	}
	defer out.discard()
	if _, err := io.WriteString(out, strings.Join(labels(g, items), "\n")); err != nil {
		return err
	}
	return out.commit()
}
