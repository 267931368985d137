// SPDX-License-Identifier: Apache-2.0

// Package formats opens and creates sketch files of every format: which one is
// told by content on reading and by suffix on writing. Each format lives in a
// package of its own below.
package formats

import (
	"fmt"
	"strings"

	"github.com/gsketch/gsketch/formats/lean"
	"github.com/gsketch/gsketch/formats/milvus"
	"github.com/gsketch/gsketch/formats/msh"
	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/sketch"
)

// A Kind is a file format.
type Kind int

// The kinds of files.
const (
	Unknown   Kind = iota
	Table          // native Parquet table
	Msh            // Mash
	Sig            // sourmash JSON
	SigGz          // sourmash JSON, gzipped
	Zip            // sourmash collection with manifest
	Directory      // sourmash directory of .sig.gz files
	PathList       // text, a path a line, or a sourmash manifest
	Sequence       // FASTA or FASTQ, compressed or not
	Lean           // LeanMinHash of datasketch
	Milvus         // vectors for the bulk import of Milvus
)

// suffixes of the kinds that are written; the longer ones first.
var suffixes = []struct {
	suffix string
	kind   Kind
}{
	{".parquet", Table}, {".msh", Msh}, {".sig.gz", SigGz}, {".sig", Sig}, {".zip", Zip}, {"/", Directory},
	{".lean", Lean}, {".milvus.json", Milvus},
}

// KindOf tells from the name of an output what to write; "-" is a table.
func KindOf(path string) (Kind, error) {
	if path == "-" {
		return Table, nil
	}
	for _, s := range suffixes {
		if strings.HasSuffix(path, s.suffix) {
			return s.kind, nil
		}
	}
	return Unknown, fmt.Errorf("%s: the suffix must say the format: .parquet, .msh, .sig, .sig.gz, .zip, .lean, .milvus.json or a / at the end", path)
}

// KindNamed is the kind that goes by a name: a suffix without its dot, or
// "milvus".
func KindNamed(name string) (Kind, error) {
	var names []string
	for _, s := range suffixes {
		if s.kind == Directory {
			continue // of no name
		}
		own := strings.TrimSuffix(s.suffix[1:], ".json")
		if own == name {
			return s.kind, nil
		}
		names = append(names, own)
	}
	return Unknown, fmt.Errorf("no format %q; there are %s", name, strings.Join(names, ", "))
}

// Sourmash says whether the format is one of sourmash.
func (k Kind) Sourmash() bool { return k == Sig || k == SigGz || k == Zip || k == Directory }

// Holds says why files of this kind cannot hold sketches made with p; nil if
// they can.
func (k Kind) Holds(p sketch.Params) error {
	switch {
	case k == Msh:
		return msh.Holds(p)
	case k.Sourmash():
		return sig.Holds(p)
	case k == Table:
		return p.Validate()
	case k == Lean:
		return lean.Holds(p)
	case k == Milvus:
		return milvus.Fitting(p).Holds(p)
	}
	return fmt.Errorf("not a format that can be written")
}
