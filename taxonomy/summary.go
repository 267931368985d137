// SPDX-License-Identifier: Apache-2.0

package taxonomy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Share is what a lineage explains of a query at some rank; that of nobody has
// no lineage.
type Share struct {
	Lineage  Lineage
	Fraction float64 // of the query's distinct k-mers, 0..1
	Weighted float64 // of its k-mers, copies counted
	Bases    uint64
	ANI      float64 // NaN for what nobody explains
}

// A Summary is a query summarised at every rank.
type Summary struct {
	*Query
	Ranks  Ranks
	ByRank [][]Share // by rank: the largest fraction first, what nobody explains last; nil for a rank that no match has
}

// Summarize adds up the matches of a query at every rank, as sourmash tax
// metagenome does. The identity of a lineage is that of containment:
//
//	ANI = fraction^(1/k)
//
// Koslicki & Falush 2016, doi:10.1128/mSystems.00020-16. Shares are summed in
// the order of the rows. Matches without a lineage belong to nobody.
func Summarize(q *Query, ranks Ranks) (*Summary, error) {
	s := &Summary{Query: q, Ranks: ranks, ByRank: make([][]Share, len(ranks))}
	for rank := range ranks {
		shares := q.at(rank)
		if len(shares) == 0 {
			continue
		}
		var fraction, weighted float64
		var bases uint64
		for i := range shares {
			if err := shares[i].check(q); err != nil {
				return nil, err
			}
			fraction += shares[i].Fraction
			weighted += shares[i].Weighted
			bases += shares[i].Bases
		}
		if left := 1 - fraction; left > 0 {
			shares = append(shares, Share{Fraction: left, Weighted: max(0, 1-weighted), Bases: q.Bases - min(bases, q.Bases), ANI: math.NaN()})
		}
		s.ByRank[rank] = shares
	}
	return s, nil
}

// at adds up matches by their lineage down to a rank, the largest fraction
// first.
func (q *Query) at(rank int) []Share {
	var shares []Share
	place := map[string]int{}
	for _, m := range q.Matches {
		l := m.Lineage.To(rank)
		if l == nil {
			continue
		}
		i, ok := place[l.key()]
		if !ok {
			i = len(shares)
			place[l.key()] = i
			shares = append(shares, Share{Lineage: l})
		}
		shares[i].Fraction += m.Unique
		shares[i].Weighted += m.Weighted
		shares[i].Bases += m.Bases
	}
	shares = slices.DeleteFunc(shares, func(s Share) bool { return s.Fraction == 0 })
	slices.SortStableFunc(shares, func(a, b Share) int { return cmp.Compare(b.Fraction, a.Fraction) })
	for i := range shares {
		shares[i].ANI = identity(shares[i].Fraction, q.K)
	}
	return shares
}

// identity is 1 less the distance, rounded twice as with sourmash.
func identity(fraction float64, k int) float64 {
	distance := 1 - math.Pow(fraction, 1/float64(k))
	return 1 - distance
}

// check says whether shares can be those of one gather.
func (s *Share) check(q *Query) error {
	if s.Fraction > 1+rounding || s.Weighted > 1+rounding {
		return fmt.Errorf("%s: %s has more than all of it; are the rows of several runs of gather?", q.Name, s.Lineage)
	}
	s.Fraction, s.Weighted = min(s.Fraction, 1), min(s.Weighted, 1)
	return nil
}

// byWeight is the shares of a rank, the largest weighted one first.
func byWeight(shares []Share) []Share {
	shares = slices.Clone(shares)
	slices.SortStableFunc(shares, func(a, b Share) int { return cmp.Compare(b.Weighted, a.Weighted) })
	return shares
}

// A Status says whether a query was classified.
type Status string

// A query without a threshold to reach has no match.
const (
	Matched        Status = "match"
	BelowThreshold Status = "below_threshold"
)

// A Class is what a query is called after.
type Class struct {
	*Query
	Share
	Status Status
	Rank   int
}

// ClassifyOptions say when a lineage is good enough.
type ClassifyOptions struct {
	Rank        int     // the only rank to look at; -1 for the lowest that reaches the threshold
	Containment float64 // least fraction of the query, 0..1
	ANI         float64 // least identity instead, if it is not 0
	Groups      *Groups // if not nil, LIN groups are the only lineages
}

// Classify calls a query after the lineage that explains most of it, as sourmash
// tax genome does: at the lowest rank at which that reaches the threshold. If it
// does at none, the highest rank is given, as below the threshold.
func Classify(q *Query, ranks Ranks, o ClassifyOptions) (*Class, error) {
	var c *Class
	for rank := len(ranks) - 1; rank >= 0; rank-- {
		if o.Rank >= 0 && rank != o.Rank || o.Groups != nil && !o.Groups.ranks[rank] {
			continue
		}
		shares := q.at(rank)
		if len(shares) == 0 || o.Groups != nil && o.Groups.names[shares[0].Lineage.Names(";")] == "" {
			continue
		}
		if err := shares[0].check(q); err != nil {
			return nil, err
		}
		c = &Class{Query: q, Share: shares[0], Status: BelowThreshold, Rank: rank}
		if o.ANI > 0 && c.ANI >= o.ANI || o.ANI == 0 && c.Fraction >= o.Containment {
			c.Status = Matched
			break
		}
	}
	if c == nil {
		what := "at any rank"
		if o.Rank >= 0 {
			what = "at rank " + ranks[o.Rank]
		}
		return nil, fmt.Errorf("%s: no match has a lineage %s", q.Name, what)
	}
	return c, nil
}
