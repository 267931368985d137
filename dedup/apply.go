// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/formats/steps"
	"github.com/gsketch/gsketch/sketch"
)

// Verdicts are what a manifest, reviewed perhaps, says of the rows of a corpus:
// row i is Verdicts[i].
type Verdicts []steps.Verdict

// ReadVerdicts reads the columns row, id and keep of a manifest, Parquet or
// tab-separated. Rows must be those of a whole corpus: 0, 1, 2 and so on.
func ReadVerdicts(path string) (Verdicts, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, sketch.BadInput(path, errors.Unwrap(err))
	}
	defer f.Close()
	in := bufio.NewReader(f)
	var all Verdicts
	add := func(v steps.Verdict) error {
		if v.Row != int64(len(all)) {
			return &sketch.InputError{Path: path, Record: uint64(len(all)) + 1, Name: v.ID, Offset: -1,
				Err: fmt.Errorf("row %d where row %d is expected: a manifest has all rows, in order", v.Row, len(all))}
		}
		all = append(all, v)
		return nil
	}
	if head, err := in.Peek(4); err == nil && string(head) == "PAR1" {
		for v, err := range steps.ReadVerdicts(path) {
			if err == nil {
				err = add(v)
			}
			if err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	return all, eachVerdict(in, path, add)
}

// eachVerdict reads a tab-separated manifest.
func eachVerdict(in *bufio.Reader, path string, add func(steps.Verdict) error) error {
	var at [3]int
	for line := uint64(1); ; line++ {
		text, err := in.ReadString('\n')
		if err == io.EOF && text == "" {
			return nil
		}
		if err != nil && err != io.EOF {
			return sketch.BadInput(path, err)
		}
		bad := func(err error) error {
			return &sketch.InputError{Path: path, Record: line, Offset: -1, Err: err}
		}
		cells := strings.Split(strings.TrimRight(text, "\r\n"), "\t")
		if line == 1 {
			for i, name := range []string{"row", "id", "keep"} {
				if at[i] = slices.Index(cells, name); at[i] < 0 {
					return bad(fmt.Errorf("no column %q in the header", name))
				}
			}
			continue
		}
		if len(cells) <= slices.Max(at[:]) {
			return bad(errors.New("fewer columns than the header"))
		}
		v := steps.Verdict{ID: cells[at[1]]}
		if v.Row, err = strconv.ParseInt(cells[at[0]], 10, 64); err != nil {
			return bad(fmt.Errorf("row %q: no number", cells[at[0]]))
		}
		switch strings.ToLower(cells[at[2]]) { // as spreadsheets write it
		case "true", "1":
			v.Keep = true
		case "false", "0":
		default:
			return bad(fmt.Errorf("keep %q: true or false", cells[at[2]]))
		}
		if err := add(v); err != nil {
			return err
		}
	}
}

// A textDigest is of the texts of a corpus in order, each behind its length.
type textDigest struct{ hash *xxh3.Hasher }

func newTextDigest() *textDigest { return &textDigest{xxh3.New()} }

func (d *textDigest) add(text []byte) {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(text)))
	_, _ = d.hash.Write(n[:]) // a hash takes all
	_, _ = d.hash.Write(text)
}

// String spells the xxh3-128 in hexadecimal.
func (d *textDigest) String() string {
	sum := d.hash.Sum128().Bytes()
	return hex.EncodeToString(sum[:])
}

// ReadDigest is the digest of the texts that the summary beside a manifest has
// of their corpus; "" if there is no summary.
func ReadDigest(manifest string) (string, error) {
	path := filepath.Join(filepath.Dir(manifest), "summary.json")
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	var s struct {
		Digest string `json:"corpus_digest"`
	}
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		return "", sketch.BadInput(path, err)
	}
	return s.Digest, nil
}

// Apply reads a corpus again and calls keep for each document that the verdicts
// keep, in order. A corpus that is not the one of the manifest is an error: names, their number
// and, unless it is "", the digest of the texts must be the same.
func (v Verdicts) Apply(ctx context.Context, o corpus.Options, paths []string, digest string, keep func(row int, d *corpus.Document) error) error {
	r, err := corpus.NewReader(paths, o)
	if err != nil {
		return err
	}
	defer r.Close()
	row := 0
	texts := newTextDigest()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		err = batch(func(d *corpus.Document) error {
			if row == len(v) || !v.names(row, d.ID) {
				return &sketch.InputError{Path: d.Source, Record: d.Record, Name: d.ID, Offset: d.Offset, Err: v.mismatch(row)}
			}
			row++
			texts.add(d.Text)
			if !v[row-1].Keep {
				return nil
			}
			return keep(row-1, d)
		})
		if err != nil {
			return err
		}
	}
	if row != len(v) {
		return sketch.BadInput(paths[len(paths)-1], fmt.Errorf("the corpus ends after %d documents, the manifest has %d", row, len(v)))
	}
	if digest != "" && texts.String() != digest {
		return sketch.BadInput(paths[0], errors.New("the texts are not those that the manifest was made of: the corpus has changed"))
	}
	return nil
}

// names says whether a row is that of a document, which may have been numbered.
// In text tables, white space in names is spaces.
func (v Verdicts) names(row int, id string) bool {
	id = cell(id)
	got := cell(v[row].ID)
	return got == id || strings.HasPrefix(got, id+"#")
}

func (v Verdicts) mismatch(row int) error {
	if row == len(v) {
		return fmt.Errorf("the manifest has %d documents and the corpus more", len(v))
	}
	return fmt.Errorf("row %d of the manifest is %q: it is not of this corpus, in this order", row, v[row].ID)
}
