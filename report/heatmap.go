// SPDX-License-Identifier: Apache-2.0

package report

import (
	"image"
	"math"
	"strconv"
)

// A Join of a dendrogram: A and B are items below n, or n + the number of an
// earlier join.
type Join struct {
	A, B   int
	Height float64
}

// Heat is a square of values of items, with the dendrogram that orders them.
type Heat struct {
	Heading   string
	Name      string // of the values
	Labels    []string
	Value     func(i, j int) float64 // of an item i and another j; NaN is undefined
	Low, High float64                // values at the dark and the bright end of the colours
	Beyond    string                 // what larger values are, "" if there are none
	Joins     []Join                 // n-1 of them, or none: the order of the items
}

// Order is the items from top to bottom: the leaves of the dendrogram.
func (h Heat) Order() []int {
	n := len(h.Labels)
	if len(h.Joins) != n-1 || n == 1 {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		return order
	}
	var order []int
	stack := []int{n + len(h.Joins) - 1}
	for len(stack) > 0 { // not recursive: a chain of joins may be as deep as there are items
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if c < n {
			order = append(order, c)
			continue
		}
		j := h.Joins[c-n]
		stack = append(stack, j.B, j.A)
	}
	return order
}

// The parts of a heat map.
type heatLayout struct {
	cell, size, tree    float64 // side of a cell, font, width of the dendrogram
	left, top           float64 // of the square
	every               int     // which labels are shown
	rowLabels, colSpace float64
}

func (h Heat) layout() heatLayout {
	n := len(h.Labels)
	l := heatLayout{every: 1}
	switch {
	case n <= 40:
		l.cell, l.size = 20, 11
	case n <= 300:
		l.cell, l.size = 10, 8.5
	default: // a label for as many rows as can be read
		l.cell, l.size = max(2, 3000/float64(n)), 8
		l.every = int(math.Ceil(9 / l.cell))
	}
	if len(h.Joins) == n-1 && n > 1 {
		l.tree = 110
	}
	l.rowLabels = widest(h.Labels, l.size) + 12
	l.colSpace = widest(h.Labels, l.size) + 12
	l.left = 12 + l.tree
	l.top = 2.4*titleSize + l.colSpace
	return l
}

// HeatMap draws a Heat. From 300 items on, only some of the labels are shown.
func HeatMap(h Heat) *Figure {
	n, l, order := len(h.Labels), h.layout(), h.Order()
	side := l.cell * float64(n)
	f := &Figure{Title: h.Heading, Width: l.left + side + l.rowLabels, Height: l.top + side + 68}
	f.Width = max(f.Width, TextWidth(h.Heading, titleSize)+16, l.left+TextWidth(h.Name, labelSize)+16, l.left+260)
	f.text(8, 1.4*titleSize, titleSize, start, h.Heading)
	f.picture(l.left, l.top, side, side, "heat", h.pixels(order))
	for at := 0; at < n; at += l.every {
		middleOf := (float64(at) + 0.5) * l.cell
		f.text(l.left+side+5, l.top+middleOf+0.35*l.size, l.size, start, h.Labels[order[at]])
		f.upward(l.left+middleOf+0.35*l.size, l.top-5, l.size, start, h.Labels[order[at]])
	}
	if l.tree > 0 {
		h.dendrogram(f, l, order)
	}
	h.key(f, l, l.top+side+18)
	return f
}

func (h Heat) pixels(order []int) image.Image {
	n := len(order)
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	for y, i := range order {
		for x, j := range order {
			img.SetNRGBA(x, y, shade((h.Value(i, j)-h.Low)/(h.High-h.Low)))
		}
	}
	return img
}

// dendrogram draws the joins left of the square, leaves at the square.
func (h Heat) dendrogram(f *Figure, l heatLayout, order []int) {
	n := len(order)
	top := 0.0
	for _, j := range h.Joins {
		top = max(top, j.Height)
	}
	if top == 0 {
		top = 1
	}
	x := axis{low: 0, high: top, from: l.left - 4, to: l.left - l.tree + 4}
	ys, heights := make([]float64, n, 2*n), make([]float64, n, 2*n)
	for at, i := range order {
		ys[i] = l.top + (float64(at)+0.5)*l.cell
	}
	for _, j := range h.Joins {
		at := x.at(max(j.Height, 0))
		f.path([]point{{x.at(heights[j.A]), ys[j.A]}, {at, ys[j.A]}, {at, ys[j.B]}, {x.at(heights[j.B]), ys[j.B]}}, ink, 0.8)
		ys = append(ys, (ys[j.A]+ys[j.B])/2)
		heights = append(heights, max(j.Height, 0))
	}
}

// key draws what the colours mean.
func (h Heat) key(f *Figure, l heatLayout, y float64) {
	const wide, steps = 200.0, 40
	for i := range steps {
		f.rect(l.left+wide*float64(i)/steps, y, wide/steps+0.5, 10, hex(shade((float64(i)+0.5)/steps)), "")
	}
	f.text(l.left, y+10+labelSize+3, labelSize, start, strconv.FormatFloat(h.Low, 'g', 4, 64))
	f.text(l.left+wide, y+10+labelSize+3, labelSize, end, strconv.FormatFloat(h.High, 'g', 4, 64))
	f.text(l.left, y+10+2*labelSize+8, labelSize, start, h.Name)
	if h.Beyond != "" {
		x := l.left + wide + 24
		f.rect(x, y, 16, 10, hex(beyond), "")
		f.text(x+22, y+10, labelSize, start, h.Beyond)
		f.Width = max(f.Width, x+22+TextWidth(h.Beyond, labelSize)+8)
	}
}
