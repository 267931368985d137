// SPDX-License-Identifier: Apache-2.0

package report

import "strings"

// TextWidth is an upper bound of the width of s at a font size, in the unit of
// size. The widths are those of DejaVu Sans, the widest of the fonts that a
// figure asks for; letters that it may not hold count as one em.
func TextWidth(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		w += glyphWidth(r)
	}
	return w * size
}

func glyphWidth(r rune) float64 {
	switch {
	case r < ' ':
		return 0.64
	case strings.ContainsRune("ijl'|", r):
		return 0.34
	case strings.ContainsRune(" ,.:;ftIJr()[]/-", r):
		return 0.42
	case strings.ContainsRune("mWM@%", r):
		return 1
	case strings.ContainsRune("w+=<>~", r):
		return 0.84
	case r >= 'A' && r <= 'Z':
		return 0.79
	case r < 0x7f:
		return 0.64
	case r < 0x2e80:
		return 0.9
	}
	return 1.05
}

// widest is the largest width of labels.
func widest(labels []string, size float64) float64 {
	w := 0.0
	for _, l := range labels {
		w = max(w, TextWidth(l, size))
	}
	return w
}
