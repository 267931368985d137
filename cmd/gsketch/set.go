// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// setOptions are what all operations on sketches have in common: sketch files
// in, a sketch file out.
type setOptions struct {
	*common
	inputOptions
	partOptions
	output string
}

func newSet(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "set",
		Short: "Operations on sketches: merge, intersect, subtract, downsample, rename, ...",
		Long: `Operations on sketches, of which all but extract, rename, split and cat are for
bottom-k and FracMinHash. The suffix of the output chooses its format.

Operations on several sketches are done for each kind (k, molecule, family) that
is there, which all inputs must have; -k, --molecule and --family choose. Sizes and
scaled are brought to the coarsest, anything else that differs is exit 2.

FracMinHash sketches of results are exact. A bottom-k sketch of an intersection,
a difference or a filtered set is exact up to the largest hash that all inputs
tell of: its size is the number of hashes that are known.`,
		Example: `  gsketch set merge --name all sketches.parquet -o all.parquet
  gsketch set downsample --scaled 10000 --family fracminhash sketches.parquet -o small.zip`,
	}
	cmd.AddCommand(newSetMerge(c), newSetIntersect(c), newSetSubtract(c), newSetInflate(c),
		newSetDownsample(c), newSetFlatten(c), newSetFilter(c), newSetRename(c),
		newSetExtract(c), newSetCat(c), newSetSplit(c), newSetOverlap(c))
	return cmd
}

// command adds the common flags to a command, whose work is run.
func (o *setOptions) command(cmd *cobra.Command, run func(warn func(string), inputs []input) ([]sketch.Item, error)) *cobra.Command {
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "output file, whose suffix says the format: .parquet, .msh, .sig, .sig.gz, .zip or a / at the end")
	_ = cmd.MarkFlagRequired("output")
	o.inputOptions.addFlags(f)
	o.partOptions.addFlags(f)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		warn := warner(cmd.ErrOrStderr())
		if _, err := formats.KindOf(o.output); err != nil {
			return usagef("%v", err)
		}
		inputs, err := o.expand(args, warn)
		if err != nil {
			return err
		}
		items, err := run(warn, inputs)
		if err != nil {
			return err
		}
		if err := writeSketches(o.output, items, cmd.OutOrStdout(), o.force); err != nil {
			return err
		}
		o.note(cmd.ErrOrStderr(), "%d sketches in %s", len(items), o.output)
		return nil
	}
	return cmd
}

// abundant is a sketch on which there are operations.
func abundant(it sketch.Item) (sketch.Abundant, error) {
	if set, ok := it.Sketch.(sketch.Abundant); ok {
		return set, nil
	}
	return nil, usagef("%s: a %s sketch is no set of hashes; --family bottomk or fracminhash chooses those that are", it.Meta.Label(), it.Sketch.Params().Family)
}

// A kindOf is the sketches of one class, by input.
type kindOf struct {
	class  sketch.Params
	inputs [][]sketch.Item
}

// kinds sorts the sketches asked for by class. Every input must have all
// classes.
func (o *setOptions) kinds(inputs []input, warn func(string)) ([]kindOf, error) {
	sources, err := o.load(inputs, o.threads, warn)
	if err != nil {
		return nil, err
	}
	var kinds []kindOf
	for i, s := range sources {
		for _, it := range formats.InFileOrder(s.collections) {
			if _, err := abundant(it); err != nil {
				return nil, fmt.Errorf("%s: %w", s.path, err)
			}
			cl := class(it.Sketch.Params())
			at := slices.IndexFunc(kinds, func(k kindOf) bool { return k.class == cl })
			if at < 0 {
				at = len(kinds)
				kinds = append(kinds, kindOf{cl, make([][]sketch.Item, len(sources))})
			}
			kinds[at].inputs[i] = append(kinds[at].inputs[i], it)
		}
	}
	for _, k := range kinds {
		for i, s := range sources {
			if k.inputs[i] == nil {
				return nil, fmt.Errorf("%s: %w (-k, --molecule and --family choose what all inputs have)", s.path, nearest([]sketch.Params{k.class}, classes(s.collections)))
			}
		}
	}
	if len(kinds) == 0 {
		return nil, usagef("there are no sketches in the inputs")
	}
	return kinds, nil
}

// one is the sketch of an input that may have one of each kind.
func (k *kindOf) one(i int, path string) (sketch.Abundant, error) {
	if n := len(k.inputs[i]); n != 1 {
		return nil, usagef("%s: %d sketches of %s where one is expected; --include and --picklist choose", path, n, k.class.Elements)
	}
	return abundant(k.inputs[i][0])
}

// operands are the sketches of inputs.
func operands(inputs [][]sketch.Item) []sketch.Abundant {
	var all []sketch.Abundant
	for _, items := range inputs {
		for _, it := range items {
			all = append(all, it.Sketch.(sketch.Abundant)) // kinds has seen to it
		}
	}
	return all
}

// made is the result of an operation under a name. How many elements it has is
// estimated: p-values need it.
func made(name string, set *sketch.Set, err error) (sketch.Item, error) {
	if err != nil {
		return sketch.Item{}, usageUnlessMismatch(err)
	}
	m := sketch.Meta{ID: name}
	if n, err := minhash.Cardinality(0.95, set); err == nil {
		m.Length, m.LengthEstimated = uint64(math.Round(n.Value)), true
	}
	return sketch.Item{Meta: m, Sketch: set}, nil
}

// usageUnlessMismatch makes what cannot be done with the sketches given the
// user's to mend.
func usageUnlessMismatch(err error) error {
	if exitCode(err) == exitUsage {
		return err
	}
	return usagef("%v", err)
}
