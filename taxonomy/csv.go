// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// A csvFile is a CSV with a header, read row by row.
type csvFile struct {
	path   string
	r      *csv.Reader
	header []string
}

func newCSV(r io.Reader, path string) (*csvFile, error) {
	c := &csvFile{path: path, r: csv.NewReader(r)}
	header, err := c.r.Read()
	if err == io.EOF {
		err = errors.New("empty file, no header")
	}
	if err != nil {
		return nil, sketch.BadInput(path, err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	c.header = header
	return c, nil
}

// first is the place of the first column that is there; -1 if none is.
func (c *csvFile) first(names ...string) int {
	for _, name := range names {
		if i := slices.Index(c.header, name); i >= 0 {
			return i
		}
	}
	return -1
}

// each calls yield for every row and adds the line to its errors.
func (c *csvFile) each(yield func(row []string) error) error {
	for {
		row, err := c.r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return sketch.BadInput(c.path, err)
		}
		line, _ := c.r.FieldPos(0)
		if err := yield(row); err != nil {
			return sketch.BadInput(c.path, fmt.Errorf("line %d: %w", line, err))
		}
	}
}

// has lists the columns for a message; what is no CSV may have anything there.
func (c *csvFile) has() string {
	const most = 200 // bytes
	list := strings.Join(c.header, ", ")
	if len(list) > most {
		list = list[:most] + "..."
	}
	if q := strconv.Quote(list); q != `"`+list+`"` {
		return q
	}
	return list
}
