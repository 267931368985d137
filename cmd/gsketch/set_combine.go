// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

// algebra are the operations of a family.
type algebra struct {
	union     func(flat bool, sets ...sketch.Abundant) (*sketch.Set, error)
	intersect func(sets ...sketch.Abundant) (*sketch.Set, error)
	subtract  func(set sketch.Abundant, others ...sketch.Abundant) (*sketch.Set, error)
	inflate   func(set, from sketch.Abundant) (*sketch.Set, error)
	filter    func(set sketch.Abundant, low, high uint64) (*sketch.Set, error)
	flatten   func(set sketch.Abundant) (*sketch.Set, error)
}

func algebraOf(family string) algebra {
	if family == sketch.BottomK {
		return algebra{bottomk.Union, bottomk.Intersect, bottomk.Subtract, bottomk.Inflate, bottomk.Filter, bottomk.Flatten}
	}
	return algebra{fracminhash.Union, fracminhash.Intersect, fracminhash.Subtract, fracminhash.Inflate, fracminhash.Filter, fracminhash.Flatten}
}

// combineOptions are those of operations that make one sketch of several.
type combineOptions struct {
	setOptions
	name          string
	flat          bool
	abundanceFrom string
}

func (o *combineOptions) addName(f *pflag.FlagSet) {
	f.StringVar(&o.name, "name", "", "name of the result; without, it has none")
}

func (o *combineOptions) addAbundanceFrom(f *pflag.FlagSet) {
	f.StringVarP(&o.abundanceFrom, "abundance-from", "A", "", "sketch file that tells the abundances of the result, which has none otherwise")
}

func newSetMerge(c *common) *cobra.Command {
	o := combineOptions{setOptions: setOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "merge [flags] FILE... -o OUTPUT",
		Short: "The union of all sketches; abundances are added",
		Long: `One sketch of the union of all sketches in the inputs, of each kind. Abundances
are added; with and without abundances do not go together unless --flatten.`,
		Example: "  gsketch set merge sketches.parquet -o all.parquet\n  gsketch set merge --family bottomk --name all sketches.parquet -o all.msh",
	}
	o.addName(cmd.Flags())
	cmd.Flags().BoolVar(&o.flat, "flatten", false, "drop abundances")
	return o.command(cmd, func(warn func(string), inputs []input) ([]sketch.Item, error) {
		return o.combine(inputs, warn, func(k *kindOf) (*sketch.Set, error) {
			return algebraOf(k.class.Family).union(o.flat, operands(k.inputs)...)
		})
	})
}

func newSetIntersect(c *common) *cobra.Command {
	o := combineOptions{setOptions: setOptions{common: c}}
	cmd := &cobra.Command{
		Use:     "intersect [flags] FILE... -o OUTPUT",
		Short:   "What all sketches have in common",
		Long:    "One sketch of what all sketches in the inputs have in common, of each kind, without\nabundances unless --abundance-from tells them.",
		Example: "  gsketch set intersect mix.sig lambda.sig -o common.sig\n  gsketch set intersect --family fracminhash --abundance-from reads.sig genomes.sig -o common.zip",
	}
	o.addName(cmd.Flags())
	o.addAbundanceFrom(cmd.Flags())
	return o.command(cmd, func(warn func(string), inputs []input) ([]sketch.Item, error) {
		return o.combine(inputs, warn, func(k *kindOf) (*sketch.Set, error) {
			return algebraOf(k.class.Family).intersect(operands(k.inputs)...)
		})
	})
}

func newSetSubtract(c *common) *cobra.Command {
	o := combineOptions{setOptions: setOptions{common: c}}
	cmd := &cobra.Command{
		Use:   "subtract [flags] FROM FILE... -o OUTPUT",
		Short: "What a sketch has and no other has",
		Long: `What the sketch in the first file (one of each kind) has and none of the sketches
in the other files has. Sketches with abundances are refused unless --flatten drops
them or --abundance-from tells those of the result.`,
		Example: "  gsketch set subtract mix.sig lambda.sig -o rest.sig\n  gsketch set subtract --name rest --abundance-from reads.sig mix.sig lambda.sig -o rest.zip",
	}
	o.addName(cmd.Flags())
	o.addAbundanceFrom(cmd.Flags())
	cmd.Flags().BoolVar(&o.flat, "flatten", false, "drop abundances")
	return o.command(cmd, func(warn func(string), inputs []input) ([]sketch.Item, error) {
		if len(inputs) < 2 {
			return nil, usagef("set subtract: nothing to subtract; name a sketch and those to take away from it")
		}
		return o.combine(inputs, warn, func(k *kindOf) (*sketch.Set, error) {
			from, err := k.one(0, inputs[0].path)
			if err != nil {
				return nil, err
			}
			all := operands(k.inputs[1:])
			for _, s := range append(all, from) {
				if s.Params().Weighted && !o.flat && o.abundanceFrom == "" {
					return nil, usagef("set subtract: there are abundances, of which none would be left; --flatten drops them, --abundance-from FILE tells those of the result")
				}
			}
			return algebraOf(k.class.Family).subtract(from, all...)
		})
	})
}

// combine makes one sketch of each kind by an operation, and gives it
// abundances where they are asked for.
func (o *combineOptions) combine(inputs []input, warn func(string), operation func(*kindOf) (*sketch.Set, error)) ([]sketch.Item, error) {
	if o.abundanceFrom != "" {
		inputs = append(inputs, input{path: o.abundanceFrom})
	}
	kinds, err := o.kinds(inputs, warn)
	if err != nil {
		return nil, err
	}
	var items []sketch.Item
	for _, k := range kinds {
		last := len(inputs) - 1
		operands := k
		if o.abundanceFrom != "" {
			operands.inputs = k.inputs[:last]
		}
		set, err := operation(&operands)
		if err == nil && o.abundanceFrom != "" {
			set, err = o.inflated(&k, set, last)
		}
		it, err := made(o.name, set, err)
		if err != nil {
			return nil, err
		}
		items = append(items, it)
	}
	return items, nil
}

// inflated takes the abundances of a sketch from an input.
func (o *combineOptions) inflated(k *kindOf, set *sketch.Set, at int) (*sketch.Set, error) {
	from, err := k.one(at, o.abundanceFrom)
	if err != nil {
		return nil, err
	}
	if !from.Params().Weighted {
		return nil, usagef("%s: the sketch has no abundances to take", o.abundanceFrom)
	}
	return algebraOf(k.class.Family).inflate(set, from)
}

func newSetInflate(c *common) *cobra.Command {
	o := setOptions{common: c}
	cmd := &cobra.Command{
		Use:     "inflate [flags] FROM FILE... -o OUTPUT",
		Short:   "Give sketches the abundances of another",
		Long:    "Each sketch of the other files, less what the sketch in the first file (one of each\nkind) does not have, with the abundances that it tells.",
		Example: "  gsketch set inflate reads.sig genomes.sig -o counted.sig\n  gsketch set inflate --family fracminhash reads.sig genomes.sig -o counted.zip",
	}
	return o.command(cmd, func(warn func(string), inputs []input) ([]sketch.Item, error) {
		if len(inputs) < 2 {
			return nil, usagef("set inflate: name a sketch with abundances and those to give them to")
		}
		kinds, err := o.kinds(inputs, warn)
		if err != nil {
			return nil, err
		}
		var items []sketch.Item
		for _, k := range kinds {
			from, err := k.one(0, inputs[0].path)
			if err != nil {
				return nil, err
			}
			for _, others := range k.inputs[1:] {
				for _, other := range others {
					result, err := algebraOf(k.class.Family).inflate(other.Sketch.(sketch.Abundant), from)
					it, err := made(other.Meta.ID, result, err)
					if err != nil {
						return nil, err
					}
					items = append(items, it)
				}
			}
		}
		return items, nil
	})
}
