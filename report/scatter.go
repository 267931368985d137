// SPDX-License-Identifier: Apache-2.0

package report

import "fmt"

// A Dot is a labelled point of a map; Kind chooses its colour, -1 is of none.
type Dot struct {
	X, Y  float64
	Label string
	Kind  int
}

// Map draws points at equal scale in both directions, as coordinates from
// multidimensional scaling need. Labels that would cover others are left out of
// the picture (their number stands in the heading); resting on a dot shows each.
func Map(heading string, dots []Dot) *Figure {
	const side, size = 560.0, 10.0
	lowX, highX, lowY, highY := bounds(dots)
	span := max(highX-lowX, highY-lowY)
	if span == 0 {
		span = 1
	}
	margin := 24.0
	names := make([]string, len(dots))
	for i, d := range dots {
		names[i] = d.Label
	}
	room := widest(names, size) + 10
	at := func(d Dot) (float64, float64) {
		return room + (d.X-lowX)/span*side, 3*titleSize + (highY-d.Y)/span*side
	}
	f := &Figure{Title: heading, Width: 2*room + (highX-lowX)/span*side, Height: 3*titleSize + (highY-lowY)/span*side + 2*margin}
	var taken boxes
	for _, d := range dots {
		x, y := at(d)
		taken = append(taken, box{x - 3, y - 3, x + 3, y + 3})
	}
	hidden := 0
	for _, d := range dots {
		x, y := at(d)
		f.circle(x, y, 4, Kind(d.Kind), d.Label)
		if !place(f, &taken, x, y, size, d.Label) {
			hidden++
		}
	}
	if hidden > 0 {
		heading += fmt.Sprintf(" (%d labels hidden)", hidden)
	}
	f.text(8, 1.4*titleSize, titleSize, start, heading)
	f.Width = max(f.Width, TextWidth(heading, titleSize)+16)
	return f
}

// place writes a label right of, left of, above or below a dot, wherever it
// covers nothing, and says whether there was room.
func place(f *Figure, taken *boxes, x, y, size float64, label string) bool {
	w := TextWidth(label, size)
	for _, c := range []struct {
		x, y   float64
		anchor string
	}{{x + 6, y + size*0.35, start}, {x - 6, y + size*0.35, end}, {x, y - 7, middle}, {x, y + 7 + size*0.7, middle}} {
		left := map[string]float64{start: c.x, middle: c.x - w/2, end: c.x - w}[c.anchor]
		b := box{left, c.y - size*0.8, left + w, c.y + size*0.25}
		if !taken.meet(b) {
			*taken = append(*taken, b)
			f.text(c.x, c.y, size, c.anchor, label)
			return true
		}
	}
	return false
}

func bounds(dots []Dot) (lowX, highX, lowY, highY float64) {
	for i, d := range dots {
		if i == 0 {
			lowX, highX, lowY, highY = d.X, d.X, d.Y, d.Y
		}
		lowX, highX = min(lowX, d.X), max(highX, d.X)
		lowY, highY = min(lowY, d.Y), max(highY, d.Y)
	}
	return
}

type box struct{ x1, y1, x2, y2 float64 }

type boxes []box

// meet says whether b covers part of any.
func (bs boxes) meet(b box) bool {
	for _, o := range bs {
		if b.x1 < o.x2 && o.x1 < b.x2 && b.y1 < o.y2 && o.y1 < b.y2 {
			return true
		}
	}
	return false
}
