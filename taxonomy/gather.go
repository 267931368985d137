// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/gsketch/gsketch/sketch"
)

// A Query is a sample or genome with what gather has found in it.
type Query struct {
	Name, MD5, Source string
	Bases             uint64 // hashes times scaled
	K                 int
	Scaled            uint64
	Hashes            uint64
	TotalWeight       uint64 // hashes with their copies; 0 if the table does not say
	Matches           []Match
}

// A Match is a row of gather.
type Match struct {
	Name     string
	Unique   float64 // share of the query that this match alone explains
	Weighted float64 // the same with copies
	Bases    uint64  // hashes behind Unique times scaled
	Lineage  Lineage // nil where the taxonomy has none
}

// gatherColumns are those of sourmash gather that are needed.
var gatherColumns = []string{"query_name", "query_md5", "query_filename", "query_bp", "ksize", "scaled",
	"f_unique_to_query", "f_unique_weighted", "unique_intersect_bp"}

// ReadGather reads the CSV of sourmash gather (or gsketch gather --format
// sourmash) and looks the matches up in a table. Queries come in the order of
// their first rows.
func ReadGather(r io.Reader, path string, t *Table) ([]*Query, error) {
	c, err := newCSV(r, path)
	if err != nil {
		return nil, err
	}
	at := make([]int, len(gatherColumns))
	for i, name := range gatherColumns {
		if at[i] = c.first(name); at[i] < 0 {
			return nil, sketch.BadInput(path, fmt.Errorf("no column %q; a CSV of gsketch gather --format sourmash or of sourmash gather (4.4 or later) has it", name))
		}
	}
	name := c.first("name", "match_name")
	if name < 0 {
		return nil, sketch.BadInput(path, errors.New("no column name or match_name"))
	}
	hashes, weight := c.first("query_n_hashes"), c.first("total_weighted_hashes")
	var queries []*Query
	err = c.each(func(row []string) error {
		cells := cells{row: row}
		q := Query{Name: row[at[0]], MD5: row[at[1]], Source: row[at[2]],
			Bases: cells.uint(at[3]), K: int(cells.uint(at[4])), Scaled: cells.uint(at[5]),
			Hashes: cells.uint(hashes), TotalWeight: cells.uint(weight)}
		m := Match{Name: row[name], Unique: cells.share(at[6]), Weighted: cells.share(at[7]), Bases: cells.uint(at[8])}
		if cells.err == nil && (q.K < 1 || q.K > 1<<16) {
			cells.err = fmt.Errorf("ksize %d", q.K)
		}
		if cells.err != nil {
			return cells.err
		}
		m.Lineage, _ = t.Lineage(m.Name)
		i := slices.IndexFunc(queries, func(p *Query) bool { return p.Name == q.Name })
		if i < 0 {
			i = len(queries)
			queries = append(queries, &q)
		} else if !queries[i].same(q) {
			return fmt.Errorf("another query of the name %q: md5, size, k or scaled differ", q.Name)
		}
		queries[i].Matches = append(queries[i].Matches, m)
		return nil
	})
	if err == nil && len(queries) == 0 {
		err = sketch.BadInput(path, errors.New("no row in it"))
	}
	return queries, err
}

func (q *Query) same(o Query) bool {
	o.Matches = q.Matches
	return q.Name == o.Name && q.MD5 == o.MD5 && q.Source == o.Source && q.Bases == o.Bases && q.K == o.K &&
		q.Scaled == o.Scaled && q.Hashes == o.Hashes && q.TotalWeight == o.TotalWeight
}

// HasCopies says whether copies make a difference.
func (q *Query) HasCopies() bool {
	return slices.ContainsFunc(q.Matches, func(m Match) bool { return m.Weighted != m.Unique })
}

// cells reads the numbers of a row and keeps the first error.
type cells struct {
	row []string
	err error
}

// uint reads a count; 0 where there is no column or no value.
func (c *cells) uint(at int) uint64 {
	if at < 0 || c.row[at] == "" {
		return 0
	}
	n, err := strconv.ParseUint(c.row[at], 10, 64)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("%q is no count", c.row[at])
	}
	return n
}

// share reads a share, which rounding may have made a little more than 1.
func (c *cells) share(at int) float64 {
	v, err := strconv.ParseFloat(c.row[at], 64)
	if (err != nil || !(v >= 0 && v <= 1+rounding)) && c.err == nil {
		c.err = fmt.Errorf("%q is no share, 0 to 1", c.row[at])
	}
	return v
}

// rounding is by how much sums of shares may leave 0..1.
const rounding = 1e-9

// Missing lists the identifiers of matches without a lineage, sorted, and how
// many rows they have.
func Missing(queries []*Query, o Identifiers) (idents []string, rows int) {
	seen := map[string]bool{}
	for _, q := range queries {
		for _, m := range q.Matches {
			if m.Lineage == nil {
				seen[o.Of(m.Name)] = true
				rows++
			}
		}
	}
	return sortedKeys(seen), rows
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Annotate copies a CSV and adds a column with the lineage of each row, which
// is looked up by the first of the columns name, match_name, ident, accession.
// It returns the identifiers without one.
func Annotate(r io.Reader, path string, t *Table, w io.Writer) (rows int, missing []string, err error) {
	c, err := newCSV(r, path)
	if err != nil {
		return 0, nil, err
	}
	at := c.first("name", "match_name", "ident", "accession")
	if at < 0 {
		return 0, nil, sketch.BadInput(path, fmt.Errorf("no column name, match_name, ident or accession; it has %s", c.has()))
	}
	if slices.Contains(c.header, "lineage") {
		return 0, nil, sketch.BadInput(path, errors.New("it has a column lineage already"))
	}
	out := rowWriter{w: w, delimiter: ','}
	out.row(append(c.header, "lineage")...)
	seen := map[string]bool{}
	err = c.each(func(row []string) error {
		rows++
		l, ok := t.Lineage(row[at])
		if !ok {
			seen[t.ids.Of(row[at])] = true
		}
		out.row(append(row, l.Names(";"))...)
		return out.err
	})
	return rows, sortedKeys(seen), err
}
