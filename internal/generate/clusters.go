// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// Rates are the distances of the members of a cluster from its ancestor, in
// mutations per base: from clones to genomes that hardly share a 21-mer.
var Rates = []float64{0, 0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.02,
	0.025, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.10, 0.12, 0.15}

// Clusters says what WriteClusters makes.
type Clusters struct {
	Seed       uint64
	Number     int        // clusters; each has one member per rate
	Length     int        // bases of an ancestor
	IndelShare float64    // share of the mutations that are insertions or deletions, 0 to 1
	Sources    [][][]byte // genomes, as records; ancestors are pieces of them without an ambiguous base. Random bases if nil.
}

// WriteClusters writes dir/cCCC_mMM.fa for each member of each cluster, and
// dir/truth.tsv with the true alignment of every pair within a cluster.
// Genomes of different clusters share nothing but what their sources share.
func WriteClusters(dir string, c Clusters) error {
	if c.IndelShare < 0 || c.IndelShare > 1 || c.Length < 1 || c.Number < 1 {
		return fmt.Errorf("clusters: at least one cluster of at least one base, an indel share in [0, 1]")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	truth, err := os.Create(filepath.Join(dir, "truth.tsv"))
	if err != nil {
		return err
	}
	defer truth.Close()
	w := bufio.NewWriter(truth)
	fmt.Fprintln(w, "a\tb\tidentity\tevent_identity\tmatches\tmismatches\tgaps\topenings\trate_a\trate_b")

	r := NewRand(c.Seed)
	for i := range c.Number {
		ancestor, err := r.ancestor(c)
		if err != nil {
			return err
		}
		members := make([]Descendant, len(Rates))
		for m, rate := range Rates {
			indels := int(math.Round(rate * c.IndelShare * float64(c.Length)))
			substitutions := int(math.Round(rate*float64(c.Length))) - indels
			members[m] = r.Evolve(ancestor, substitutions, indels)
			name := memberName(i, m)
			if err := os.WriteFile(filepath.Join(dir, name+".fa"), fasta(name, members[m].Seq, 80), 0o666); err != nil {
				return err
			}
		}
		for a := range members {
			for b := a + 1; b < len(members); b++ {
				t := Align(members[a], members[b])
				fmt.Fprintf(w, "%s\t%s\t%.6f\t%.6f\t%d\t%d\t%d\t%d\t%g\t%g\n", memberName(i, a), memberName(i, b),
					t.Identity(), t.EventIdentity(), t.Matches, t.Mismatches, t.Gaps, t.Openings, Rates[a], Rates[b])
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return truth.Close()
}

func memberName(cluster, member int) string { return fmt.Sprintf("c%03d_m%02d", cluster, member) }

// ancestor draws a piece of a source genome, or random bases without sources.
func (r *Rand) ancestor(c Clusters) ([]byte, error) {
	if c.Sources == nil {
		return r.DNA(c.Length), nil
	}
	const tries = 10_000
	for range tries {
		genome := c.Sources[r.IntN(len(c.Sources))]
		record := genome[r.IntN(len(genome))]
		if len(record) < c.Length {
			continue
		}
		at := r.IntN(len(record) - c.Length + 1)
		if piece := record[at : at+c.Length]; bytes.IndexFunc(piece, ambiguous) < 0 {
			return piece, nil
		}
	}
	return nil, fmt.Errorf("clusters: no piece of %d unambiguous bases found in the sources", c.Length)
}

func ambiguous(b rune) bool { return b != 'A' && b != 'C' && b != 'G' && b != 'T' }
