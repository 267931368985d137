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
// manifest of sourmash.
func listsPaths(head []byte) bool {
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
		if err != nil {
			return nil, err
		}
		for i := range items {
			items[i].Meta.Row = int64(i)
		}
		var cs []sketch.Collection
		for _, l := range sketch.Group(items) {
			cs = append(cs, l)
		}
		return cs, nil
	}
	return nil, sketch.BadInput(path, errors.New("not a sketch file"))
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
