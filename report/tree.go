// SPDX-License-Identifier: Apache-2.0

package report

import "math"

// A Node of a tree: a leaf has a Label, others have Children. Length is the
// branch that leads to it.
type Node struct {
	Label    string
	Length   float64
	Children []Node
}

// Phylogram draws a tree from left to right, branches as long as their lengths
// say (negative ones as none), with a scale.
func Phylogram(heading string, root Node) *Figure {
	var leaves []string
	collectLeaves(root, &leaves)
	size, step := leafSize(len(leaves))
	const wide = 520.0
	top := 3 * titleSize
	room := widest(leaves, size) + 12
	f := &Figure{Title: heading, Width: max(16+wide+room, TextWidth(heading, titleSize)+16), Height: top + step*float64(len(leaves)) + 3*labelSize + 16}
	f.text(8, 1.4*titleSize, titleSize, start, heading)
	far := depth(root)
	if far == 0 {
		far = 1
	}
	d := drawing{f: f, size: size, step: step, top: top, x: axis{low: 0, high: far, from: 12, to: 12 + wide}}
	d.node(root, 0)
	unit := niceStep(far, 5)
	y := f.Height - 2*labelSize - 2
	f.line(d.x.at(0), y, d.x.at(unit), y, ink, 1.5)
	f.text(d.x.at(0), y+labelSize+4, labelSize, start, spell(unit))
	return f
}

// leafSize is the font and the distance of n labels: smaller for many, but
// never unreadable.
func leafSize(n int) (size, step float64) {
	switch {
	case n <= 60:
		return 11, 16
	case n <= 300:
		return 9, 11
	}
	return 7, 8
}

func collectLeaves(n Node, to *[]string) {
	if len(n.Children) == 0 {
		*to = append(*to, n.Label)
	}
	for _, c := range n.Children {
		collectLeaves(c, to)
	}
}

// depth is the distance of the farthest leaf.
func depth(n Node) float64 {
	d := 0.0
	for _, c := range n.Children {
		d = max(d, max(c.Length, 0)+depth(c))
	}
	return d
}

type drawing struct {
	f               *Figure
	size, step, top float64
	x               axis
	leaves          int
}

// node draws what hangs on a node at distance from the root, and returns its y.
func (d *drawing) node(n Node, distance float64) float64 {
	x := d.x.at(distance)
	if len(n.Children) == 0 {
		y := d.top + d.step*(float64(d.leaves)+0.5)
		d.leaves++
		d.f.text(x+4, y+0.35*d.size, d.size, start, n.Label)
		return y
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range n.Children {
		to := distance + max(c.Length, 0)
		y := d.node(c, to)
		d.f.line(x, y, d.x.at(to), y, ink, 1)
		low, high = min(low, y), max(high, y)
	}
	d.f.line(x, low, x, high, ink, 1)
	return (low + high) / 2
}
