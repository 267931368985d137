// SPDX-License-Identifier: Apache-2.0

package cluster

// A UnionFind holds disjoint sets of the items 0..n-1. The root of a set is its
// smallest member, so that the sets do not depend on the order of unions.
// Tarjan 1975, doi:10.1145/321879.321884.
type UnionFind struct{ parent []uint32 }

// NewUnionFind returns n sets of one item each.
func NewUnionFind(n int) *UnionFind {
	u := &UnionFind{parent: make([]uint32, n)}
	for i := range u.parent {
		u.parent[i] = uint32(i)
	}
	return u
}

// Find returns the smallest member of the set of i.
func (u *UnionFind) Find(i uint32) uint32 {
	for u.parent[i] != i {
		u.parent[i] = u.parent[u.parent[i]] // halve the path
		i = u.parent[i]
	}
	return i
}

// Union joins the sets of i and j and says whether they were two.
func (u *UnionFind) Union(i, j uint32) bool {
	i, j = u.Find(i), u.Find(j)
	if i == j {
		return false
	}
	u.parent[max(i, j)] = min(i, j)
	return true
}

// Labels numbers the sets 0, 1, ... by their smallest members and returns the
// number of each item's set.
func (u *UnionFind) Labels() []int {
	labels := make([]int, len(u.parent))
	next := 0
	for i := range u.parent {
		if root := u.Find(uint32(i)); int(root) == i {
			labels[i] = next
			next++
		} else {
			labels[i] = labels[root] // a root comes before its members
		}
	}
	return labels
}
