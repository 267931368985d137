// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Tree is a node with its children; a leaf is an item.
type Tree struct {
	Item     int // of a leaf; -1 otherwise
	Children []Branch
}

// A Branch leads to a child, at a distance.
type Branch struct {
	To     *Tree
	Length float64
}

// UPGMA is the rooted tree of average linkage: all leaves are as far from the
// root, a merge at height h is h/2 above the leaves (Sokal and Michener 1958).
func UPGMA(m *Matrix) (*Tree, error) {
	if m.n == 0 {
		return nil, fmt.Errorf("no items")
	}
	merges, err := Linkage(m, Average)
	if err != nil {
		return nil, err
	}
	nodes := make([]*Tree, m.n, 2*m.n)
	heights := make([]float64, m.n, 2*m.n)
	for i := range nodes {
		nodes[i] = &Tree{Item: i}
	}
	for _, g := range merges {
		h := g.Height / 2
		nodes = append(nodes, &Tree{Item: -1, Children: []Branch{
			{nodes[g.A], h - heights[g.A]}, {nodes[g.B], h - heights[g.B]},
		}})
		heights = append(heights, h)
	}
	return nodes[len(nodes)-1], nil
}

// NeighborJoining is the unrooted tree of Saitou and Nei 1987
// (doi:10.1093/oxfordjournals.molbev.a040454) by the criterion of Studier and
// Keppler 1988 (doi:10.1093/oxfordjournals.molbev.a040527): it joins the pair
// with the smallest
//
//	Q(i, j) = (n-2) d(i, j) - sum d(i, .) - sum d(j, .)
//
// (the first of equals), and has the tree's distances if they are additive.
// Negative branches are possible and kept. The last node has three children. It
// takes n^3 steps.
func NeighborJoining(m *Matrix) (*Tree, error) {
	switch {
	case m.n == 0:
		return nil, fmt.Errorf("no items")
	case slices.ContainsFunc(m.d, math.IsNaN):
		return nil, fmt.Errorf("a distance is undefined")
	case m.n == 1:
		return &Tree{Item: 0}, nil
	case m.n == 2:
		return &Tree{Item: -1, Children: []Branch{{&Tree{Item: 0}, m.At(1, 0) / 2}, {&Tree{Item: 1}, m.At(1, 0) / 2}}}, nil
	}
	j := joiner{d: m.clone()}
	for i := range m.n {
		j.live = append(j.live, i)
		j.nodes = append(j.nodes, &Tree{Item: i})
		var sum float64
		for x := range m.n {
			sum += m.At(i, x)
		}
		j.sums = append(j.sums, sum)
	}
	for len(j.live) > 3 {
		j.join()
	}
	return j.last(), nil
}

type joiner struct {
	d     *Matrix
	live  []int // ascending
	nodes []*Tree
	sums  []float64 // of distances to all living ones
}

// join puts the best pair under one node, which takes the place of the first.
func (j *joiner) join() {
	n := float64(len(j.live))
	a, b, best := 0, 0, math.Inf(1)
	for x, i := range j.live {
		for _, k := range j.live[:x] {
			if q := (n-2)*j.d.At(i, k) - j.sums[i] - j.sums[k]; q < best {
				a, b, best = k, i, q
			}
		}
	}
	d := j.d.At(a, b)
	la := d/2 + (j.sums[a]-j.sums[b])/(2*(n-2))
	j.nodes[a] = &Tree{Item: -1, Children: []Branch{{j.nodes[a], la}, {j.nodes[b], d - la}}}
	j.live = slices.DeleteFunc(j.live, func(i int) bool { return i == b })
	var sum float64
	for _, i := range j.live {
		if i == a {
			continue
		}
		da, db := j.d.At(i, a), j.d.At(i, b)
		du := (da + db - d) / 2
		j.sums[i] += du - da - db
		j.d.set(i, a, du)
		sum += du
	}
	j.sums[a] = sum
}

// last joins the three nodes that are left.
func (j *joiner) last() *Tree {
	a, b, c := j.live[0], j.live[1], j.live[2]
	ab, ac, bc := j.d.At(a, b), j.d.At(a, c), j.d.At(b, c)
	return &Tree{Item: -1, Children: []Branch{
		{j.nodes[a], (ab + ac - bc) / 2}, {j.nodes[b], (ab + bc - ac) / 2}, {j.nodes[c], (ac + bc - ab) / 2},
	}}
}

// Newick writes the tree with a name for each item, ending in a semicolon.
// Names with characters that mean something in Newick, or white space, are
// quoted.
func (t *Tree) Newick(names []string) string {
	var b strings.Builder
	type step struct { // a stack: trees of thousands of leaves can be as deep
		t    *Tree
		next int
		tail string
	}
	stack := []step{{t: t}}
	for len(stack) > 0 {
		s := &stack[len(stack)-1]
		switch {
		case s.next < len(s.t.Children):
			b.WriteByte("(,"[min(s.next, 1)])
			c := s.t.Children[s.next]
			s.next++
			stack = append(stack, step{t: c.To, tail: ":" + strconv.FormatFloat(c.Length+0, 'g', -1, 64)})
			continue
		case len(s.t.Children) > 0:
			b.WriteByte(')')
		default:
			b.WriteString(quoted(names[s.t.Item]))
		}
		b.WriteString(s.tail)
		stack = stack[:len(stack)-1]
	}
	b.WriteByte(';')
	return b.String()
}

func quoted(name string) string {
	if name != "" && !strings.ContainsAny(name, " \t\r\n()[]{}:;,'\"=_/\\") {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", "''") + "'"
}
