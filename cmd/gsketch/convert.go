// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/sketch"
)

type convertOptions struct {
	*common
	inputOptions
	output   string
	k        []int
	molecule string
	family   string
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
signatures of datasketch's schemes without their names. -k, --molecule and --family
take a part of what is there.

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
	f.IntSliceVarP(&o.k, "kmer", "k", nil, "take sketches of these k alone")
	f.StringVar(&o.molecule, "molecule", "", "take sketches of this molecule alone")
	f.StringVar(&o.family, "family", "", "take sketches of this family alone: bottomk, fracminhash, kperm, oph, bbit, icws, simhash")
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
	if len(items) == 0 {
		return usagef("none of the sketches fits what is asked for")
	}
	for _, it := range items {
		if err := target.Holds(it.Sketch.Params()); err != nil {
			return usagef("%s: %v", it.Meta.Label(), err)
		}
	}
	if err := o.write(cmd, target, items); err != nil {
		return err
	}
	o.note(cmd.ErrOrStderr(), "%d sketches in %s", len(items), o.output)
	if target == formats.Milvus {
		o.note(cmd.ErrOrStderr(), "%s", o.schema(items[0].Sketch.Params()))
	}
	return nil
}

func (o *convertOptions) wanted(p sketch.Params) bool {
	return (len(o.k) == 0 || slices.Contains(o.k, p.Elements.K)) &&
		(o.molecule == "" || p.Elements.Molecule == o.molecule) && (o.family == "" || p.Family == o.family)
}

// read lists the sketches asked for, in the order in which they stand in the
// files.
func (o *convertOptions) read(inputs []input, warn func(string)) ([]sketch.Item, error) {
	var items []sketch.Item
	for _, in := range inputs {
		collections, err := o.open(in.path, formats.OpenOptions{Threads: o.threads, Warn: warn})
		if err != nil {
			return nil, in.wrap(err)
		}
		collections = slices.DeleteFunc(collections, func(c sketch.Collection) bool { return !o.wanted(c.Params()) })
		items = append(items, formats.InFileOrder(collections)...)
	}
	if err := o.name(items); err != nil {
		return nil, err
	}
	return items, nil
}

func (o *convertOptions) write(cmd *cobra.Command, target formats.Kind, items []sketch.Item) error {
	if target == formats.Directory {
		return writeDirectory(o.output, items, o.force)
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	w, err := formats.NewWriter(out, target, formats.WriteOptions{CreatedBy: "gsketch " + version, Layout: o.layouts})
	if err != nil {
		return err
	}
	for _, it := range items {
		if err := w.Write(it); err != nil {
			return usageUnlessOutput(err)
		}
	}
	if err := w.Close(); err != nil {
		return usageUnlessOutput(err)
	}
	return out.commit()
}

// usageUnlessOutput makes what a format cannot hold the user's to mend.
func usageUnlessOutput(err error) error {
	if exitCode(err) == exitOutput {
		return err
	}
	return usageError{fmt.Sprint(err)}
}
