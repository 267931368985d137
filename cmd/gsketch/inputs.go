// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/sketch"
)

// inputOptions say where inputs are named.
type inputOptions struct {
	lists     []string
	recursive bool
	anyFile   bool // of a directory, take all files
}

func (o *inputOptions) addFlags(f *pflag.FlagSet) {
	f.StringArrayVarP(&o.lists, "infile-list", "l", nil, "file that names inputs, one path a line (repeatable)")
	f.BoolVar(&o.recursive, "recursive", false, "of a directory, take all files in it that hold FASTA or FASTQ")
}

// An input is a path with the place where it was named.
type input struct {
	path string
	from string // "list.txt, line 2"; empty for an argument
}

// expand lists all inputs in the order in which they were named: arguments,
// then lists. It warns of a file that is named twice.
func (o *inputOptions) expand(args []string, warn func(string)) ([]input, error) {
	var all []input
	for _, a := range args {
		all = append(all, input{path: a})
	}
	for _, l := range o.lists {
		named, err := readList(l)
		if err != nil {
			return nil, err
		}
		all = append(all, named...)
	}
	var out []input
	for _, in := range all {
		st, err := os.Stat(in.path)
		if err == nil && st.IsDir() && o.recursive {
			found, left, err := filesIn(in.path, o.anyFile)
			if err != nil {
				return nil, err
			}
			if left > 0 {
				warn(fmt.Sprintf("%s: %d files in it are neither FASTA nor FASTQ and were left out", in.path, left))
			}
			for _, p := range found {
				out = append(out, input{path: p, from: in.from})
			}
			continue
		}
		out = append(out, in)
	}
	if len(out) == 0 {
		return nil, usagef("no input files are named (- is standard input)")
	}
	warnOfRepeats(out, warn)
	return out, nil
}

// readList reads a list of paths. Names are data: only the line end (LF or
// CRLF) is no part of them. Empty lines are passed over.
func readList(path string) ([]input, error) {
	var data []byte
	var err error
	if path == "-" {
		data, err = io.ReadAll(os.Stdin)
	} else {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, sketch.BadInput(path, reason(err))
	}
	var list []input
	for i, line := range strings.Split(string(data), "\n") {
		if line = strings.TrimSuffix(line, "\r"); strings.TrimSpace(line) != "" {
			list = append(list, input{path: line, from: fmt.Sprintf("%s, line %d", path, i+1)})
		}
	}
	return list, nil
}

// wrap adds to an error about an input where the input was named.
func (in input) wrap(err error) error {
	var ie *sketch.InputError
	if in.from == "" || !errors.As(err, &ie) {
		return err
	}
	return &sketch.InputError{Path: in.from, Offset: -1, Err: err}
}

// reason drops the path from an error of the file system, since messages name
// it already.
func reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// filesIn walks a directory and lists, in the order of their names, the files
// that look like FASTA or FASTQ inside, or any, and how many others there are.
func filesIn(dir string, any bool) (found []string, left int, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return sketch.BadInput(path, reason(err))
		}
		if d.IsDir() {
			return nil
		}
		st, err := os.Stat(path) // follows links
		if err != nil {
			return sketch.BadInput(path, reason(err))
		}
		if !st.Mode().IsRegular() {
			return nil
		}
		if any || looksLikeSequence(path) {
			found = append(found, path)
		} else {
			left++
		}
		return nil
	})
	slices.Sort(found)
	return found, left, err
}

// looksLikeSequence says whether the first letters of a file are those of
// FASTA or FASTQ. A file that cannot be read says yes, so that the error comes
// up where it is read.
func looksLikeSequence(path string) bool {
	s, err := stream.Open(path, stream.Options{Threads: 1, Warn: func(string) {}})
	if err != nil {
		return true
	}
	defer s.Close()
	head, err := s.Peek(4096)
	if err != nil && err != io.EOF {
		return true
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && strings.IndexByte(">@;", head[0]) >= 0
}

// warnOfRepeats warns of files that are named more than once, whatever the
// spelling: repeats break trees and clusters downstream.
func warnOfRepeats(inputs []input, warn func(string)) {
	type seen struct {
		path string
		st   os.FileInfo
	}
	byKey := map[string][]seen{}
	for _, in := range inputs {
		st, err := os.Stat(in.path)
		if err != nil || !st.Mode().IsRegular() {
			continue
		}
		key := fmt.Sprintf("%d %d", st.Size(), st.ModTime().UnixNano())
		for _, s := range byKey[key] {
			if os.SameFile(s.st, st) {
				if s.path == in.path {
					warn(fmt.Sprintf("%s is given twice; both are used", in.path))
				} else {
					warn(fmt.Sprintf("%s is the same file as %s; both are used", in.path, s.path))
				}
				break
			}
		}
		byKey[key] = append(byKey[key], seen{in.path, st})
	}
}
