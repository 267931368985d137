// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

func newSetOverlap(c *common) *cobra.Command {
	o := setOptions{common: c}
	format := "tsv"
	cmd := &cobra.Command{
		Use:   "overlap [flags] FILE FILE",
		Short: "How many hashes two sketches share, and what each has alone",
		Long: `Of the sketch in each of two files, of each kind, how many hashes are in the first,
the second, both, one alone and in either, at the coarser scaled or the smaller size,
and what follows of it. --format sourmash is the text of sourmash sig overlap.`,
		Example: "  gsketch set overlap lambda.sig mix.sig\n  gsketch set overlap --format sourmash -k 21 lambda.sig mix.sig",
		Args:    cobra.ExactArgs(2),
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
	f.StringVar(&format, "format", "tsv", "format of the output: tsv, sourmash")
	o.partOptions.addFlags(f)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		row := overlapTSV
		switch format {
		case "tsv":
		case "sourmash":
			row = overlapText
		default:
			return usagef("--format %s: tsv or sourmash", format)
		}
		warn := warner(cmd.ErrOrStderr())
		kinds, err := o.kinds([]input{{path: args[0]}, {path: args[1]}}, warn)
		if err != nil {
			return err
		}
		out, err := create(o.output, cmd.OutOrStdout(), o.force)
		if err != nil {
			return err
		}
		defer out.discard()
		if format == "tsv" {
			if err := line(out, strings.Fields(overlapColumns)); err != nil {
				return err
			}
		}
		for _, k := range kinds {
			v, err := newOverlap(&k, args)
			if err != nil {
				return err
			}
			if err := row(out, v); err != nil {
				return err
			}
		}
		return out.commit()
	}
	return cmd
}

// An overlap is two sketches, as they are and brought to one scaled or size.
type overlap struct {
	files    []string
	original [2]sketch.Item
	a, b     sketch.Item
	pair     distance.Pair
	union    int
}

func newOverlap(k *kindOf, files []string) (*overlap, error) {
	v := &overlap{files: files}
	var both [2]sketch.Abundant
	for i := range both {
		set, err := k.one(i, files[i])
		if err != nil {
			return nil, err
		}
		both[i], v.original[i] = set, k.inputs[i][0]
	}
	for i, it := range []*sketch.Item{&v.a, &v.b} {
		set, err := coarsened(both[i], both[1-i].Params())
		if err != nil {
			return nil, usagef("%v", err)
		}
		*it = sketch.Item{Meta: v.original[i].Meta, Sketch: set}
	}
	v.pair = distance.Compare(v.a, v.b)
	hashes, _ := sketch.Union(math.MaxUint64, true, v.a.Sketch.(sketch.Abundant), v.b.Sketch.(sketch.Abundant))
	v.union = len(hashes)
	return v, nil
}

// coarsened brings a sketch to the size or scaled of another if that is coarser.
func coarsened(set sketch.Abundant, other sketch.Params) (*sketch.Set, error) {
	if p := set.Params(); p.Family == sketch.FracMinHash {
		return fracminhash.Downsample(set, max(p.Scaled, other.Scaled))
	}
	return bottomk.Reduce(set, other.Size)
}

// common is the number of hashes that both hold.
func (v *overlap) common() int { return v.a.Sketch.Len() + v.b.Sketch.Len() - v.union }

const overlapColumns = "first second params hashes_first hashes_second shared only_first only_second either jaccard containment reverse_containment ani reverse_ani angular"

func overlapTSV(w io.Writer, v *overlap) error {
	cells := []string{field(v.original[0].Meta.Label()), field(v.original[1].Meta.Label()), v.a.Sketch.Params().String()}
	n := v.common()
	for _, count := range []int{v.a.Sketch.Len(), v.b.Sketch.Len(), n, v.a.Sketch.Len() - n, v.b.Sketch.Len() - n, v.union} {
		cells = append(cells, strconv.Itoa(count))
	}
	values := []float64{v.pair.Jaccard(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	if v.pair.Scaled > 0 {
		values = []float64{v.pair.Jaccard(), v.pair.Containment(), v.pair.ReverseContainment(), v.pair.ContainmentANI(), v.pair.ReverseContainmentANI(), math.NaN()}
	}
	if v.weighted() {
		values[5] = distance.Angular(v.a.Sketch.(sketch.Abundant), v.b.Sketch.(sketch.Abundant))
	}
	for _, x := range values {
		cells = append(cells, string(appendValue(nil, x)))
	}
	return line(w, cells)
}

func (v *overlap) weighted() bool {
	return v.a.Sketch.Params().Weighted && v.b.Sketch.Params().Weighted
}
