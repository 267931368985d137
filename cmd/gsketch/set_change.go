// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

// each changes the sketches asked for, one by one; nil leaves one out.
func (o *setOptions) each(inputs []input, warn func(string), change func(it sketch.Item, set sketch.Abundant) (*sketch.Set, error)) ([]sketch.Item, error) {
	items, err := o.items(inputs, o.threads, warn)
	if err != nil {
		return nil, err
	}
	var changed []sketch.Item
	for _, it := range items {
		set, err := abundant(it)
		if err != nil {
			return nil, err
		}
		result, err := change(it, set)
		if err != nil {
			return nil, usageUnlessMismatch(fmt.Errorf("%s: %w", it.Meta.Label(), err))
		}
		if result != nil {
			changed = append(changed, sketch.Item{Meta: it.Meta, Sketch: result})
		}
	}
	return changed, nil
}

func newSetDownsample(c *common) *cobra.Command {
	o := setOptions{common: c}
	size, scaled := 0, uint64(0)
	cmd := &cobra.Command{
		Use:   "downsample [flags] FILE... -o OUTPUT",
		Short: "Make sketches coarser, or of the other family",
		Long: `The sketches that the same inputs would have given with a smaller size or a larger
scaled. A FracMinHash sketch with enough hashes becomes a bottom-k sketch by --size,
a bottom-k sketch that reaches far enough a FracMinHash sketch by --scaled; what
the hashes do not suffice for is exit 2.`,
		Example: "  gsketch set downsample --scaled 10000 --family fracminhash sketches.parquet -o small.zip\n  gsketch set downsample --size 500 --family bottomk sketches.parquet -o small.msh",
	}
	cmd.Flags().IntVarP(&size, "size", "s", 0, "bottom-k: hashes to keep, at least 1 (sourmash: --num)")
	cmd.Flags().Uint64Var(&scaled, "scaled", 0, "FracMinHash: keep one hash in so many, at least 1")
	return o.command(cmd, func(warn func(string), inputs []input) ([]sketch.Item, error) {
		if size < 0 || (size == 0) == (scaled == 0) {
			return nil, usagef("set downsample: say --size or --scaled, one of them and at least 1")
		}
		return o.each(inputs, warn, func(_ sketch.Item, set sketch.Abundant) (*sketch.Set, error) {
			if size > 0 {
				return bottomk.From(set, size)
			}
			return fracminhash.From(set, scaled)
		})
	})
}

func newSetFlatten(c *common) *cobra.Command {
	o := setOptions{common: c}
	cmd := &cobra.Command{
		Use:     "flatten [flags] FILE... -o OUTPUT",
		Short:   "Drop abundances",
		Long:    "The same sketches without abundances.",
		Example: "  gsketch set flatten reads.sig -o flat.sig\n  gsketch set flatten -k 21 reads.sig -o flat.zip",
	}
	return o.command(cmd, func(warn func(string), inputs []input) ([]sketch.Item, error) {
		return o.each(inputs, warn, func(_ sketch.Item, set sketch.Abundant) (*sketch.Set, error) {
			return algebraOf(set.Params().Family).flatten(set)
		})
	})
}

func newSetFilter(c *common) *cobra.Command {
	o := setOptions{common: c}
	low, high := uint64(1), uint64(0)
	cmd := &cobra.Command{
		Use:   "filter [flags] FILE... -o OUTPUT",
		Short: "Keep hashes by abundance",
		Long: `The sketches of what occurs at least --min-abundance and at most --max-abundance
times. Sketches without abundances are left out, with a warning.`,
		Example: "  gsketch set filter --min-abundance 2 reads.sig -o solid.sig\n  gsketch set filter -m 2 -M 100 reads.sig -o solid.zip",
	}
	cmd.Flags().Uint64VarP(&low, "min-abundance", "m", 1, "least number of copies, at least 1")
	cmd.Flags().Uint64VarP(&high, "max-abundance", "M", 0, "largest number of copies; 0 is without limit")
	return o.command(cmd, func(warn func(string), inputs []input) ([]sketch.Item, error) {
		top := high
		if top == 0 {
			top = math.MaxUint64
		}
		if low < 1 || top < low {
			return nil, usagef("set filter: --min-abundance %d --max-abundance %d: 1 <= min <= max", low, high)
		}
		items, err := o.each(inputs, warn, func(it sketch.Item, set sketch.Abundant) (*sketch.Set, error) {
			if !set.Params().Weighted {
				warn(fmt.Sprintf("%s (%s) has no abundances and is left out", it.Meta.Label(), set.Params()))
				return nil, nil
			}
			return algebraOf(set.Params().Family).filter(set, low, top)
		})
		if err == nil && len(items) == 0 {
			err = usagef("set filter: none of the sketches has abundances")
		}
		return items, err
	})
}

func newSetRename(c *common) *cobra.Command {
	o := setOptions{common: c}
	name := ""
	cmd := &cobra.Command{
		Use:     "rename [flags] FILE... -o OUTPUT",
		Short:   "Name sketches",
		Long:    "The same sketches, all under one name; -k, --include and --picklist choose which.",
		Example: "  gsketch set rename --name phage sketches.parquet -o named.parquet\n  gsketch set rename --name phage --family bottomk sketches.parquet -o named.msh",
	}
	cmd.Flags().StringVar(&name, "name", "", "the name")
	_ = cmd.MarkFlagRequired("name")
	return o.command(cmd, func(warn func(string), inputs []input) ([]sketch.Item, error) {
		items, err := o.items(inputs, o.threads, warn)
		for i := range items {
			items[i].Meta.ID = name
		}
		return items, err
	})
}
