// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"
	"iter"
	"math"
)

// What a Decision rests on, as its Stage says.
const (
	StageExact     = "exact"     // equal elements in equal order
	StageNear      = "near"      // similar sets of elements
	StageContained = "contained" // elements that a larger document has
)

// Why a document is kept or not, as its Reason says.
const (
	Unique         = "unique"         // kept: like no other
	Representative = "representative" // kept: stands for its cluster
	NoElements     = "no-shingles"    // kept: has no elements, so that it can be compared with nothing
	Copy           = "copy"           // the kept document has the same elements in the same order
	NearCopy       = "near-copy"      // at least as similar to the kept document as the threshold
	Contained      = "contained"      // the kept document has at least the share asked for of its elements
	InReference    = "in-reference"   // the kept document is a reference
	Given          = "given"          // as similar to the kept document as the threshold by what was said from outside
	Chained        = "chained"        // less similar to the kept document than the threshold, but joined to it by others
)

// A Decision is what is to become of a document: a row of the manifest.
type Decision struct {
	Row         int64
	ID          string
	Keep        bool
	KeptRow     int64
	KeptID      string
	Cluster     int
	Similarity  float64 // to the kept document; NaN for that itself
	Containment float64 // the share of its elements that the kept document has; NaN for that itself
	ClusterMin  float64 // smallest similarity of two members of its cluster; NaN if there is one member, or if it was not computed
	Stage       string  // "" for kept documents
	Reason      string
}

// A verdict is what Decide finds out, by row.
type verdict struct {
	cluster     []int
	kept        []uint32 // by cluster
	minimum     []float64
	below       []uint64  // pairs of a cluster that are less similar than the threshold
	similarity  []float64 // by row
	containment []float64
	unmeasured  int // clusters whose smallest similarity was not computed
}

// decide chooses what to keep of each cluster and measures it. prefer ranks rows:
// the first of a cluster is kept. Clusters of which more than mostPairs pairs would have to
// be compared for their smallest similarity go without it.
func decide(ctx context.Context, d *documents, clusters Clusters, prefer Order, threshold float64, mostPairs int, threads int, newComparer func() Comparer) (*verdict, error) {
	n := len(d.ids)
	v := &verdict{cluster: make([]int, n), similarity: make([]float64, n), containment: make([]float64, n)}
	for c, rows := range clusters {
		kept := rows[0]
		for _, row := range rows {
			v.cluster[row] = c
			if prefer.of(row) < prefer.of(kept) {
				kept = row
			}
		}
		v.kept = append(v.kept, kept)
	}
	if err := v.measureMembers(ctx, d, clusters, threads, newComparer); err != nil {
		return nil, err
	}
	return v, v.measureClusters(ctx, d, clusters, threshold, mostPairs, threads, newComparer)
}

// measureMembers compares each member with the one kept.
func (v *verdict) measureMembers(ctx context.Context, d *documents, clusters Clusters, threads int, newComparer func() Comparer) error {
	var rows []uint32 // to be compared, in the order of pairs
	pairs := func(yield func([2]uint32, error) bool) {
		for c, members := range clusters {
			kept := v.kept[c]
			for _, row := range members {
				a, b := d.first[row], d.first[kept]
				switch {
				case row == kept:
					v.similarity[row], v.containment[row] = math.NaN(), math.NaN()
				case a == b:
					v.similarity[row], v.containment[row] = 1, 1
				default:
					rows = append(rows, row)
					if !yield([2]uint32{min(a, b), max(a, b)}, nil) {
						return
					}
				}
			}
		}
	}
	var edges []Edge
	if err := Verify(ctx, pairs, threads, newComparer, func(e Edge) error { edges = append(edges, e); return nil }); err != nil {
		return err
	}
	for i, row := range rows {
		e := edges[i]
		v.similarity[row], v.containment[row] = e.Similarity, e.AB
		if d.first[row] == e.B {
			v.containment[row] = e.BA
		}
	}
	return nil
}

// measureClusters finds the smallest similarity in each cluster, over all pairs
// of its members and not only those that are edges.
func (v *verdict) measureClusters(ctx context.Context, d *documents, clusters Clusters, threshold float64, mostPairs, threads int, newComparer func() Comparer) error {
	v.minimum = make([]float64, len(clusters))
	v.below = make([]uint64, len(clusters))
	copies := make([]uint64, len(d.ids))
	for _, first := range d.first {
		copies[first]++
	}
	pairs := func(yield func([2]uint32, error) bool) {
		var firsts []uint32
		for c, members := range clusters {
			if v.minimum[c] = 1; len(members) == 1 {
				v.minimum[c] = math.NaN()
				continue
			}
			firsts = firsts[:0]
			for _, row := range members {
				if d.first[row] == row {
					firsts = append(firsts, row)
				}
			}
			n := len(firsts) * (len(firsts) - 1) / 2
			if n > mostPairs {
				v.minimum[c] = math.NaN()
				v.unmeasured++
				continue
			}
			for i, a := range firsts {
				for _, b := range firsts[:i] {
					if !yield([2]uint32{min(a, b), max(a, b)}, nil) {
						return
					}
				}
			}
		}
	}
	return Verify(ctx, pairs, threads, newComparer, func(e Edge) error {
		c := v.cluster[e.A]
		v.minimum[c] = min(v.minimum[c], e.Similarity)
		if e.Similarity < threshold {
			v.below[c] += copies[e.A] * copies[e.B]
		}
		return nil
	})
}

// Manifest yields the decision on each document, by row.
func (r *Result) Manifest() iter.Seq[Decision] {
	return func(yield func(Decision) bool) {
		for row := r.docs.known; row < len(r.docs.ids); row++ {
			if !yield(r.decision(uint32(row))) {
				return
			}
		}
	}
}

func (r *Result) decision(row uint32) Decision {
	d, v := r.docs, r.verdict
	c := v.cluster[row]
	kept := v.kept[c]
	if hit, ok := r.indexed[d.first[row]]; ok {
		return r.indexedDecision(row, hit)
	}
	if holder, ok := r.holder(kept); ok {
		return r.containedDecision(row, kept, holder)
	}
	out := Decision{Row: d.row(row), ID: d.ids[row], Keep: row == kept, KeptRow: d.row(kept), KeptID: d.ids[kept], Cluster: c,
		Similarity: v.similarity[row], Containment: v.containment[row], ClusterMin: v.minimum[c]}
	switch {
	case out.Keep && d.sizes[row] == 0:
		out.Reason = NoElements
	case out.Keep && len(r.clusters[c]) == 1:
		out.Reason = Unique
	case out.Keep:
		out.Reason = Representative
	case d.first[row] == d.first[kept]:
		out.Stage, out.Reason = StageExact, Copy
	case out.Similarity >= r.opts.Threshold && r.isGiven(row, kept):
		out.Stage, out.Reason = StageNear, Given
	case out.Similarity >= r.opts.Threshold:
		out.Stage, out.Reason = StageNear, NearCopy
	default:
		out.Stage, out.Reason = StageNear, Chained
	}
	if !out.Keep && d.isNew(kept) == 0 {
		out.Reason = InReference
	}
	return out
}

// containedDecision is that on a document of a cluster whose first choice, kept,
// lies within holder. Of the choice itself it has the measures to its container;
// of others, which lie in it through the choice, none.
func (r *Result) containedDecision(row, kept, holder uint32) Decision {
	d, v := r.docs, r.verdict
	c := v.cluster[row]
	out := Decision{Row: d.row(row), ID: d.ids[row], KeptRow: d.row(holder), KeptID: d.ids[holder], Cluster: c,
		Similarity: math.NaN(), Containment: math.NaN(), ClusterMin: v.minimum[c], Stage: StageContained, Reason: Contained}
	if in := r.containers[kept]; row == kept && in.row == holder {
		out.Similarity, out.Containment = in.similarity, in.containment
	}
	return out
}
