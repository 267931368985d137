// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/sketch"
)

type convertOptions struct {
	*common
	inputOptions
	partOptions
	output string
	foreignOptions
}

func newConvert(c *common) *cobra.Command {
	o := convertOptions{common: c}
	cmd := &cobra.Command{
		Use:   "convert [flags] FILE... -o OUTPUT",
		Short: "Convert sketches between .parquet, .msh, .sig, .sig.gz, .zip, .lean, .milvus.json",
		Long: `Convert sketches between formats: .parquet (native), .msh (Mash), .sig, .sig.gz,
.zip and a directory ending in / (sourmash), .lean (LeanMinHash of datasketch) and
.milvus.json (bulk import of Milvus). Several inputs are joined, in order.

What the target cannot hold is an error, never left out: a .msh file holds
bottom-k sketches of one kind, a .sig file no 32-bit hashes, a .lean file kperm
signatures of datasketch's schemes without their names. -k, --molecule, --family,
--include and --picklist take a part of what is there.

.lean and .milvus.json do not say how their sketches were made: --from reads them
as --params says, in the spelling of gsketch info. Written as vectors for Milvus, a
line says the field and index that fit them.`,
		Example: `  gsketch convert genomes.msh -o genomes.parquet
  gsketch convert -k 21 --family fracminhash sketches.parquet -o genomes.zip`,
		RunE: func(cmd *cobra.Command, args []string) error { return runConvert(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "output file, whose suffix says the format")
	_ = cmd.MarkFlagRequired("output")
	o.inputOptions.addFlags(f)
	o.partOptions.addFlags(f)
	o.foreignOptions.addFlags(f)
	return cmd
}

func runConvert(cmd *cobra.Command, args []string, o *convertOptions) error {
	warn := warner(cmd.ErrOrStderr())
	if err := o.parse(); err != nil {
		return err
	}
	target, err := o.target(o.output)
	if err != nil {
		return usagef("%v", err)
	}
	inputs, err := o.expand(args, warn)
	if err != nil {
		return err
	}
	items, err := o.read(inputs, warn)
	if err != nil {
		return err
	}
	if err := writeAs(o.output, target, o.layouts, items, cmd.OutOrStdout(), o.force); err != nil {
		bottomk := func(it sketch.Item) bool { return it.Sketch.Params().Family == sketch.BottomK }
		other := func(it sketch.Item) bool { return !bottomk(it) }
		if target == formats.Msh && slices.ContainsFunc(items, bottomk) && slices.ContainsFunc(items, other) {
			return usagef("%v; --family bottomk takes those alone", err)
		}
		return err
	}
	o.note(cmd.ErrOrStderr(), "%d sketches in %s", len(items), o.output)
	if target == formats.Milvus {
		o.note(cmd.ErrOrStderr(), "%s", o.schema(items[0].Sketch.Params()))
	}
	return nil
}

// read lists the sketches asked for, in the order in which they stand in the
// files.
func (o *convertOptions) read(inputs []input, warn func(string)) ([]sketch.Item, error) {
	var sources []source
	for _, in := range inputs {
		collections, err := o.open(in.path, formats.OpenOptions{Threads: o.threads, Warn: warn})
		if err != nil {
			return nil, in.wrap(err)
		}
		sources = append(sources, source{input: in, kind: o.source, collections: collections})
	}
	items, err := o.choose(sources, warn)
	if err != nil {
		return nil, err
	}
	return items, o.name(items)
}
