// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gsketch/gsketch/formats/lean"
	"github.com/gsketch/gsketch/formats/milvus"
	"github.com/gsketch/gsketch/formats/msh"
	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/formats/table"
	"github.com/gsketch/gsketch/sketch"
)

// OpenOptions are what does not belong to the content of a file.
type OpenOptions struct {
	Threads int
	Warn    func(string)

	// Lean and Milvus: how the sketches were made and lie in the file, which
	// it does not say.
	Params sketch.Params
	Layout Layout
}

// Sniff tells from the first bytes of a file what it is. What cannot be read
// twice, as standard input and named pipes, is taken for sequence.
func Sniff(path string) (Kind, error) {
	if path == "-" {
		return Sequence, nil
	}
	st, err := os.Stat(path)
	if err != nil {
		return Unknown, sketch.BadInput(path, reason(err))
	}
	if st.IsDir() {
		return Directory, nil
	}
	if !st.Mode().IsRegular() {
		return Sequence, nil
	}
	if strings.HasSuffix(path, ".lean") {
		return Lean, nil // its first bytes may be any
	}
	s, err := stream.Open(path, stream.Options{Threads: 1, Warn: func(string) {}})
	if err != nil {
		return Unknown, err
	}
	defer s.Close()
	head, err := s.Peek(512)
	if err != nil && err != io.EOF {
		return Unknown, err
	}
	kind := kindOf(head, s.Compression() != "")
	if len(head) == 0 || kind == PathList && !listsPaths(head) {
		return unrecognised(path, len(head) == 0)
	}
	return kind, nil
}

// unrecognised explains a file that is nothing we know by what its name
// promises.
func unrecognised(path string, empty bool) (Kind, error) {
	what := "neither FASTA nor FASTQ, nor a sketch file"
	if empty {
		what = "empty file"
	}
	switch suffix := filepath.Ext(path); suffix {
	case ".zip":
		what += ": not a complete zip file"
	case ".parquet", ".msh", ".sig":
		what += ": not a complete " + suffix + " file"
	default:
		if empty {
			return Sequence, nil // whose reader says that nothing is in it
		}
	}
	return Unknown, sketch.BadInput(path, errors.New(what))
}

// listsPaths says whether a text begins as a list of files does, or as a
// manifest of sourmash, or is its SQLite form, which the reader of both refuses
// by name.
func listsPaths(head []byte) bool {
	if bytes.HasPrefix(head, []byte("SQLite format 3\x00")) {
		return true
	}
	first, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	if bytes.HasPrefix(first, []byte("# SOURMASH-MANIFEST")) {
		return true
	}
	_, err := os.Stat(string(bytes.TrimRight(first, "\r")))
	return err == nil
}

// kindOf tells a kind from the start of the decompressed bytes.
func kindOf(head []byte, compressed bool) Kind {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("PAR1")):
		return Table
	case bytes.HasPrefix(head, []byte("PK")):
		return Zip
	case plausibleMsh(head):
		return Msh
	case len(text) == 0:
		return Sequence // blank lines, whose reader says that nothing is in them
	case isMilvus(text):
		return Milvus
	case text[0] == '[' || text[0] == '{':
		if compressed {
			return SigGz
		}
		return Sig
	case text[0] == '>' || text[0] == '@' || text[0] == ';':
		return Sequence
	}
	return PathList
}

// isMilvus says whether a text begins as vectors for Milvus do, an object whose
// first member is "rows".
func isMilvus(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("{"))
	return ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(`"rows"`))
}

// plausibleMsh says whether the bytes may be a Cap'n Proto stream: it begins
// with the number of segments less one, which no text can be.
func plausibleMsh(head []byte) bool {
	return len(head) >= 8 && binary.LittleEndian.Uint32(head) < 1<<20
}

// Open reads a sketch file whole: its sketches in file order, grouped by
// parameters. Errors are *sketch.InputError.
func Open(path string, o OpenOptions) ([]sketch.Collection, error) {
	kind, err := Sniff(path)
	if err != nil {
		return nil, err
	}
	return OpenKind(path, kind, o)
}

// OpenKind is Open for a file whose kind is known.
func OpenKind(path string, kind Kind, o OpenOptions) ([]sketch.Collection, error) {
	switch kind {
	case Table:
		return openTable(path, o)
	case Msh:
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, sketch.BadInput(path, reason(err))
		}
		f, err := msh.Read(data, path)
		if err != nil {
			return nil, err
		}
		return []sketch.Collection{f}, nil
	case Sig, SigGz, Zip, Directory, PathList:
		items, err := sig.ReadPath(path, o.Warn)
		return grouped(items, err)
	case Lean, Milvus:
		if o.Params == (sketch.Params{}) {
			return nil, sketch.BadInput(path, errors.New("the file does not say how its sketches were made; gsketch convert --from lean or milvus, with --params, makes a table of it"))
		}
		if kind == Lean {
			return grouped(openLean(path, o))
		}
		return grouped(openMilvus(path, o))
	}
	return nil, sketch.BadInput(path, errors.New("not a sketch file"))
}

// grouped makes collections of the sketches of a file.
func grouped(items []sketch.Item, err error) ([]sketch.Collection, error) {
	if err != nil {
		return nil, err
	}
	var cs []sketch.Collection
	for i := range items {
		items[i].Meta.Row = int64(i)
	}
	for _, l := range sketch.Group(items) {
		cs = append(cs, l)
	}
	return cs, nil
}

// openLean reads a file of LeanMinHash. What it says of seed, scheme and slots
// must be what o.Params says.
func openLean(path string, o OpenOptions) ([]sketch.Item, error) {
	if err := lean.Holds(o.Params); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, sketch.BadInput(path, reason(err))
	}
	items, err := lean.Read(data, path, o.Params, o.Layout.Lean)
	for i, it := range items {
		if err := o.Params.Comparable(it.Sketch.Params()); err != nil {
			return nil, fmt.Errorf("%s: signature %d: %w", path, i+1, err)
		}
	}
	return items, err
}

func openMilvus(path string, o OpenOptions) ([]sketch.Item, error) {
	l := o.Layout.Milvus
	if l.Bits == 0 {
		l.Bits = milvus.Fitting(o.Params).Bits
	}
	if err := l.Holds(o.Params); err != nil {
		return nil, err
	}
	s, err := stream.Open(path, stream.Options{Threads: o.Threads, Warn: o.Warn})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	return milvus.Read(s, path, o.Params, l)
}

// InFileOrder lists the sketches of collections that were opened together, in
// the order in which they stand in their file.
func InFileOrder(collections []sketch.Collection) []sketch.Item {
	var items []sketch.Item
	for _, c := range collections {
		for i := range c.Len() {
			items = append(items, sketch.Item{Meta: c.Meta(i), Sketch: c.At(i)})
		}
	}
	slices.SortStableFunc(items, func(a, b sketch.Item) int { return cmp.Compare(a.Meta.Row, b.Meta.Row) })
	return items
}

func openTable(path string, o OpenOptions) ([]sketch.Collection, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, sketch.BadInput(path, reason(err))
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, sketch.BadInput(path, reason(err))
	}
	t, err := table.Open(f, st.Size(), path, table.ReadOptions{Threads: o.Threads})
	if err != nil {
		return nil, err
	}
	return t.Collections(), nil
}

// reason drops the path from an error of the file system, since InputError
// names it already.
func reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return fmt.Errorf("%w", pe.Err)
	}
	return err
}
