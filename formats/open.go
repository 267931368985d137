// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

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
	return kindOf(head, s.Compression() != ""), nil
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
		return Sequence // whose reader says that it is empty
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
		var cs []sketch.Collection
		for _, l := range sketch.Group(items) {
			cs = append(cs, l)
		}
		return cs, nil
	}
	return nil, sketch.BadInput(path, errors.New("not a sketch file"))
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
