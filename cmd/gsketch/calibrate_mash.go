// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"

	"github.com/gsketch/gsketch/calibrate"
)

// mashBounds writes the two tables of mash bounds, in its bytes. Mash reads
// probabilities in single precision.
func mashBounds(w io.Writer, k int, p float64) error {
	p = float64(float32(p))
	text := append([]byte("\nParameters (run with -h for details):\n   k:   "), fmt.Sprint(k)...)
	text = appendG(append(text, "\n   p:   "...), p)
	text = append(text, "\n\n"...)
	for _, screen := range []bool{false, true} {
		title := "\tMash distance\n"
		if screen {
			title = "\tScreen distance\n"
		}
		text = append(append(text, title...), "Sketch"...)
		for _, d := range calibrate.MashDistances {
			text = appendG(append(text, '\t'), d)
		}
		text = append(text, '\n')
		for _, s := range calibrate.MashSizes {
			text = fmt.Append(text, s)
			for _, d := range calibrate.MashDistances {
				text = appendG(append(text, '\t'), calibrate.MashBound(s, d, k, p, screen))
			}
			text = append(text, '\n')
		}
		text = append(text, '\n')
	}
	_, err := w.Write(text)
	return err
}
