// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// Identifiers say how much of a name is the identifier that a taxonomy knows:
// "GCF_000005845.2 Escherichia coli" is GCF_000005845 unless more is kept.
type Identifiers struct {
	Whole    bool // the whole name
	Versions bool // the first word with its version (.2)
}

// Of is the identifier in a name.
func (o Identifiers) Of(name string) string {
	if o.Whole {
		return name
	}
	word, _, _ := strings.Cut(name, " ")
	if !o.Versions {
		word, _, _ = strings.Cut(word, ".")
	}
	return word
}

// A Table gives lineages to identifiers.
type Table struct {
	Ranks    Ranks
	lineages map[string]Lineage
	order    []string
	ranked   map[string]bool // ranks of which the table has a column
	ids      Identifiers
}

// NewTable is a table without a lineage.
func NewTable(ranks Ranks, ids Identifiers) *Table {
	return &Table{Ranks: ranks, lineages: map[string]Lineage{}, ranked: map[string]bool{}, ids: ids}
}

// Len is the number of identifiers.
func (t *Table) Len() int { return len(t.order) }

// Has says whether the table can know taxa of a rank.
func (t *Table) Has(rank string) bool { return t.ranked[rank] }

// Lineage is that of a name; false if there is none.
func (t *Table) Lineage(name string) (Lineage, bool) {
	l, ok := t.lineages[t.ids.Of(name)]
	return l, ok
}

// Each calls yield for every identifier in the order of the table.
func (t *Table) Each(yield func(ident string, l Lineage)) {
	for _, ident := range t.order {
		yield(ident, t.lineages[ident])
	}
}

// add enters a lineage. One that contradicts an earlier one is an error.
func (t *Table) add(name string, l Lineage, first bool) error {
	ident := t.ids.Of(name)
	if l = l.trim(); len(l) == 0 {
		return nil
	}
	old, ok := t.lineages[ident]
	switch {
	case !ok:
		t.lineages[ident] = l
		t.order = append(t.order, ident)
	case old.key() != l.key() && !first:
		return fmt.Errorf("%s has a second lineage: %s, and %s before", ident, l, old)
	}
	return nil
}

// Over puts a table above another: of an identifier that both know, t tells the
// lineage.
func (t *Table) Over(other *Table) (*Table, error) {
	if len(other.order) == 0 {
		return t, nil
	}
	if !t.Ranks.equal(other.Ranks) {
		return nil, fmt.Errorf("tables of different ranks: %s, and %s", strings.Join(t.Ranks, ","), strings.Join(other.Ranks, ","))
	}
	for _, ident := range other.order {
		if _, ok := t.lineages[ident]; !ok {
			t.lineages[ident] = other.lineages[ident]
			t.order = append(t.order, ident)
		}
	}
	for rank := range other.ranked {
		t.ranked[rank] = true
	}
	return t, nil
}

// LineageOptions say how a table of lineages is read.
type LineageOptions struct {
	Kind        Kind
	Identifiers Identifiers
	KeepFirst   bool // of several lineages of an identifier take the first; otherwise they are an error
}

// A Kind is one of the taxonomies that tables of lineages are of.
type Kind int

// Standard ranks have a column each, those of viruses (ICTV) too; LIN have one
// column, lin.
const (
	OfRanks Kind = iota
	OfViruses
	OfPositions
)

// ReadLineages reads a CSV of lineages in any of sourmash's spellings: a column
// ident (or identifiers, accession) and one for each rank, taxids in taxpath if
// it is there; or what Annotate has made, a column name (or match_name) and
// lineage.
func ReadLineages(r io.Reader, path string, o LineageOptions) (*Table, error) {
	c, err := newCSV(r, path)
	if err != nil {
		return nil, err
	}
	var read func(row []string) (Lineage, error)
	t := NewTable(Standard, o.Identifiers)
	if o.Kind == OfViruses {
		t.Ranks = ICTV
	}
	id := c.first("ident", "identifiers", "accession")
	annotated := c.first("name", "match_name")
	switch {
	case id >= 0 && o.Kind == OfPositions:
		read, err = t.fromList(c, "lin", true)
	case id >= 0:
		read, err = t.fromColumns(c)
	case annotated >= 0 && c.first("lineage") >= 0:
		id = annotated
		read, err = t.fromList(c, "lineage", o.Kind == OfPositions)
	default:
		err = fmt.Errorf("no column ident, identifiers or accession, and not name and lineage; it has %s", c.has())
	}
	if err != nil {
		return nil, sketch.BadInput(path, err)
	}
	if err := c.each(func(row []string) error {
		l, err := read(row)
		if err != nil {
			return err
		}
		return t.add(row[id], l, o.KeepFirst)
	}); err != nil {
		return nil, err
	}
	if t.Len() == 0 {
		return nil, sketch.BadInput(path, errors.New("no lineage in it"))
	}
	return t, nil
}

// fromColumns reads lineages that have a column for each rank; strain may be
// missing.
func (t *Table) fromColumns(c *csvFile) (func(row []string) (Lineage, error), error) {
	columns := make([]int, len(t.Ranks))
	for i, rank := range t.Ranks {
		columns[i] = c.first(rank)
		if columns[i] < 0 && rank != "strain" {
			return nil, fmt.Errorf("no column %q; it has %s", rank, c.has())
		}
		t.ranked[rank] = columns[i] >= 0
	}
	taxpath := c.first("taxpath")
	if !t.Ranks.equal(Standard) {
		taxpath = -1
	}
	return func(row []string) (Lineage, error) {
		l := make(Lineage, len(columns))
		var ids []string
		if taxpath >= 0 && row[taxpath] != "" {
			ids = strings.Split(row[taxpath], "|")
		}
		if len(ids) > len(l) {
			return nil, fmt.Errorf("%d taxids in taxpath for %d ranks", len(ids), len(l))
		}
		for i, at := range columns {
			if at >= 0 {
				l[i].Name = known(row[at])
			}
			if i < len(ids) {
				l[i].ID = ids[i]
			}
		}
		return l, nil
	}, nil
}

// fromList reads lineages that stand in one column, with ";" or "," between the
// names. The first row tells the number of positions of LIN.
func (t *Table) fromList(c *csvFile, column string, positions bool) (func(row []string) (Lineage, error), error) {
	at := c.first(column)
	if at < 0 {
		return nil, fmt.Errorf("no column %q; it has %s", column, c.has())
	}
	counted := false
	return func(row []string) (Lineage, error) {
		names := splitLineage(row[at])
		if positions && !counted && len(names) > 0 {
			t.Ranks, counted = Positions(len(names)), true
		}
		if len(names) > len(t.Ranks) || positions && len(names) > 0 && len(names) != len(t.Ranks) {
			return nil, fmt.Errorf("%d names in the lineage %q for %d ranks", len(names), row[at], len(t.Ranks))
		}
		l := make(Lineage, len(names))
		for i, name := range names {
			l[i].Name = known(name)
			t.ranked[t.Ranks[i]] = true
		}
		return l, nil
	}, nil
}

func splitLineage(s string) []string {
	if s == "" {
		return nil
	}
	if names := strings.Split(s, ";"); len(names) > 1 {
		return names
	}
	return strings.Split(s, ",")
}
