// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/formats/lean"
	"github.com/gsketch/gsketch/formats/milvus"
	"github.com/gsketch/gsketch/sketch"
)

// foreignOptions say what files without a description of themselves do not.
type foreignOptions struct {
	to, from    string
	params      string
	names       string
	byteOrder   string
	elementBits int

	layouts formats.Layout
	made    sketch.Params
	source  formats.Kind // Unknown: by content
}

func (o *foreignOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.to, "to", "", "format of the output, whatever its suffix: parquet, msh, sig, sig.gz, zip, lean, milvus (default: by suffix)")
	f.StringVar(&o.from, "from", "", "format of the inputs, where they do not tell it: lean, milvus (default: by content)")
	f.StringVar(&o.params, "params", "", `how the sketches of --from were made, as "kperm;text/words=5/norm=1;sha1/bits=64/seed=1/perm=affine32;size=128"`)
	f.StringVar(&o.names, "names", "", "names for the sketches, one a line, in their order")
	f.StringVar(&o.byteOrder, "byte-order", "", "lean: native (default; aligned as 64-bit machines do), little, big; milvus: little (default), big")
	f.IntVar(&o.elementBits, "element-bits", 0, "milvus: bits of a slot in the vector: 8, 16, 32, 64 (default: the fewest that hold it)")
}

// usualLayout is what datasketch and Milvus take where nothing is said.
var usualLayout = formats.Layout{Lean: lean.Native}

// parse checks the flags and turns them into layouts and parameters.
func (o *foreignOptions) parse() error {
	orders := map[string]lean.Layout{"": lean.Native, "native": lean.Native, "little": lean.Little, "big": lean.Big}
	order, ok := orders[o.byteOrder]
	if !ok {
		return usagef("--byte-order %s: native, little or big", o.byteOrder)
	}
	if !slices.Contains([]int{0, 8, 16, 32, 64}, o.elementBits) {
		return usagef("--element-bits %d: 8, 16, 32 or 64", o.elementBits)
	}
	o.layouts = formats.Layout{Lean: order, Milvus: milvus.Layout{Bits: o.elementBits, BigEndian: order == lean.Big}}
	if o.from == "" {
		if o.params != "" {
			return usagef("--params has no effect without --from")
		}
		return nil
	}
	switch o.from {
	case "lean":
		o.source = formats.Lean
	case "milvus":
		o.source = formats.Milvus
	default:
		return usagef("--from %s: lean or milvus; other files tell what they are", o.from)
	}
	if o.params == "" {
		return usagef("--from %s needs --params: the file does not say how its sketches were made", o.from)
	}
	var err error
	if o.made, err = sketch.ParseParams(o.params); err != nil {
		return usagef("--params: %v", err)
	}
	if err := o.source.Holds(o.made); err != nil {
		return usagef("--params: %v", err)
	}
	return nil
}

// target is the format to write.
func (o *foreignOptions) target(path string) (formats.Kind, error) {
	if o.to != "" {
		return formats.KindNamed(o.to)
	}
	return formats.KindOf(path)
}

func (o *foreignOptions) open(path string, opts formats.OpenOptions) ([]sketch.Collection, error) {
	if o.source == formats.Unknown {
		return formats.Open(path, opts)
	}
	opts.Params, opts.Layout = o.made, o.layouts
	return formats.OpenKind(path, o.source, opts)
}

// name gives the sketches the names of --names.
func (o *foreignOptions) name(items []sketch.Item) error {
	if o.names == "" {
		return nil
	}
	names, err := readList(o.names)
	if err != nil {
		return err
	}
	if len(names) != len(items) {
		return usagef("--names %s: %d names for %d sketches", o.names, len(names), len(items))
	}
	for i := range items {
		items[i].Meta.ID = names[i].path
	}
	return nil
}

// schema says what to create in Milvus for vectors of sketches made with p.
func (o *foreignOptions) schema(p sketch.Params) string {
	l := o.layouts.Milvus
	if l.Bits == 0 {
		l.Bits = milvus.Fitting(p).Bits
	}
	return fmt.Sprintf("Milvus: field id VARCHAR (primary key), field vector BINARY_VECTOR dim=%d; index MINHASH_LSH, metric MHJACCARD, "+
		"mh_element_bit_width=%d, mh_lsh_band a divisor of %d, with_raw_data=true", l.Dim(p.Size), l.Bits, p.Size)
}
