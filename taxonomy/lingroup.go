// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// Groups are named prefixes of LIN.
type Groups struct {
	names map[string]string // by "14;1;0"
	order []string
	ranks map[int]bool
}

// ReadGroups reads a CSV with the columns name and lin.
func ReadGroups(r io.Reader, path string) (*Groups, error) {
	c, err := newCSV(r, path)
	if err != nil {
		return nil, err
	}
	name, lin := c.first("name"), c.first("lin")
	if name < 0 || lin < 0 {
		return nil, sketch.BadInput(path, errors.New("columns name and lin are needed"))
	}
	g := &Groups{names: map[string]string{}, ranks: map[int]bool{}}
	err = c.each(func(row []string) error {
		prefix := strings.Join(splitLineage(row[lin]), ";")
		if prefix == "" || row[name] == "" {
			return errors.New("a group without a name or a prefix")
		}
		if _, ok := g.names[prefix]; !ok {
			g.order = append(g.order, prefix)
		}
		g.names[prefix] = row[name]
		g.ranks[strings.Count(prefix, ";")] = true
		return nil
	})
	if err == nil && len(g.order) == 0 {
		err = sketch.BadInput(path, errors.New("no group in it"))
	}
	// A group comes before those inside it.
	slices.SortStableFunc(g.order, func(a, b string) int {
		return slices.Compare(strings.Split(a, ";"), strings.Split(b, ";"))
	})
	return g, err
}
