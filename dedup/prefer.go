// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"cmp"
	"slices"
)

// The rules by which one document of a cluster is kept; equals are told apart
// by rank.
const (
	First   = "first"   // the first by name (or by row)
	Longest = "longest" // the one with most characters
)

// preference ranks rows by the rule.
func (p *pipeline) preference() Order {
	if p.opts.Rule == First {
		return p.order
	}
	rows := byRank(len(p.docs.ids), p.order)
	slices.SortStableFunc(rows, func(a, b uint32) int { return cmp.Compare(p.docs.lengths[b], p.docs.lengths[a]) })
	return ranks(rows)
}
