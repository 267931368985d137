// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/formats/steps"
)

// ErrName is returned for a name that a tab-separated table cannot hold.
var ErrName = errors.New("a name with a tab or line end does not fit into a tab-separated table")

// row is a row of the table of pairs, as Parquet.
type row struct {
	A           string   `parquet:"a"`
	B           string   `parquet:"b"`
	Stratum     string   `parquet:"stratum"`
	Jaccard     *float64 `parquet:"jaccard,optional"`
	Containment *float64 `parquet:"containment,optional"`
	Rest        *float64 `parquet:"jaccard_without_boilerplate,optional"`
	Label       string   `parquet:"label"`
	TextA       string   `parquet:"text_a"`
	TextB       string   `parquet:"text_b"`
}

// WriteParquet writes pairs as a Parquet table with an empty column label.
func (d *Drawing) WriteParquet(w io.Writer) error {
	number := func(v float64) *float64 {
		if math.IsNaN(v) {
			return nil
		}
		return &v
	}
	out := steps.NewWriter[row](w)
	for _, p := range d.Pairs {
		if err := out.Write(row{p.A, p.B, p.Stratum, number(p.Jaccard), number(p.Containment), number(p.Rest), "", p.TextA, p.TextB}); err != nil {
			return err
		}
	}
	return out.Close()
}

// WriteText writes pairs as a tab-separated table with an empty column label.
// White space in texts becomes one space. It fails for a name that has a tab or
// a line end in it, by which its pair could not be found again.
func (d *Drawing) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "a\tb\tstratum\tjaccard\tcontainment\tjaccard_without_boilerplate\tlabel\ttext_a\ttext_b")
	number := func(v float64) string {
		if math.IsNaN(v) {
			return "NA"
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for _, p := range d.Pairs {
		for _, name := range []string{p.A, p.B} {
			if strings.ContainsAny(name, "\t\r\n") {
				return fmt.Errorf("%w: %q; write .parquet", ErrName, name)
			}
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t\t%s\t%s\n", p.A, p.B, p.Stratum, number(p.Jaccard), number(p.Containment), number(p.Rest),
			strings.Join(strings.Fields(p.TextA), " "), strings.Join(strings.Fields(p.TextB), " "))
	}
	return out.Flush()
}
