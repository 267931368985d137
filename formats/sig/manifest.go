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

func newKey(md5, moltype, name string) manifestKey {
	// encoding/csv reads a CRLF within a field as LF
	return manifestKey{strings.Clone(md5), strings.ToLower(moltype), strings.ReplaceAll(name, "\r\n", "\n")}
}

// key is that of sketch i.
func (f found) key(i int) manifestKey {
	return newKey(f.md5sums[i], f.items[i].Sketch.Params().Elements.Molecule, f.items[i].Meta.ID)
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
		m.rows[location] = append(m.rows[location], newKey(row[at[1]], row[at[2]], strings.Clone(row[at[3]])))
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

// An Entry is a sketch and the path of the file that it lies in.
type Entry struct {
	Location string
	sketch.Item
}

// WriteManifest writes a standalone manifest, as sourmash sig collect does. A
// location that is not absolute is relative to the directory of the manifest.
func WriteManifest(w io.Writer, entries []Entry) error {
	var rows [][]string
	for _, e := range entries {
		if err := Holds(e.Sketch.Params()); err != nil {
			return fmt.Errorf("%s: %s: %w", e.Location, e.Meta.Label(), err)
		}
		md5sum, err := Digest(e.Sketch.(sketch.HashSet))
		if err != nil {
			return fmt.Errorf("%s: %s: %w", e.Location, e.Meta.Label(), err)
		}
		rows = append(rows, manifestRow(e.Location, md5sum, e.Item))
	}
	return writeManifest(w, rows)
}

// writeManifest writes the version line, which ends in LF, and the table,
// whose lines end in CRLF, as Python's csv does. encoding/csv would drop a CR
// within a name.
func writeManifest(w io.Writer, rows [][]string) error {
	b := []byte(manifestMagic + "1.0\n")
	b = appendRow(b, manifestColumns)
	for _, row := range rows {
		b = appendRow(b, row)
	}
	_, err := w.Write(b)
	return err
}

func appendRow(b []byte, row []string) []byte {
	for i, field := range row {
		if i > 0 {
			b = append(b, ',')
		}
		if strings.ContainsAny(field, "\",\r\n") {
			field = `"` + strings.ReplaceAll(field, `"`, `""`) + `"`
		}
		b = append(b, field...)
	}
	return append(b, "\r\n"...)
}
