// SPDX-License-Identifier: Apache-2.0

package cluster

import "slices"

// A Neighbour is an item within reach, and how far it is.
type Neighbour struct {
	Item     int
	Distance float64
}

// Greedy makes each item, in order, a representative unless an earlier
// representative is among its neighbours: then it joins the nearest of those
// (the first of equals). It returns the representative of each item, which is
// the item itself for a representative. neighbours[i] lists those that are near
// enough; no member is farther than that from its representative, and no two
// representatives are that near. order is a permutation of the items, as by
// decreasing quality; nil is their own order.
func Greedy(neighbours [][]Neighbour, order []int) []int {
	rep := make([]int, len(neighbours))
	for i := range rep {
		rep[i] = -1
	}
	if order == nil {
		order = make([]int, len(neighbours))
		for i := range order {
			order[i] = i
		}
	}
	rank := make([]int, len(order))
	for r, i := range order {
		rank[i] = r
	}
	for _, i := range order {
		best := Neighbour{Item: -1}
		for _, n := range neighbours[i] {
			if n.Item == i || rep[n.Item] != n.Item {
				continue
			}
			if best.Item < 0 || n.Distance < best.Distance || n.Distance == best.Distance && rank[n.Item] < rank[best.Item] {
				best = n
			}
		}
		if rep[i] = i; best.Item >= 0 {
			rep[i] = best.Item
		}
	}
	return rep
}

// Number turns representatives (any one member per cluster) into the numbers of
// clusters, by their first members.
func Number(rep []int) []int {
	labels := make([]int, len(rep))
	at := map[int]int{}
	for i, r := range rep {
		if _, ok := at[r]; !ok {
			at[r] = len(at)
		}
		labels[i] = at[r]
	}
	return labels
}

// Medoids returns, for each cluster 0, 1, ... of labels, the member with the
// smallest mean distance to the others (the first of equals).
func Medoids(labels []int, m *Matrix) []int {
	members := make([][]int, slices.Max(append(slices.Clone(labels), -1))+1)
	for i, l := range labels {
		members[l] = append(members[l], i)
	}
	out := make([]int, len(members))
	for l, items := range members {
		best := -1.0
		for _, i := range items {
			var sum float64
			for _, j := range items {
				sum += m.At(i, j)
			}
			if best < 0 || sum < best {
				out[l], best = i, sum
			}
		}
	}
	return out
}
