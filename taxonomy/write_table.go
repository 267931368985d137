// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"cmp"
	"io"
	"regexp"
	"slices"
	"strconv"
)

// WriteTable writes a table as sourmash tax prepare does.
func WriteTable(w io.Writer, t *Table) error {
	out := rowWriter{w: w, delimiter: ','}
	out.row(append([]string{"identifiers"}, t.Ranks...)...)
	t.Each(func(ident string, l Lineage) {
		row := make([]string, 1+len(t.Ranks))
		row[0] = ident
		for i, taxon := range l {
			row[i+1] = taxon.Name
		}
		out.row(row...)
	})
	return out.err
}

// Grep lists, sorted, the identifiers of lineages of which a name matches; rank
// is -1 for any.
func (t *Table) Grep(pattern *regexp.Regexp, rank int, invert bool) []string {
	var found []string
	t.Each(func(ident string, l Lineage) {
		hit := false
		for i, taxon := range l {
			hit = hit || (rank < 0 || rank == i) && taxon.Name != "" && pattern.MatchString(taxon.Name)
		}
		if hit != invert {
			found = append(found, ident)
		}
	})
	slices.Sort(found)
	return found
}

// WriteGrep writes identifiers with their lineages as sourmash tax grep does: a
// table of lineages and a picklist.
func WriteGrep(w io.Writer, t *Table, idents []string) error {
	out := rowWriter{w: w, delimiter: ','}
	out.row(append([]string{"ident"}, t.Ranks[:len(t.Ranks)-1]...)...)
	for _, ident := range idents {
		row := []string{ident}
		for _, taxon := range t.lineages[ident] {
			row = append(row, taxon.Name)
		}
		out.row(row...)
	}
	return out.err
}

// A NameCount is the number of different names at a rank.
type NameCount struct {
	Rank  string
	Names int
}

// Names counts the different names of each rank of a table. A name that stands
// at several ranks counts at the one where it comes first.
func (t *Table) Names() []NameCount {
	counts := make([]NameCount, len(t.Ranks))
	for i, rank := range t.Ranks {
		counts[i].Rank = rank
	}
	seen := map[string]bool{}
	t.Each(func(_ string, l Lineage) {
		for i, taxon := range l {
			if taxon.Name != "" && !seen[taxon.Name] {
				seen[taxon.Name] = true
				counts[i].Names++
			}
		}
	})
	return slices.DeleteFunc(counts, func(c NameCount) bool { return c.Names == 0 })
}

// WriteLineageCounts writes how many identifiers each lineage has at each rank,
// the most frequent first, as sourmash tax summarize -o does.
func WriteLineageCounts(w io.Writer, t *Table) error {
	type item struct {
		lineage Lineage
		n       int
	}
	var items []item
	place := map[string]int{}
	t.Each(func(_ string, l Lineage) {
		for ; len(l) > 0; l = l[:len(l)-1] {
			if l[len(l)-1].Name == "" {
				continue
			}
			i, ok := place[l.key()]
			if !ok {
				i = len(items)
				place[l.key()] = i
				items = append(items, item{lineage: l})
			}
			items[i].n++
		}
	})
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(b.n, a.n) })
	out := rowWriter{w: w, delimiter: ','}
	out.row("rank", "lineage_count", "lineage")
	for _, it := range items {
		out.row(t.Ranks[len(it.lineage)-1], strconv.Itoa(it.n), it.lineage.String())
	}
	return out.err
}
