// SPDX-License-Identifier: Apache-2.0

// Package taxonomy gives results lineages: what sourmash gather has found is
// summarised by rank (sourmash tax metagenome), a genome is called after what
// explains most of it (sourmash tax genome), and hashes that a sample shares with
// references are counted at the lowest taxon that all their owners belong to
// (mash taxscreen).
//
// Lineages come from a table of sourmash (ReadLineages) or from a dump of the
// NCBI taxonomy (ReadTree). Readers take bytes that are decompressed; their
// errors are *sketch.InputError.
package taxonomy

import (
	"slices"
	"strconv"
	"strings"
)

// Ranks are the levels of a taxonomy, the highest first.
type Ranks []string

// The taxonomies that sourmash knows.
var (
	Standard = Ranks{"superkingdom", "phylum", "class", "order", "family", "genus", "species", "strain"}
	ICTV     = Ranks{"realm", "subrealm", "kingdom", "subkingdom", "phylum", "subphylum", "class", "subclass", "order", "suborder",
		"family", "subfamily", "genus", "subgenus", "species", "name"}
)

// Positions are the ranks of Life Identification Numbers (LIN) of n positions,
// which count from 0. Vinatzer et al. 2017, doi:10.1094/PHYTO-07-16-0252-R.
func Positions(n int) Ranks {
	r := make(Ranks, n)
	for i := range r {
		r[i] = strconv.Itoa(i)
	}
	return r
}

// Index is the place of a rank; -1 if there is none of that name.
func (r Ranks) Index(rank string) int { return slices.Index(r, rank) }

func (r Ranks) equal(other Ranks) bool { return slices.Equal(r, other) }

// A Taxon is a name at some rank; empty where a lineage does not say it. ID is
// its taxid, empty if it is not known.
type Taxon struct{ Name, ID string }

// A Lineage is taxa by rank, from the highest to the lowest that is known.
type Lineage []Taxon

// trim drops what is unknown at the end.
func (l Lineage) trim() Lineage {
	for len(l) > 0 && l[len(l)-1].Name == "" {
		l = l[:len(l)-1]
	}
	return l
}

// To is the lineage down to a rank; nil if that rank is not known.
func (l Lineage) To(rank int) Lineage {
	if rank >= len(l) || l[rank].Name == "" {
		return nil
	}
	return l[: rank+1 : rank+1]
}

// Names joins the names.
func (l Lineage) Names(sep string) string {
	names := make([]string, len(l))
	for i, t := range l {
		names[i] = t.Name
	}
	return strings.Join(names, sep)
}

// IDs joins the taxids.
func (l Lineage) IDs(sep string) string {
	ids := make([]string, len(l))
	for i, t := range l {
		ids[i] = t.ID
	}
	return strings.Join(ids, sep)
}

// String is the names with ";" between them; "unclassified" if there are none.
func (l Lineage) String() string {
	if len(l) == 0 {
		return "unclassified"
	}
	return l.Names(";")
}

// key tells lineages apart: names and taxids.
func (l Lineage) key() string { return l.Names("\x00") + "\x01" + l.IDs("\x00") }

// unknown are names that tables write for what they do not know.
var unknown = []string{"", "[Blank]", "na", "null", "NA"}

func known(name string) string {
	if slices.Contains(unknown, strings.TrimSpace(name)) {
		return ""
	}
	return name
}
