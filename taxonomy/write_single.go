// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// rankCodes are those of Kraken's reports.
var rankCodes = map[string]string{"superkingdom": "D", "phylum": "P", "class": "C", "order": "O", "family": "F", "genus": "G", "species": "S"}

// WriteKreport writes a report in the form of Kraken (Wood & Salzberg 2014,
// doi:10.1186/gb-2014-15-3-r46), with bases instead of reads: percent, bases of
// the clade, bases of the taxon itself (all at species), code of the rank, taxid,
// name. It needs the standard ranks.
func WriteKreport(w io.Writer, s *Summary, o WriteOptions) error {
	if s.TotalWeight == 0 {
		return fmt.Errorf("%s: no total_weighted_hashes, which a kreport needs", s.Name)
	}
	if !s.Ranks.equal(Standard) {
		return errors.New("a kreport is of the standard ranks")
	}
	out := rowWriter{w: w, delimiter: '\t'}
	nobody := false
	for rank, shares := range s.ByRank {
		code := rankCodes[s.Ranks[rank]]
		if code == "" {
			continue // a strain has none
		}
		for _, x := range shares {
			percent, bases := x.Fraction, x.Bases
			if o.Weighted {
				percent, bases = x.Weighted, uint64(x.Weighted*float64(s.TotalWeight*s.Scaled))
			}
			cells := []string{fmt.Sprintf("%.2f", percent*100), count(bases), "0", code, "", "unclassified"}
			if n := len(x.Lineage); n > 0 {
				cells[4], cells[5] = x.Lineage[n-1].ID, x.Lineage[n-1].Name
			} else if nobody {
				continue // the same at every rank
			} else {
				nobody = true
				cells[3] = "U"
			}
			if cells[3] == "S" || cells[3] == "U" {
				cells[2] = cells[1]
			}
			out.row(cells...)
		}
	}
	return out.err
}

// WriteBioboxes writes a profile of CAMI
// (https://github.com/bioboxes/rfc/tree/master/data-format). Taxa without a taxid
// cannot stand in it.
func WriteBioboxes(w io.Writer, s *Summary) error {
	if !s.Ranks.equal(Standard) {
		return errors.New("a profile for bioboxes is of the standard ranks")
	}
	if _, err := fmt.Fprintf(w, "# Taxonomic Profiling Output\n@SampleID:%s\n@Version:0.10.0\n@Ranks:%s\n@__program__:sourmash\n@@TAXID\tRANK\tTAXPATH\tTAXPATHSN\tPERCENTAGE\n",
		s.Name, strings.Join(s.Ranks, "|")); err != nil {
		return err
	}
	written := false
	for rank, shares := range s.ByRank {
		for _, x := range shares {
			n := len(x.Lineage)
			if n == 0 || x.Lineage[n-1].ID == "" {
				continue
			}
			written = true
			if _, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.2f\n", x.Lineage[n-1].ID, s.Ranks[rank], x.Lineage.IDs("|"), x.Lineage.Names("|"), x.Weighted*100); err != nil {
				return err
			}
		}
	}
	if !written {
		return fmt.Errorf("%s: no lineage has taxids (column taxpath), which a profile for bioboxes is made of", s.Name)
	}
	return nil
}

// WriteGroups writes what LIN groups explain, a group before those inside it.
func WriteGroups(w io.Writer, s *Summary, g *Groups) error {
	if s.TotalWeight == 0 {
		return fmt.Errorf("%s: no total_weighted_hashes, which a report of groups needs", s.Name)
	}
	found := map[string]Share{}
	for rank := range g.ranks {
		if rank >= len(s.ByRank) {
			continue
		}
		for _, x := range s.ByRank[rank] {
			found[x.Lineage.Names(";")] = x
		}
	}
	out := rowWriter{w: w, delimiter: '\t'}
	out.row("name", "lin", "percent_containment", "num_bp_contained")
	for _, prefix := range g.order {
		if x, ok := found[prefix]; ok {
			out.row(g.names[prefix], prefix, fmt.Sprintf("%.2f", x.Weighted*100), count(uint64(x.Weighted*float64(s.TotalWeight*s.Scaled))))
		}
	}
	return out.err
}

// WriteHuman writes a table to read, at o.Rank.
func WriteHuman(w io.Writer, all []*Summary, o WriteOptions) error {
	for _, s := range all {
		rank := s.Ranks.Index(o.Rank)
		if rank < 0 {
			return fmt.Errorf("no rank %q; one of %s", o.Rank, strings.Join(s.Ranks, ", "))
		}
		if _, err := io.WriteString(w, "sample name    proportion   cANI   lineage\n-----------    ----------   ----   -------\n"); err != nil {
			return err
		}
		for _, x := range byWeight(s.ByRank[rank]) {
			if _, err := fmt.Fprintf(w, "%-15s   %s     %s  %s\n", s.Name, percent(x.by(o.Weighted)), identityText(x), x.Lineage); err != nil {
				return err
			}
		}
	}
	return nil
}

func percent(v float64) string { return fmt.Sprintf("%4.1f%%", v*100) }

func identityText(x Share) string {
	if len(x.Lineage) == 0 {
		return "-    "
	}
	return fmt.Sprintf("%3.1f%%", x.ANI*100)
}
