// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"fmt"
	"math"
	"slices"
)

// A Method says what the distance of two clusters is, given those of their
// members.
type Method string

// The methods of Linkage.
const (
	Single   Method = "single"   // the smallest
	Complete Method = "complete" // the largest
	Average  Method = "average"  // the mean (UPGMA; Sokal and Michener 1958)
)

// A Merge joins two clusters. Cluster i < n is item i; cluster n+k is what the
// merge k made. A is smaller than B.
type Merge struct {
	A, B   int
	Height float64
	Size   int // items in it
}

// Linkage joins the two nearest clusters until one is left, and returns the
// merges by height; among equal heights the order is that of the items. The
// heights are those of scipy.cluster.hierarchy.linkage.
//
// It follows chains of nearest neighbours (Müllner 2011, arXiv:1109.2378), in
// n^2 steps and the memory of one more matrix. A NaN is an error.
func Linkage(m *Matrix, method Method) ([]Merge, error) {
	if i := slices.IndexFunc(m.d, math.IsNaN); i >= 0 {
		return nil, fmt.Errorf("a distance is undefined")
	}
	update, ok := updates[method]
	if !ok {
		return nil, fmt.Errorf("no linkage method %q", method)
	}
	return sorted(chain(m.clone(), update), m.n), nil
}

// updates give the distance of a third cluster to the union of two, from those
// to each and their sizes (Lance and Williams 1967, doi:10.1093/comjnl/9.4.373).
var updates = map[Method]func(da, db float64, na, nb int) float64{
	Single:   func(da, db float64, _, _ int) float64 { return math.Min(da, db) },
	Complete: func(da, db float64, _, _ int) float64 { return math.Max(da, db) },
	Average: func(da, db float64, na, nb int) float64 {
		return (float64(na)*da + float64(nb)*db) / float64(na+nb)
	},
}

// chain finds merges in the order of nearest-neighbour chains. A merge's A and B
// are representatives (items) here, not clusters.
func chain(m *Matrix, update func(da, db float64, na, nb int) float64) []Merge {
	n := m.n
	size := make([]int, n) // 0: joined to another
	for i := range size {
		size[i] = 1
	}
	var merges []Merge
	var path []int
	first := 0 // no living cluster below it
	for len(merges) < n-1 {
		if len(path) == 0 {
			for size[first] == 0 {
				first++
			}
			path = append(path, first)
		}
		a := path[len(path)-1]
		b, best := -1, math.Inf(1)
		if len(path) > 1 { // prefer the one we come from: the chain must end
			b = path[len(path)-2]
			best = m.At(a, b)
		}
		for x := range n {
			if x != a && size[x] > 0 {
				if d := m.At(a, x); d < best {
					b, best = x, d
				}
			}
		}
		if len(path) < 2 || b != path[len(path)-2] {
			if b < 0 { // all are infinitely far
				b = nextLiving(size, a)
			}
			path = append(path, b)
			continue
		}
		path = path[:len(path)-2]
		merges = append(merges, Merge{A: a, B: b, Height: best})
		for x := range n {
			if x != a && x != b && size[x] > 0 {
				m.set(b, x, update(m.At(a, x), m.At(b, x), size[a], size[b]))
			}
		}
		size[b] += size[a]
		size[a] = 0
	}
	return merges
}

func nextLiving(size []int, a int) int {
	for x := range size {
		if x != a && size[x] > 0 {
			return x
		}
	}
	return a
}

// sorted orders merges by height and names the clusters.
func sorted(merges []Merge, n int) []Merge {
	slices.SortStableFunc(merges, func(a, b Merge) int {
		switch {
		case a.Height < b.Height:
			return -1
		case a.Height > b.Height:
			return 1
		}
		return 0
	})
	u := NewUnionFind(n)
	name := make([]int, n) // of the cluster whose smallest member is i
	size := make([]int, n)
	for i := range name {
		name[i], size[i] = i, 1
	}
	for k := range merges {
		a, b := u.Find(uint32(merges[k].A)), u.Find(uint32(merges[k].B))
		u.Union(a, b)
		root := min(a, b)
		merges[k].A, merges[k].B = min(name[a], name[b]), max(name[a], name[b])
		merges[k].Size = size[a] + size[b]
		name[root], size[root] = n+k, merges[k].Size
	}
	return merges
}

// Cut returns the number of each item's cluster when only merges up to a height
// are made. Clusters are numbered by their first members.
func Cut(merges []Merge, n int, height float64) []int {
	u := NewUnionFind(n)
	member := make([]uint32, n+len(merges)) // any item of each cluster
	for i := range n {
		member[i] = uint32(i)
	}
	for k, m := range merges {
		member[n+k] = member[m.A]
		if m.Height <= height {
			u.Union(member[m.A], member[m.B])
		}
	}
	return u.Labels()
}
