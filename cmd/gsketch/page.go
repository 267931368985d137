// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/report"
)

// maxPageRows bounds the table of a page, which browsers sort and search whole.
const maxPageRows = 20_000

// A pageFile is a page beside a table: it keeps the lines of the table while
// they are written, so that both say the same.
type pageFile struct {
	out  *output
	kept bytes.Buffer
	rows int
}

// createPage opens the page of --html before work begins; nil if none is asked
// for. format is that of the table, which goes to the file table.
func createPage(cmd *cobra.Command, path, table, format string, force bool) (*pageFile, error) {
	if path == "" {
		return nil, nil
	}
	if filepath.Clean(path) == filepath.Clean(table) {
		return nil, usagef("--html %s: the table goes there; name another file", path)
	}
	if format != "tsv" {
		return nil, usagef("--html shows the table of --format tsv, not %s", format)
	}
	out, err := create(path, cmd.OutOrStdout(), force)
	if err != nil {
		return nil, err
	}
	return &pageFile{out: out}, nil
}

// beside is a writer to w that the page follows.
func (p *pageFile) beside(w io.Writer) io.Writer {
	if p == nil {
		return w
	}
	return io.MultiWriter(w, p)
}

// Write keeps whole lines: the header and the first maxPageRows.
func (p *pageFile) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			end = len(rest)
		}
		if p.rows <= maxPageRows {
			p.kept.Write(rest[:end])
		}
		if rest[end-1] == '\n' {
			p.rows++
		}
		rest = rest[end:]
	}
	return len(b), nil
}

// table is what was kept.
func (p *pageFile) table() report.Section {
	lines := strings.Split(strings.TrimSuffix(p.kept.String(), "\n"), "\n")
	t := &report.Table{Columns: strings.Split(lines[0], "\t")}
	for _, l := range lines[1:] {
		t.Rows = append(t.Rows, strings.Split(l, "\t"))
	}
	s := report.Section{Heading: "Table", Table: t}
	if all := p.rows - 1; all > len(t.Rows) {
		s.Text = []string{fmt.Sprintf("The first %d of %d rows; the TSV has all.", len(t.Rows), all)}
	}
	return s
}

// commit writes the page with its table last.
func (p *pageFile) commit(page report.Page) error {
	if p == nil {
		return nil
	}
	page.Sections = append(page.Sections, p.table())
	if err := page.WriteHTML(p.out); err != nil {
		return err
	}
	return p.out.commit()
}

func (p *pageFile) discard() {
	if p != nil {
		p.out.discard()
	}
}
