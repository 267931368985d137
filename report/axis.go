// SPDX-License-Identifier: Apache-2.0

package report

import (
	"math"
	"strconv"
)

// An axis maps values to pixels.
type axis struct {
	low, high float64 // values at its ends
	from, to  float64 // pixels at its ends
	log       bool
}

func (a axis) at(v float64) float64 {
	l, h := a.low, a.high
	if a.log {
		v, l, h = math.Log10(v), math.Log10(l), math.Log10(h)
	}
	if h == l {
		return (a.from + a.to) / 2
	}
	return a.from + (v-l)/(h-l)*(a.to-a.from)
}

// niceStep is the smallest of 1, 2 and 5 times a power of ten that cuts span
// into at most n parts.
func niceStep(span float64, n int) float64 {
	if !(span > 0) {
		return 1
	}
	base := math.Pow(10, math.Floor(math.Log10(span/float64(n))))
	for _, m := range []float64{1, 2, 5} {
		if base*m*float64(n) >= span*(1-1e-9) {
			return base * m
		}
	}
	return base * 10
}

// ticks are round values within the axis, at most about n.
func (a axis) ticks(n int) []float64 {
	if a.log {
		var t []float64
		for e := math.Ceil(math.Log10(a.low) - 1e-9); e <= math.Log10(a.high)+1e-9; e++ {
			t = append(t, math.Pow(10, e))
		}
		return t
	}
	step := niceStep(a.high-a.low, n)
	var t []float64
	for i := math.Ceil(a.low/step - 1e-9); i*step <= a.high+step*1e-9; i++ {
		t = append(t, i*step+0) // + 0: no -0
	}
	return t
}

// spell writes a tick.
func spell(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// An area is the rectangle of a chart, with its axes.
type area struct {
	x, y axis
}

const (
	labelSize = 11.0
	nameSize  = 12.0
	titleSize = 14.0
)

// frame makes a figure with the axes of a chart: names, ticks and grid lines.
func frame(heading string, xName, yName string, x, y axis, width, height float64) (*Figure, area) {
	var yLabels []string
	for _, t := range y.ticks(6) {
		yLabels = append(yLabels, spell(t))
	}
	left := widest(yLabels, labelSize) + 2*nameSize + 14
	right := TextWidth("100000", labelSize)/2 + 8
	top := 2.2 * titleSize
	bottom := labelSize + nameSize + 22
	width = max(width, TextWidth(heading, titleSize)+16, left+right+TextWidth(xName, nameSize))
	height = max(height, top+bottom+TextWidth(yName, nameSize))
	f := &Figure{Width: width, Height: height, Title: heading}
	x.from, x.to = left, width-right
	y.from, y.to = height-bottom, top
	f.text(8, 1.4*titleSize, titleSize, start, heading)
	for i, t := range y.ticks(6) {
		f.line(x.from, y.at(t), x.to, y.at(t), "#e6e6e6", 1)
		f.text(x.from-6, y.at(t)+0.35*labelSize, labelSize, end, yLabels[i])
	}
	for _, t := range x.ticks(8) {
		f.line(x.at(t), y.from, x.at(t), y.from+4, ink, 1)
		f.text(x.at(t), y.from+6+labelSize, labelSize, middle, spell(t))
	}
	f.line(x.from, y.from, x.to, y.from, ink, 1)
	f.text((x.from+x.to)/2, height-8, nameSize, middle, xName)
	f.upward(nameSize+4, (y.from+y.to)/2, nameSize, middle, yName)
	return f, area{x, y}
}
