// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gsketch/gsketch/formats/columns"
	"github.com/gsketch/gsketch/sketch"
)

// The columns of a list of pairs that ReadLabels looks at; stratum may be
// missing.
const (
	columnA       = "a"
	columnB       = "b"
	columnStratum = "stratum"
	columnLabel   = "label"
)

// mostLabelBytes bounds a file of labels, which has the texts of its pairs.
const mostLabelBytes = 1 << 30

// ReadLabels reads the labels of pairs from a table that Draw made, tab-separated
// or Parquet, once people have filled in its column label. Errors are
// *sketch.InputError with the line or row.
func ReadLabels(path string) ([]Label, error) {
	f, err := os.Open(path)
	if err != nil {
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, sketch.BadInput(path, err)
	}
	defer f.Close()
	magic := make([]byte, 4)
	n, err := io.ReadFull(f, magic)
	if err == nil && bytes.Equal(magic, []byte("PAR1")) {
		return labelsOfParquet(path)
	}
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, sketch.BadInput(path, err)
	}
	return labelsOfText(path, io.LimitReader(io.MultiReader(bytes.NewReader(magic[:n]), f), mostLabelBytes+1))
}

func labelsOfText(path string, r io.Reader) ([]Label, error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 1<<16), 64<<20)
	var header []string
	var all []Label
	var line uint64
	var read int64
	fail := func(err error) ([]Label, error) {
		return nil, &sketch.InputError{Path: path, Record: line, Offset: -1, Err: err}
	}
	for in.Scan() {
		line++
		text := in.Text()
		if read += int64(len(text)) + 1; read > mostLabelBytes {
			return fail(fmt.Errorf("more than %d bytes", int64(mostLabelBytes)))
		}
		text = strings.TrimSuffix(text, "\r")
		if line == 1 {
			header = strings.Split(strings.TrimPrefix(text, "\xef\xbb\xbf"), "\t")
			for _, name := range []string{columnA, columnB, columnLabel} {
				if !slices.Contains(header, name) {
					return fail(fmt.Errorf("no column %q in the header", name))
				}
			}
			continue
		}
		if text == "" {
			continue
		}
		cells := strings.Split(text, "\t")
		if len(cells) > len(header) {
			return fail(fmt.Errorf("%d cells under %d columns", len(cells), len(header)))
		}
		l, err := labelOf(func(name string) string {
			if i := slices.Index(header, name); i >= 0 && i < len(cells) {
				return cells[i]
			}
			return "" // an editor may drop empty cells at the end
		})
		if err != nil {
			return fail(err)
		}
		all = append(all, l)
	}
	if err := in.Err(); err != nil {
		line++
		return fail(err)
	}
	if line == 0 {
		return nil, sketch.BadInput(path, errors.New("is empty"))
	}
	return all, nil
}

func labelOf(cell func(string) string) (Label, error) {
	v, err := ParseVerdict(cell(columnLabel))
	l := Label{A: cell(columnA), B: cell(columnB), Kind: cell(columnStratum), Verdict: v}
	switch {
	case err != nil:
		return l, err
	case l.A == "" || l.B == "":
		return l, errors.New("a pair without names")
	case l.A == l.B:
		return l, fmt.Errorf("a pair of %q with itself", l.A)
	case l.Kind == "" || l.Kind == All:
		l.Kind = "none"
	}
	return l, nil
}

func labelsOfParquet(path string) ([]Label, error) {
	t, err := columns.Open(path, nil)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	of := map[string]*columns.Column{}
	for _, name := range []string{columnA, columnB, columnStratum, columnLabel} {
		if name == columnStratum && !t.Has(name) {
			continue
		}
		if of[name], err = t.Column(name, columns.Strings, columns.Int32, columns.Int64, columns.Bool); err != nil {
			return nil, err
		}
	}
	var all []Label
	for {
		if ok, err := t.Next(); err != nil || !ok {
			return all, err
		}
		cells := map[string]string{}
		for name, c := range of {
			v, err := c.Append(nil)
			if err != nil && !errors.Is(err, columns.ErrNull) {
				return nil, t.Fail(fmt.Errorf("column %q: %w", name, err))
			}
			cells[name] = string(v)
		}
		l, err := labelOf(func(name string) string { return cells[name] })
		if err != nil {
			return nil, t.Fail(err)
		}
		all = append(all, l)
	}
}
