// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// A Point of a Series; Low and High are its interval, NaN if it has none.
type Point struct {
	X, Y, Low, High float64
	Label           string // shown by resting on it
}

// A Series is one curve, or one kind of points.
type Series struct {
	Name    string
	Points  []Point
	Line    bool // join the points instead of marking them
	Follows bool // has the colour of the series before it
}

// Lines draws curves and points over [xLow, xHigh] and [0, 1], as S-curves are:
// the probability of meeting in a band against similarity.
func Lines(heading, xName, yName string, xLow, xHigh float64, series []Series) *Figure {
	f, a := frame(heading, xName, yName, axis{low: xLow, high: xHigh}, axis{low: 0, high: 1}, 640, 400)
	legend(f, a, series)
	kind := -1
	for _, s := range series {
		if !s.Follows || kind < 0 {
			kind++
		}
		if s.Line {
			var pts []point
			for _, p := range s.Points {
				pts = append(pts, point{a.x.at(p.X), a.y.at(p.Y)})
			}
			f.path(pts, Kind(kind), 2)
			continue
		}
		for _, p := range s.Points {
			if !math.IsNaN(p.Low) && !math.IsNaN(p.High) {
				f.line(a.x.at(p.X), a.y.at(p.Low), a.x.at(p.X), a.y.at(p.High), Kind(kind), 1)
			}
			hover := p.Label
			if hover == "" {
				hover = fmt.Sprintf("%s: %s at %s", s.Name, spell(p.Y), spell(p.X))
			}
			f.circle(a.x.at(p.X), a.y.at(p.Y), 3.5, Kind(kind), hover)
		}
	}
	return f
}

// legend names the series below the chart; the figure grows for it.
func legend(f *Figure, a area, series []Series) {
	x, y := a.x.from, f.Height+8
	kind := -1
	for _, s := range series {
		if !s.Follows || kind < 0 {
			kind++
		}
		if s.Name == "" {
			continue
		}
		w := 26 + TextWidth(s.Name, labelSize)
		if x > a.x.from && x+w > f.Width {
			x, y = a.x.from, y+labelSize+7
		}
		if s.Line {
			f.line(x, y-0.35*labelSize, x+14, y-0.35*labelSize, Kind(kind), 2)
		} else {
			f.circle(x+7, y-0.35*labelSize, 3.5, Kind(kind), "")
		}
		f.text(x+18, y, labelSize, start, s.Name)
		f.Width = max(f.Width, x+w)
		x += w
	}
	f.Height = y + 10
}

// Histogram draws how many values fall into each of bins equal parts of
// [low, high]; the last part holds high. Values outside, and NaN, are counted in
// the heading as left out.
func Histogram(heading, xName string, values []float64, low, high float64, bins int) *Figure {
	counts := make([]uint64, bins)
	out := 0
	for _, v := range values {
		if !(v >= low && v <= high) {
			out++
			continue
		}
		counts[min(int((v-low)/(high-low)*float64(bins)), bins-1)]++
	}
	if out > 0 {
		heading += fmt.Sprintf(" (%d of %d outside)", out, len(values))
	}
	return Bars(heading, xName, counts, low, high)
}

// Bars draws how many values fell into each of equal parts of [low, high].
func Bars(heading, xName string, counts []uint64, low, high float64) *Figure {
	most := max(1, float64(slices.Max(counts)))
	f, a := frame(heading, xName, "number", axis{low: low, high: high}, axis{low: 0, high: most}, 640, 360)
	step := (high - low) / float64(len(counts))
	for i, n := range counts {
		if n == 0 {
			continue
		}
		c := float64(n)
		x1, x2 := a.x.at(low+float64(i)*step), a.x.at(low+float64(i+1)*step)
		hover := fmt.Sprintf("%s to %s: %d", spell(low+float64(i)*step), spell(low+float64(i+1)*step), n)
		f.rect(x1+0.5, a.y.at(c), max(x2-x1-1, 0.5), a.y.from-a.y.at(c), Kind(0), hover)
	}
	return f
}

// Sizes draws how many groups have each size, both axes logarithmic. sizes are
// those of the groups.
func Sizes(heading, xName string, sizes []int) *Figure {
	number := map[int]int{}
	largest, most := 1, 1
	for _, s := range sizes {
		number[s]++
		largest, most = max(largest, s), max(most, number[s])
	}
	upTo := func(n int) float64 { return max(10, math.Pow(10, math.Ceil(math.Log10(float64(n))))) }
	f, a := frame(heading, xName, "groups", axis{low: 0.8, high: upTo(largest), log: true}, axis{low: 0.8, high: upTo(most), log: true}, 640, 360)
	for s := 1; s <= largest; s++ {
		if n := number[s]; n > 0 {
			x, y := a.x.at(float64(s)), a.y.at(float64(n))
			f.line(x, a.y.from, x, y, Kind(0), 2)
			f.circle(x, y, 3.5, Kind(0), strconv.Itoa(n)+" of "+strconv.Itoa(s))
		}
	}
	return f
}
