// SPDX-License-Identifier: Apache-2.0

package cluster

// Midpoint roots an unrooted tree in the middle of the longest way between two
// leaves (Farris 1972, doi:10.1086/282802), as is usual where no outgroup is
// known. Distances between leaves stay as they are; negative branches count as 0
// when ways are measured. A tree whose node on top has fewer than three children
// has a root, and is returned as it is.
func Midpoint(t *Tree) *Tree {
	if len(t.Children) < 3 {
		return t
	}
	var g graph
	g.add(t)
	_, end := g.walk(0)
	ways, end := g.walk(end.node)
	if end.length == 0 {
		return t
	}
	half, at := end.length/2, end
	for ways[at.before].length > half {
		at = ways[at.before]
	}
	up := half - ways[at.before].length // what the branch that holds the middle has on the side of before
	return &Tree{Item: -1, Children: []Branch{
		{g.rooted(at.before, at.node), up},
		{g.rooted(at.node, at.before), at.length - ways[at.before].length - up},
	}}
}

// A graph is a tree without a root.
type graph struct {
	items []int // of a node; -1 of inner ones
	edges [][]edge
}

type edge struct {
	to     int
	length float64
}

// add enters a tree and returns its node.
func (g *graph) add(t *Tree) int {
	n := len(g.items)
	g.items, g.edges = append(g.items, t.Item), append(g.edges, nil)
	for _, b := range t.Children {
		c := g.add(b.To)
		g.edges[n] = append(g.edges[n], edge{c, b.Length})
		g.edges[c] = append(g.edges[c], edge{n, b.Length})
	}
	return n
}

// A step reaches a node, coming from the one before.
type step struct {
	node, before int
	length       float64 // of the whole way
}

// walk has the way from one node to each, by node, and that to the farthest leaf.
func (g *graph) walk(from int) (ways []step, farthest step) {
	ways = make([]step, len(g.items))
	queue := []step{{node: from, before: from}}
	farthest = queue[0]
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		ways[at.node] = at
		if g.items[at.node] >= 0 && at.length > farthest.length {
			farthest = at
		}
		for _, e := range g.edges[at.node] {
			if e.to != at.before {
				queue = append(queue, step{e.to, at.node, at.length + max(0, e.length)})
			}
		}
	}
	return ways, farthest
}

// rooted is the part of the tree that hangs on a node, seen from the one before.
func (g *graph) rooted(node, before int) *Tree {
	t := &Tree{Item: g.items[node]}
	for _, e := range g.edges[node] {
		if e.to != before {
			t.Children = append(t.Children, Branch{g.rooted(e.to, node), e.length})
		}
	}
	return t
}
