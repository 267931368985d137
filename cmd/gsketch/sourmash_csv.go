// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/internal/python"
	"github.com/gsketch/gsketch/sketch"
)

// The cells of sourmash's CSV files.

func csvFloat(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return python.Float(v)
}

func csvUint(n uint64) string { return strconv.FormatUint(n, 10) }

func csvBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// md5Of is the digest that sourmash knows a sketch by; empty for a sketch that
// it cannot have.
func md5Of(s sketch.Sketch) string {
	digest, _ := digestOf(s)
	return digest
}

// digestOf is md5Of with the reason why there is none.
func digestOf(s sketch.Sketch) (string, error) {
	set, ok := s.(sketch.HashSet)
	if !ok {
		return "", fmt.Errorf("%s sketches have no md5", s.Params().Family)
	}
	return sig.Digest(set)
}

func shortMD5(s sketch.Sketch) string {
	if d := md5Of(s); len(d) > 8 {
		return d[:8]
	}
	return ""
}

// moltype is sourmash's name of the molecule.
func moltype(p sketch.Params) string {
	if p.Elements.Molecule == sketch.DNA {
		return "DNA"
	}
	return p.Elements.Molecule
}

// aniCells are the four identities of a query (A) and a match (B), and whether
// they may share nothing by chance. sourmash takes the mean and the maximum of
// the first two.
func aniCells(p distance.Pair) []string {
	q, m := p.ContainmentANI(), p.ReverseContainmentANI()
	return []string{csvFloat(q), csvFloat(m), csvFloat(p.AvgContainmentANI()), csvFloat(math.Max(q, m)), csvBool(p.PotentialFalseNegative())}
}

const queryColumns = "query_filename,query_name,query_md5,query_bp,ksize,moltype,scaled,query_n_hashes,query_abundance"

// queryCells are those columns, of a query with its sketch at the scaled of the
// comparison.
func queryCells(m sketch.Meta, s sketch.Sketch) []string {
	p := s.Params()
	n := uint64(s.Len())
	return []string{m.Source, m.ID, shortMD5(s), csvUint(n * p.Scaled), strconv.Itoa(p.Elements.K), moltype(p), csvUint(p.Scaled), csvUint(n), csvBool(p.Weighted)}
}

const aniColumns = "query_containment_ani,match_containment_ani,average_containment_ani,max_containment_ani,potential_false_negative"

func csvColumns(parts ...string) []string { return strings.Split(strings.Join(parts, ","), ",") }
