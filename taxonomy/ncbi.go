// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// A TaxID is a number of the NCBI taxonomy; 0 is none, 1 the root.
type TaxID uint64

type node struct {
	parent     TaxID
	rank, name string
}

// A Tree is a dump of the NCBI taxonomy. Schoch et al. 2020,
// doi:10.1093/database/baaa062.
type Tree struct{ nodes map[TaxID]node }

// longestLine bounds a line of a dump.
const longestLine = 1 << 20

// ReadTree reads nodes.dmp and names.dmp. Fields end with "\t|"; of the names the
// scientific ones are taken.
func ReadTree(nodes, names io.Reader, nodesPath, namesPath string) (*Tree, error) {
	t := &Tree{map[TaxID]node{}}
	err := dump(nodes, nodesPath, 3, func(id TaxID, f []string) error {
		parent, err := taxid(f[1])
		if err != nil {
			return err
		}
		if _, ok := t.nodes[id]; ok {
			return fmt.Errorf("taxid %d comes a second time", id)
		}
		t.nodes[id] = node{parent: parent, rank: f[2]}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := t.check(); err != nil {
		return nil, sketch.BadInput(nodesPath, err)
	}
	return t, dump(names, namesPath, 4, func(id TaxID, f []string) error {
		n, ok := t.nodes[id]
		if ok && f[3] == "scientific name" {
			n.name = f[1]
			t.nodes[id] = n
		}
		return nil
	})
}

// dump reads the lines of a file of the dump.
func dump(r io.Reader, path string, fields int, yield func(id TaxID, f []string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, longestLine)
	line := 0
	for s.Scan() {
		line++
		if strings.TrimSpace(s.Text()) == "" {
			continue
		}
		f := strings.Split(s.Text(), "|")
		for i := range f {
			f[i] = strings.Trim(f[i], "\t\r ")
		}
		err := fmt.Errorf("%d fields between |, at least %d expected", len(f), fields)
		if len(f) >= fields {
			var id TaxID
			if id, err = taxid(f[0]); err == nil {
				err = yield(id, f)
			}
		}
		if err != nil {
			return sketch.BadInput(path, fmt.Errorf("line %d: %w", line, err))
		}
	}
	if err := s.Err(); err != nil {
		return sketch.BadInput(path, fmt.Errorf("line %d: %w", line+1, err))
	}
	if line == 0 {
		return sketch.BadInput(path, errors.New("empty file"))
	}
	return nil
}

func taxid(s string) (TaxID, error) {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("%q is no taxid", s)
	}
	return TaxID(n), nil
}

// check sees to it that every way up ends at the root.
func (t *Tree) check() error {
	if _, ok := t.nodes[1]; !ok {
		return errors.New("no root (taxid 1)")
	}
	done := map[TaxID]bool{1: true}
	for id := range t.nodes {
		var way []TaxID
		for at := id; !done[at]; at = t.nodes[at].parent {
			if _, ok := t.nodes[at]; !ok {
				return fmt.Errorf("taxid %d, a parent of %d, has no line", at, id)
			}
			if len(way) > len(t.nodes) || len(way) > 0 && t.nodes[at].parent == at {
				return fmt.Errorf("the parents of taxid %d do not lead to the root", id)
			}
			way = append(way, at)
		}
		for _, at := range way {
			done[at] = true
		}
	}
	return nil
}

// Has says whether the tree knows a taxid.
func (t *Tree) Has(id TaxID) bool {
	_, ok := t.nodes[id]
	return ok
}

// up is the parent; 0 above the root.
func (t *Tree) up(id TaxID) TaxID {
	if id <= 1 {
		return 0
	}
	return t.nodes[id].parent
}

// depth is the number of taxa above.
func (t *Tree) depth(id TaxID) int {
	n := 0
	for ; id > 1; id = t.up(id) {
		n++
	}
	return n
}

// Common is the lowest taxon that both belong to. 0 is no taxon: the other one
// is taken.
func (t *Tree) Common(a, b TaxID) TaxID {
	if a == 0 || b == 0 {
		return a + b
	}
	da, db := t.depth(a), t.depth(b)
	for ; da > db; da-- {
		a = t.up(a)
	}
	for ; db > da; db-- {
		b = t.up(b)
	}
	for a != b {
		a, b = t.up(a), t.up(b)
	}
	return a
}

// standardRank is the place in Standard of a rank of the NCBI: superkingdoms
// were renamed to domains, and Viruses to an acellular root, in 2025.
func standardRank(rank string) int {
	switch rank {
	case "domain", "acellular root":
		rank = "superkingdom"
	}
	return Standard.Index(rank)
}

// Lineage is what is above a taxid at the standard ranks.
func (t *Tree) Lineage(id TaxID) Lineage {
	l := make(Lineage, len(Standard))
	for ; id > 1; id = t.up(id) {
		n := t.nodes[id]
		if i := standardRank(n.rank); i >= 0 && l[i].Name == "" {
			l[i] = Taxon{n.name, strconv.FormatUint(uint64(id), 10)}
		}
	}
	return l.trim()
}

// ReadTaxIDs reads which name has which taxid: lines of a taxid and a name, as
// mash taxscreen takes them, or a table of the NCBI (accession2taxid), whose
// header says accession.version and taxid.
func ReadTaxIDs(r io.Reader, path string) (map[string]TaxID, error) {
	ids := map[string]TaxID{}
	s := bufio.NewScanner(r)
	s.Buffer(nil, longestLine)
	nameAt, idAt := -1, -1
	for line := 1; s.Scan(); line++ {
		text := strings.TrimSuffix(s.Text(), "\r")
		fields := strings.Split(text, "\t")
		if line == 1 {
			for i, f := range fields {
				switch f {
				case "accession.version":
					nameAt = i
				case "taxid":
					idAt = i
				}
			}
			if nameAt >= 0 && idAt >= 0 {
				continue
			}
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		id, name := text, ""
		if nameAt >= 0 && idAt >= 0 {
			if len(fields) <= max(nameAt, idAt) {
				return nil, sketch.BadInput(path, fmt.Errorf("line %d: %d columns", line, len(fields)))
			}
			id, name = fields[idAt], fields[nameAt]
		} else if i := strings.IndexAny(text, " \t"); i > 0 {
			id, name = text[:i], text[i+1:]
		}
		n, err := taxid(id)
		if err == nil && name == "" {
			err = errors.New("a taxid without a name")
		}
		if err == nil && ids[name] != 0 && ids[name] != n {
			err = fmt.Errorf("%s has taxid %d before", name, ids[name])
		}
		if err != nil {
			return nil, sketch.BadInput(path, fmt.Errorf("line %d: %w", line, err))
		}
		ids[name] = n
	}
	if err := s.Err(); err != nil {
		return nil, sketch.BadInput(path, err)
	}
	if len(ids) == 0 {
		return nil, sketch.BadInput(path, errors.New("no taxid in it"))
	}
	return ids, nil
}

// Table gives the lineages of the tree to names with taxids; missing lists those
// whose taxid the tree does not know.
func (t *Tree) Table(ids map[string]TaxID, o Identifiers) (table *Table, missing []string, err error) {
	table = NewTable(Standard, o)
	for _, rank := range Standard {
		table.ranked[rank] = true
	}
	for _, name := range sortedKeys(ids) {
		if !t.Has(ids[name]) {
			missing = append(missing, name)
			continue
		}
		if err := table.add(name, t.Lineage(ids[name]), false); err != nil {
			return nil, nil, err
		}
	}
	return table, missing, nil
}
