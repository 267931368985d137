// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A TaxonCount counts hashes of references at a taxon, or in the clade below it.
type TaxonCount struct {
	ID                   TaxID
	Rank, Name           string
	Depth                int    // taxa above it
	Clade, Taxon         uint64 // hashes that the sample has
	CladeInDB, TaxonInDB uint64 // hashes that the references have
}

// A Report is how many hashes of references a sample has, by taxon, as mash
// taxscreen reports it. A hash belongs to the lowest taxon that all references
// with it belong to.
type Report struct {
	Seen uint64 // hashes that the sample has, those without a taxon included
	Taxa []TaxonCount
}

// A HashGroup is so many hashes whose references have a taxon in common.
type HashGroup struct {
	Taxon     TaxID // 0 if no reference has a taxid
	Seen, All uint64
}

// Report sums groups up the tree. Below a taxon the clades come by hashes seen,
// the most first, then by taxid; those without a hash seen are left out.
func (t *Tree) Report(groups []HashGroup) Report {
	counts := map[TaxID]*TaxonCount{}
	at := func(id TaxID) *TaxonCount {
		c := counts[id]
		if c == nil {
			n := t.nodes[id]
			c = &TaxonCount{ID: id, Rank: n.rank, Name: n.name}
			counts[id] = c
		}
		return c
	}
	children := map[TaxID][]TaxID{}
	linked := map[TaxID]bool{}
	var r Report
	for _, g := range groups {
		r.Seen += g.Seen
		if g.Taxon == 0 {
			continue
		}
		c := at(g.Taxon)
		c.Taxon += g.Seen
		c.TaxonInDB += g.All
		for id := g.Taxon; id > 0; id = t.up(id) {
			c := at(id)
			c.Clade += g.Seen
			c.CladeInDB += g.All
			if up := t.up(id); up > 0 && !linked[id] {
				linked[id] = true
				children[up] = append(children[up], id)
			}
		}
	}
	var walk func(id TaxID, depth int)
	walk = func(id TaxID, depth int) {
		c := counts[id]
		if c == nil || c.Clade == 0 {
			return
		}
		c.Depth = depth
		r.Taxa = append(r.Taxa, *c)
		below := children[id]
		slices.SortFunc(below, func(a, b TaxID) int {
			return cmp.Or(cmp.Compare(counts[b].Clade, counts[a].Clade), cmp.Compare(a, b))
		})
		for _, b := range below {
			walk(b, depth+1)
		}
	}
	walk(1, 0)
	return r
}

// WriteMash writes the table of mash taxscreen, whose header names the last
// columns in another order than they stand.
func (r Report) WriteMash(w io.Writer) error {
	if _, err := io.WriteString(w, "%\thashes\ttaxHashes\thashesDB\ttaxHashesDB\ttaxID\trank\tname\n"); err != nil {
		return err
	}
	for _, c := range r.Taxa {
		if _, err := fmt.Fprintf(w, "%.4f\t%d\t%d\t%d\t%d\t%s\t%d\t%s%s\n", 100*float64(c.Clade)/float64(r.Seen),
			c.Clade, c.Taxon, c.CladeInDB, c.TaxonInDB, c.Rank, c.ID, strings.Repeat("  ", c.Depth), c.Name); err != nil {
			return err
		}
	}
	return nil
}
