// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"image/color"
	"math"
)

// viridis by van der Walt and Smith (CC0), at equal steps from 0 to 1: even in
// lightness, and told apart by colour-blind readers.
var viridis = [...][3]float64{
	{68, 1, 84}, {72, 40, 120}, {62, 74, 137}, {49, 104, 142}, {38, 130, 142}, {31, 158, 137}, {53, 183, 121}, {109, 205, 89}, {180, 222, 44}, {253, 231, 37},
}

// Colours of a value that is undefined, and of one beyond the scale.
var (
	missing = color.NRGBA{0x99, 0x99, 0x99, 0xff}
	beyond  = color.NRGBA{0xf2, 0xf2, 0xf2, 0xff}
)

// shade is the colour of a value between 0 (dark) and 1 (bright).
func shade(v float64) color.NRGBA {
	switch {
	case math.IsNaN(v):
		return missing
	case v > 1:
		return beyond
	}
	x := max(v, 0) * float64(len(viridis)-1)
	i := min(int(x), len(viridis)-2)
	a, b, t := viridis[i], viridis[i+1], x-float64(i)
	mix := func(k int) uint8 { return uint8(math.Round(a[k] + (b[k]-a[k])*t)) }
	return color.NRGBA{mix(0), mix(1), mix(2), 0xff}
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// kinds are the colours of Okabe and Ito 2008 (jfly.uni-koeln.de/color), for
// things that are told apart.
var kinds = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// Kind is the colour of the i-th kind, which repeat after seven; none is -1.
func Kind(i int) string {
	if i < 0 {
		return "#777777"
	}
	return kinds[i%len(kinds)]
}
