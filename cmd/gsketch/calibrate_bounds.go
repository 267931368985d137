// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/calibrate"
	"github.com/gsketch/gsketch/kmer"
	"github.com/gsketch/gsketch/sketch"
)

type boundsOptions struct {
	*common
	output     string
	format     string
	families   []string
	measure    string
	k          int
	bits       int
	elements   float64
	at         []float64
	sizes      []int
	scaled     []int
	wanted     float64
	confidence float64
}

func newBounds(c *common) *cobra.Command {
	o := boundsOptions{common: c}
	cmd := &cobra.Command{
		Use:   "bounds [flags]",
		Short: "The error of sketches of a size, or the size for a wanted error",
		Long: `Say within what interval estimates lie, for each family of sketches that estimates
the measure, or, with --error, how large sketches must be for no more than that
error. Two sets of equal size are compared. --format mash prints the tables of
mash bounds.

Only the error of ani by FracMinHash includes the chance of where mutations fell;
no sketch size removes that.`,
		Example: `  gsketch calibrate bounds --at 0.05 --error 0.005
  gsketch calibrate bounds --measure jaccard --family kperm,oph --size 128,256`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runBounds(cmd, &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
	f.StringVar(&o.format, "format", "tsv", "tsv, or mash: the two tables of mash bounds")
	f.StringSliceVar(&o.families, "family", nil, "families: bottomk, fracminhash, kperm, oph, bbit, icws, simhash (default: all that estimate the measure)")
	f.StringVar(&o.measure, "measure", calibrate.Mash, "what is estimated: mash, ani, jaccard, containment, cosine")
	f.IntVarP(&o.k, "kmer", "k", 21, fmt.Sprintf("mash, ani: length of k-mers, 1..%d", kmer.MaxK))
	f.IntVar(&o.bits, "bits", 8, "bbit: bits kept of a slot, 1..32")
	f.Float64Var(&o.elements, "elements", 0, "distinct elements of each set, as k-mers of a genome (default 5e6; of jaccard and cosine 1000)")
	f.Float64SliceVar(&o.at, "at", nil, "true values of the measure, comma-separated (default: those of mash bounds; 0.80 to 0.99; 0.1 to 0.9)")
	f.IntSliceVarP(&o.sizes, "size", "s", nil, "hashes, slots or bits, comma-separated (default: usual ones)")
	f.IntSliceVar(&o.scaled, "scaled", nil, "FracMinHash: scaled, comma-separated (default: usual ones)")
	f.Float64Var(&o.wanted, "error", 0, "wanted error, in the unit of the measure: say what size it needs")
	f.Float64Var(&o.confidence, "confidence", 0.99, "share of estimates that are to lie in the interval, between 0 and 1 (--format mash: 0 to 1)")
	return cmd
}

func runBounds(cmd *cobra.Command, o *boundsOptions) error {
	write := o.table
	switch o.format {
	case "tsv":
		if err := o.complete(cmd); err != nil {
			return err
		}
	case "mash":
		for _, name := range []string{"family", "measure", "bits", "elements", "at", "size", "scaled", "error"} {
			if cmd.Flags().Changed(name) {
				return usagef("--%s has no effect with --format mash", name)
			}
		}
		if o.k < 1 || o.k > 32 || !(o.confidence >= 0 && o.confidence <= 1) {
			return usagef("--kmer %d --confidence %v: mash bounds takes 1 to 32 and 0 to 1", o.k, o.confidence)
		}
		write = func(w io.Writer) error { return mashBounds(w, o.k, o.confidence) }
	default:
		return usagef("--format %s: tsv or mash", o.format)
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := write(out); err != nil {
		return err
	}
	return out.commit()
}

var usualValues = map[string][]float64{
	calibrate.Mash:        calibrate.MashDistances,
	calibrate.ANI:         {0.8, 0.85, 0.9, 0.95, 0.97, 0.99},
	calibrate.Jaccard:     {0.1, 0.3, 0.5, 0.7, 0.8, 0.9},
	calibrate.Containment: {0.1, 0.3, 0.5, 0.7, 0.8, 0.9},
	calibrate.Cosine:      {0.1, 0.3, 0.5, 0.7, 0.8, 0.9},
}

var allFamilies = []string{sketch.BottomK, sketch.FracMinHash, sketch.KPerm, sketch.OPH, sketch.BBit, sketch.ICWS, sketch.SimHash}

// complete checks the flags and fills in what was not given.
func (o *boundsOptions) complete(cmd *cobra.Command) error {
	values, known := usualValues[o.measure]
	switch {
	case !known:
		return usagef("--measure %s: mash, ani, jaccard, containment or cosine", o.measure)
	case !(o.confidence > 0 && o.confidence < 1):
		return usagef("--confidence %v: between 0 and 1", o.confidence)
	case cmd.Flags().Changed("error") && !(o.wanted > 0 && o.wanted < math.Inf(1)):
		return usagef("--error %v: above 0", o.wanted)
	case o.wanted > 0 && len(o.sizes)+len(o.scaled) > 0:
		return usagef("--error asks for the size; --size and --scaled give it")
	}
	if len(o.families) == 0 {
		for _, f := range allFamilies {
			if slices.Contains(calibrate.Measures(f), o.measure) {
				o.families = append(o.families, f)
			}
		}
	}
	if o.elements == 0 {
		o.elements = 5e6
		if o.measure == calibrate.Jaccard || o.measure == calibrate.Cosine {
			o.elements = 1000
		}
	}
	if len(o.at) == 0 {
		o.at = values
	}
	for _, n := range slices.Concat(o.sizes, o.scaled) {
		if n < 1 {
			return usagef("--size and --scaled %d: at least 1", n)
		}
	}
	for _, family := range o.families {
		d := o.design(family)
		if err := d.Check(); err != nil {
			return usagef("%v", err)
		}
		if err := o.checkSizes(family); err != nil {
			return err
		}
		low, high := d.Range()
		for _, v := range o.at {
			if !(v > low && v < high) {
				return usagef("--at %v: %s lies between %v and %v", v, o.measure, low, high)
			}
		}
	}
	return nil
}

// checkSizes refuses sizes that no sketch has.
func (o *boundsOptions) checkSizes(family string) error {
	for _, n := range o.sizesOf(family) {
		switch {
		case family == sketch.SimHash && n != 64 && n != 128:
			return usagef("--size %d: simhash has 64 or 128 bits; --family chooses others", n)
		case family != sketch.BottomK && family != sketch.FracMinHash && n > sketch.MaxSlots:
			return usagef("--size %d: %s has at most %d slots", n, family, sketch.MaxSlots)
		}
	}
	return nil
}

func (o *boundsOptions) design(family string) calibrate.Design {
	d := calibrate.Design{Family: family, Measure: o.measure, K: o.k, Elements: o.elements}
	if family == sketch.BBit {
		d.Bits = o.bits
	}
	return d
}

// sizesOf are the sizes, or the scaled, to show for a family.
func (o *boundsOptions) sizesOf(family string) []int {
	given := o.sizes
	usual := []int{64, 128, 256, 512, 1024}
	switch family {
	case sketch.FracMinHash:
		given, usual = o.scaled, []int{100, 200, 1000, 10000}
	case sketch.BottomK:
		usual = []int{100, 500, 1000, 5000, 10000, 50000, 100000}
	case sketch.SimHash:
		usual = []int{64, 128}
	}
	if len(given) == 0 {
		return usual
	}
	return given
}

// table writes a row for each family, value and size.
func (o *boundsOptions) table(w io.Writer) error {
	columns := []string{"family", "measure", "value", "bits", "size", "scaled", "standard_error", "low", "high", "error", "bytes"}
	if err := line(w, columns); err != nil {
		return err
	}
	for _, family := range o.families {
		d := o.design(family)
		for _, v := range o.at {
			sizes := o.sizesOf(family)
			if o.wanted > 0 {
				n, err := d.Size(v, o.wanted, o.confidence)
				if err != nil && !errors.Is(err, calibrate.ErrUnreachable) {
					return err
				}
				sizes = []int{n} // 0: unreachable
			}
			for _, n := range sizes {
				if err := line(w, o.row(d, v, n)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (o *boundsOptions) row(d calibrate.Design, value float64, size int) []string {
	real := func(v float64) string {
		if math.IsInf(v, 1) {
			return "inf"
		}
		return string(appendValue(nil, v))
	}
	row := []string{d.Family, d.Measure, real(value), "NA", "NA", "NA", "NA", "NA", "NA", "NA", "NA"}
	if d.Bits > 0 {
		row[3] = strconv.Itoa(d.Bits)
	}
	if size == 0 {
		return row
	}
	e := d.Predict(value, size, o.confidence)
	at := 4
	if d.Family == sketch.FracMinHash {
		at = 5
	}
	row[at] = strconv.Itoa(size)
	for i, v := range []float64{e.Standard, e.Low, e.High, e.Error, math.Round(d.Bytes(size))} {
		row[6+i] = strings.TrimPrefix(real(v), "+")
	}
	return row
}
