// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

const (
	manifestName  = "SOURMASH-MANIFEST.csv"
	manifestMagic = "# SOURMASH-MANIFEST-VERSION: "
)

var manifestColumns = []string{
	"internal_location", "md5", "md5short", "ksize", "moltype", "num", "scaled",
	"n_hashes", "with_abundance", "name", "filename",
}

// manifestKey is what a row and a sketch are matched by.
type manifestKey struct{ md5, moltype, name string }

func keyOf(item sketch.Item) manifestKey {
	set := item.Sketch.(sketch.HashSet)
	e := set.Params().Elements
	return manifestKey{digest(ksizeOf(e), set.Hashes()), strings.ToLower(e.Molecule), item.Meta.ID}
}

// A manifest says which sketches lie where.
type manifest struct {
	locations []string // distinct, in order
	rows      map[string][]manifestKey
	n         int
}

func readManifest(r io.Reader) (*manifest, error) {
	buffered := bufio.NewReader(r)
	head := make([]byte, len(manifestMagic))
	if _, err := io.ReadFull(buffered, head); err != nil || string(head) != manifestMagic {
		return nil, errors.New("manifest: no version line")
	}
	version, err := buffered.ReadSlice('\n')
	if err != nil {
		return nil, errors.New("manifest: no version line")
	}
	if v, err := strconv.ParseFloat(strings.TrimSpace(string(version)), 64); err != nil || v != 1 {
		return nil, fmt.Errorf("manifest: version %q, known is 1.0", strings.TrimSpace(string(version)))
	}
	table := csv.NewReader(buffered)
	table.ReuseRecord = true
	header, err := table.Read()
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	var at [4]int
	for i, column := range []string{"internal_location", "md5", "moltype", "name"} {
		if at[i] = slices.Index(header, column); at[i] < 0 {
			return nil, fmt.Errorf("manifest: no column %q", column)
		}
	}
	m := &manifest{rows: map[string][]manifestKey{}}
	for {
		row, err := table.Read()
		if err == io.EOF {
			return m, nil
		}
		if err != nil {
			return nil, fmt.Errorf("manifest: %w", err)
		}
		location := strings.Clone(row[at[0]])
		if _, ok := m.rows[location]; !ok {
			m.locations = append(m.locations, location)
		}
		key := manifestKey{strings.Clone(row[at[1]]), strings.ToLower(row[at[2]]), strings.Clone(row[at[3]])}
		m.rows[location] = append(m.rows[location], key)
		m.n++
	}
}

// manifestRow is the row that describes an item.
func manifestRow(location, md5sum string, item sketch.Item) []string {
	p := item.Sketch.Params()
	abundance := "False"
	if p.Weighted {
		abundance = "True"
	}
	return []string{
		location, md5sum, md5sum[:8],
		strconv.Itoa(p.Elements.K), molecules[p.Elements.Molecule],
		strconv.Itoa(p.Size), strconv.FormatUint(p.Scaled, 10),
		strconv.Itoa(item.Sketch.Len()), abundance, item.Meta.ID, sourceOf(item.Meta),
	}
}

// writeManifest writes the version line, which ends in LF, and the table,
// whose lines end in CRLF, as Python's csv does.
func writeManifest(w io.Writer, rows [][]string) error {
	if _, err := io.WriteString(w, manifestMagic+"1.0\n"); err != nil {
		return err
	}
	table := csv.NewWriter(w)
	table.UseCRLF = true
	if err := table.Write(manifestColumns); err != nil {
		return err
	}
	return table.WriteAll(rows)
}
