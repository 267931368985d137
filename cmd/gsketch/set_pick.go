// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/sketch"
)

func newSetExtract(c *common) *cobra.Command {
	o := setOptions{common: c}
	cmd := &cobra.Command{
		Use:   "extract [flags] FILE... -o OUTPUT",
		Short: "Take sketches by name, digest, picklist or pattern",
		Long: `The sketches whose name has --name in it (the source, where there is no name) or
whose md5 has --md5 in it; of these, those that --include, --exclude and --picklist
let through.`,
		Example: "  gsketch set extract --name lambda sketches.parquet -o lambda.parquet\n  gsketch set extract --include 'lambda|dwv' -k 21 sketches.parquet -o two.parquet",
	}
	cmd.Flags().StringVar(&o.pick.name, "name", "", "part of a name")
	cmd.Flags().StringVar(&o.pick.md5, "md5", "", "part of an md5")
	return o.command(cmd, func(warn func(string), inputs []input) ([]sketch.Item, error) {
		return o.items(inputs, o.threads, warn)
	})
}

func newSetCat(c *common) *cobra.Command {
	o := setOptions{common: c}
	unique := false
	cmd := &cobra.Command{
		Use:     "cat [flags] FILE... -o OUTPUT",
		Short:   "Put sketches of several files into one",
		Long:    "All sketches of the inputs, in order, in one file: gsketch convert, which can also drop\nrepeats.",
		Example: "  gsketch set cat sketches.parquet genomes.sig -o both.parquet\n  gsketch set cat --unique sketches.parquet sketches.parquet -o once.parquet",
	}
	cmd.Flags().BoolVar(&unique, "unique", false, "of equal sketches keep the first alone, whatever their names")
	return o.command(cmd, func(warn func(string), inputs []input) ([]sketch.Item, error) {
		items, err := o.items(inputs, o.threads, warn)
		if unique {
			items = withoutRepeats(items)
		}
		return items, err
	})
}

// contentOf is equal for equal sketches.
func contentOf(s sketch.Sketch) string {
	var values []uint64
	switch s := s.(type) {
	case sketch.Signature:
		values = s.AppendSlots(nil)
	case sketch.Abundant:
		values = append(slices.Clone(s.Hashes()), s.Abundances()...)
	}
	h := sha256.New()
	_ = binary.Write(h, binary.LittleEndian, values) // a hash takes everything
	return s.Params().String() + string(h.Sum(nil))
}

// withoutRepeats keeps the first of equal sketches.
func withoutRepeats(items []sketch.Item) []sketch.Item {
	seen := map[string]bool{}
	var kept []sketch.Item
	for _, it := range items {
		if key := contentOf(it.Sketch); !seen[key] {
			seen[key] = true
			kept = append(kept, it)
		}
	}
	return kept
}

func newSetSplit(c *common) *cobra.Command {
	o := setOptions{common: c}
	suffix := ""
	cmd := &cobra.Command{
		Use:   "split [flags] FILE... -o DIRECTORY/",
		Short: "Put each sketch into a file of its own",
		Long: `Each sketch in a file of its own, named as sourmash names it:
MD5.k=K.scaled=S.MOLECULE.dup=N.SOURCE.sig, with num= for bottom-k, the first eight
digits of the md5, and N counting those that would be called the same.`,
		Example: "  gsketch set split sketches.parquet -o parts/\n  gsketch set split --extension .sig.gz -k 21 sketches.parquet -o zipped/",
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "directory, made if it is not there")
	_ = cmd.MarkFlagRequired("output")
	f.StringVar(&suffix, "extension", ".sig", "suffix of the files, which says the format: .sig, .sig.gz, .zip, .parquet, .msh")
	o.inputOptions.addFlags(f)
	o.partOptions.addFlags(f)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if kind, err := formats.KindOf(suffix); err != nil || kind == formats.Directory {
			return usagef("--extension %s: one of .sig, .sig.gz, .zip, .parquet, .msh", suffix)
		}
		warn := warner(cmd.ErrOrStderr())
		inputs, err := o.expand(args, warn)
		if err != nil {
			return err
		}
		items, err := o.items(inputs, o.threads, warn)
		if err != nil {
			return err
		}
		names, err := splitNames(items)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(o.output, 0o777); err != nil {
			return &outputError{o.output, reason(err)}
		}
		if !o.force {
			for _, name := range names {
				if _, err := os.Lstat(filepath.Join(o.output, name+suffix)); err == nil {
					return &outputError{filepath.Join(o.output, name+suffix), errors.New("exists already; --force overwrites it")}
				}
			}
		}
		for i, name := range names {
			if err := writeSketches(filepath.Join(o.output, name+suffix), items[i:i+1], nil, o.force); err != nil {
				return err
			}
		}
		o.note(cmd.ErrOrStderr(), "%d files in %s", len(names), o.output)
		return nil
	}
	return cmd
}

// splitNames are the names of sourmash sig split, without suffix.
func splitNames(items []sketch.Item) ([]string, error) {
	copies := map[string]int{}
	var names []string
	for _, it := range items {
		md5, err := digestOf(it.Sketch)
		if err != nil {
			return nil, usagef("%s: %v, by which files are named", it.Meta.Label(), err)
		}
		source := filepath.Base(it.Meta.Source)
		if it.Meta.Source == "" || source == "-" || source == "/" {
			source = "none"
		}
		p := it.Sketch.Params()
		size := fmt.Sprintf("num=%d", p.Size)
		if p.Family == sketch.FracMinHash {
			size = fmt.Sprintf("scaled=%d", p.Scaled)
		}
		molecule := p.Elements.Molecule
		if molecule == sketch.DNA {
			molecule = strings.ToUpper(molecule)
		}
		head, tail := fmt.Sprintf("%s.k=%d.%s.%s.dup=", short(md5), p.Elements.K, size, molecule), "."+source
		names = append(names, fmt.Sprintf("%s%d%s", head, copies[head+tail], tail))
		copies[head+tail]++
	}
	return names, nil
}
