// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/gsketch/gsketch/formats/msh"
	"github.com/gsketch/gsketch/sketch"
)

// mashFiles checks that all is what mash info can speak of: bottom-k sketches,
// of one kind a file.
func mashFiles(files []source) error {
	for _, f := range files {
		if len(f.collections) != 1 || f.collections[0].Params().Family != sketch.BottomK {
			return usagef("%s: the formats of mash info are for files with bottom-k sketches of one kind; it has %s", f.path, list(f.collections))
		}
	}
	return nil
}

func alphabetOf(e sketch.Elements) string {
	if e.Molecule == sketch.Letters {
		return e.Alphabet
	}
	return "ACGT"
}

func infoMashHeader(files []source, w io.Writer) error {
	if err := mashFiles(files); err != nil {
		return err
	}
	for _, f := range files {
		if err := mashHeader(f.collections[0], w); err != nil {
			return err
		}
	}
	return nil
}

func mashHeader(c sketch.Collection, w io.Writer) error {
	p := c.Params()
	alphabet := alphabetOf(p.Elements)
	if p.Elements.Canonical {
		alphabet += " (canonical)"
	}
	if p.Elements.PreserveCase {
		alphabet += " (case-sensitive)"
	}
	_, err := fmt.Fprintf(w, `Header:
  Hash function (seed):          MurmurHash3_x64_128 (%d)
  K-mer size:                    %d (%d-bit hashes)
  Alphabet:                      %s
  Target min-hashes per sketch:  %d
  Sketches:                      %d
`, p.Hash.Seed, p.Elements.K, p.Hash.Bits, alphabet, p.Size, c.Len())
	return err
}

func infoMash(files []source, w io.Writer) error {
	if err := mashFiles(files); err != nil {
		return err
	}
	for _, f := range files {
		c := f.collections[0]
		if err := mashHeader(c, w); err != nil {
			return err
		}
		fmt.Fprint(w, "\nSketches:\n")
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.TabIndent)
		fmt.Fprintln(t, "  [Hashes]\t[Length]\t[ID]\t[Comment]\n\t\t\t")
		for i := range c.Len() {
			m := c.Meta(i)
			fmt.Fprintf(t, "  %d\t%d\t%s\t%s\n\t\t\t\n", c.At(i).Len(), m.Length, m.Label(), m.Comment)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func infoMashTable(files []source, w io.Writer) error {
	if err := mashFiles(files); err != nil {
		return err
	}
	if err := line(w, []string{"#Hashes", "Length", "ID", "Comment"}); err != nil {
		return err
	}
	return each(files, func(_ string, m sketch.Meta, s sketch.Sketch) error {
		return line(w, []string{strconv.Itoa(s.Len()), strconv.FormatUint(m.Length, 10), field(m.Label()), field(m.Comment)})
	})
}

// infoMashCounts is the histogram of abundances.
func infoMashCounts(files []source, w io.Writer) error {
	if err := mashFiles(files); err != nil {
		return err
	}
	if err := line(w, []string{"#Sketch", "Bin", "Frequency"}); err != nil {
		return err
	}
	for _, f := range files {
		for i := range f.collections[0].Len() {
			counts := countsOf(f.collections[0], i)
			slices.Sort(counts)
			for len(counts) > 0 {
				n := 1
				for n < len(counts) && counts[n] == counts[0] {
					n++
				}
				if err := line(w, []string{field(f.collections[0].Meta(i).Label()), strconv.FormatUint(counts[0], 10), strconv.Itoa(n)}); err != nil {
					return err
				}
				counts = counts[n:]
			}
		}
	}
	return nil
}

// countsOf are the abundances of a sketch as a multiset. Files of Mash 2.3 have
// them in an order that means nothing, so the sketch itself has none.
func countsOf(c sketch.Collection, i int) []uint64 {
	if f, ok := c.(*msh.File); ok {
		var counts []uint64
		for _, n := range f.Counts(i) {
			counts = append(counts, uint64(n))
		}
		return counts
	}
	return slices.Clone(c.At(i).(sketch.Abundant).Abundances())
}

// infoMashDump is mash info -d with names escaped and all numbers whole.
func infoMashDump(files []source, w io.Writer) error {
	if err := mashFiles(files); err != nil {
		return err
	}
	type entry struct {
		Name    string   `json:"name"`
		Length  uint64   `json:"length"`
		Comment string   `json:"comment"`
		Hashes  []uint64 `json:"hashes"`
	}
	type dump struct {
		KMer         int     `json:"kmer"`
		Alphabet     string  `json:"alphabet"`
		PreserveCase bool    `json:"preserveCase"`
		Canonical    bool    `json:"canonical"`
		SketchSize   int     `json:"sketchSize"`
		HashType     string  `json:"hashType"`
		HashBits     int     `json:"hashBits"`
		HashSeed     uint64  `json:"hashSeed"`
		Sketches     []entry `json:"sketches"`
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	e.SetEscapeHTML(false)
	for _, f := range files {
		c := f.collections[0]
		p := c.Params()
		d := dump{p.Elements.K, alphabetOf(p.Elements), p.Elements.PreserveCase, p.Elements.Canonical, p.Size, "MurmurHash3_x64_128", p.Hash.Bits, p.Hash.Seed, []entry{}}
		for i := range c.Len() {
			m := c.Meta(i)
			d.Sketches = append(d.Sketches, entry{m.Label(), m.Length, m.Comment, append([]uint64{}, c.At(i).(sketch.HashSet).Hashes()...)})
		}
		if err := e.Encode(d); err != nil {
			return err
		}
	}
	return nil
}
