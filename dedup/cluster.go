// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"fmt"

	"github.com/gsketch/gsketch/cluster"
)

// The ways in which edges become clusters.
const (
	Components = "components" // all that edges join, however long the chain
	Star       = "star"       // each member is joined to its representative by an edge
	Complete   = "complete"   // each member is as near as the threshold to each other member
)

// Clusters are groups of rows. Each row is in one; rows are in the order of their
// ranks, and so are clusters by their first rows.
type Clusters [][]uint32

// components labels each row with the smallest row that edges join it to.
func components(n int, edges []Edge) []uint32 {
	u := cluster.NewUnionFind(n)
	for _, e := range edges {
		u.Union(e.A, e.B)
	}
	labels := make([]uint32, n)
	for i := range labels {
		labels[i] = u.Find(uint32(i))
	}
	return labels
}

// grouped makes clusters of rows with equal labels, which are rows.
func grouped(labels []uint32, order Order) Clusters {
	number := make([]int, len(labels)) // of the cluster of a label, plus 1
	var all Clusters
	for _, row := range byRank(len(labels), order) {
		l := labels[row]
		if number[l] == 0 {
			all = append(all, nil)
			number[l] = len(all)
		}
		c := &all[number[l]-1]
		*c = append(*c, row)
	}
	return all
}

// byRank lists n rows in order.
func byRank(n int, order Order) []uint32 {
	rows := make([]uint32, n)
	for row := range rows {
		rows[order.of(uint32(row))] = uint32(row)
	}
	return rows
}

// stars makes each row, in order of preference, a representative unless an
// edge joins it to an earlier one: then it joins the most similar of those. A
// row is labelled with its representative.
func stars(n int, edges []Edge, prefer Order) []uint32 {
	near := make([][]cluster.Neighbour, n)
	for _, e := range edges {
		near[e.A] = append(near[e.A], cluster.Neighbour{Item: int(e.B), Distance: -e.Similarity})
		near[e.B] = append(near[e.B], cluster.Neighbour{Item: int(e.A), Distance: -e.Similarity})
	}
	turn := make([]int, n)
	for i, row := range byRank(n, prefer) {
		turn[i] = int(row)
	}
	labels := make([]uint32, n)
	for row, rep := range cluster.Greedy(near, turn) {
		labels[row] = uint32(rep)
	}
	return labels
}

// mostComplete bounds the members of a component that complete linkage takes
// apart: it compares all of them, in 8 bytes a pair.
const mostComplete = 1 << 14

// completes takes components apart into clusters by complete linkage. Pairs
// that were no candidates are compared, too.
func completes(n int, groups Clusters, threshold float64, c Comparer) ([]uint32, error) {
	labels := make([]uint32, n)
	for _, g := range groups {
		if len(g) > mostComplete {
			return nil, fmt.Errorf("a component of %d documents is too large for complete linkage, which takes %d; cluster by star", len(g), mostComplete)
		}
		m, err := cluster.NewMatrix(len(g))
		if err != nil {
			return nil, err
		}
		for i := range g {
			row := m.Row(i)
			for j := range row {
				e, err := c.Compare(min(g[i], g[j]), max(g[i], g[j]))
				if err != nil {
					return nil, err
				}
				row[j] = -e.Similarity // falls with similarity, and is rounded nowhere
			}
		}
		merges, err := cluster.Linkage(m, cluster.Complete)
		if err != nil {
			return nil, err
		}
		var firsts []uint32
		for i, l := range cluster.Cut(merges, len(g), -threshold) {
			if l == len(firsts) {
				firsts = append(firsts, g[i])
			}
			labels[g[i]] = firsts[l]
		}
	}
	return labels, nil
}
