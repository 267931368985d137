// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The rules by which one document of a cluster is kept; equals are told apart
// by rank.
const (
	First   = "first"   // the first by name (or by row)
	Longest = "longest" // the one with most characters
	Source  = "source"  // one of the input that was given first
	Highest = "highest" // the largest number in a column
	Newest  = "newest"  // the last in a column by text, as dates in ISO 8601 are
)

// ParseRule reads "first", "longest", "source", "highest=COLUMN" or
// "newest=COLUMN".
func ParseRule(s string) (rule, column string, err error) {
	rule, column, given := strings.Cut(s, "=")
	switch rule {
	case First, Longest, Source:
		if !given {
			return rule, "", nil
		}
	case Highest, Newest:
		if column != "" {
			return rule, column, nil
		}
	}
	return "", "", fmt.Errorf("%q: first, longest, source, highest=COLUMN or newest=COLUMN", s)
}

// preference ranks rows by the rule. References come before all others.
func (p *pipeline) preference() Order {
	d := p.docs
	compare := func(a, b uint32) int { return 0 }
	switch p.opts.Rule {
	case Longest:
		compare = func(a, b uint32) int { return cmp.Compare(d.lengths[b], d.lengths[a]) }
	case Source:
		compare = func(a, b uint32) int { return cmp.Compare(d.sources[a], d.sources[b]) }
	case Highest:
		values := make([]float64, len(d.ids))
		for i, v := range d.quality {
			var err error
			if values[i], err = strconv.ParseFloat(strings.TrimSpace(v), 64); err != nil || math.IsNaN(values[i]) {
				values[i] = math.Inf(-1) // what has no number comes last
			}
		}
		compare = func(a, b uint32) int { return cmp.Compare(values[b], values[a]) }
	case Newest:
		compare = func(a, b uint32) int { return cmp.Compare(d.quality[b], d.quality[a]) }
	}
	rows := byRank(len(d.ids), p.order)
	slices.SortStableFunc(rows, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(d.isNew(a), d.isNew(b)), compare(a, b))
	})
	return ranks(rows)
}
