// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/sketch"
)

type indexOptions struct {
	*common
	inputOptions
	selectOptions
	bandOptions
	text   rawText
	memory string
}

func newIndex(c *common) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Keep a collection on disk that is searched without being loaded",
		Long: `Keep a collection of sketches on disk that is searched without being loaded: a
directory of inverted postings, from hashes to the sketches that hold them, or,
of sketches of slots (kperm, oph, bbit, icws, simhash), of buckets: one for each
band of slots, in which those land that are alike. What a command has reported
done is durable; one that is interrupted changes nothing (with --unless: nothing
but what it had added). gsketch search -r DIRECTORY searches it.

Buckets may also be kept in Redis, for many machines: write
redis://HOST:PORT/PREFIX (rediss:// for TLS) for the directory, and the password
into GSKETCH_REDIS_PASSWORD (docs/redis.md).`,
		Example: `  gsketch index build db sketches.parquet
  gsketch search -r db genomes/lambda.fa`,
	}
	cmd.AddCommand(newIndexBuild(c), newIndexAdd(c), newIndexRemove(c), newIndexCompact(c), newIndexCheck(c), newIndexInfo(c))
	return cmd
}

func (o *indexOptions) addFlags(cmd *cobra.Command, fresh bool) {
	f := cmd.Flags()
	o.inputOptions.addFlags(f)
	o.selectOptions.addFlags(f, "inputs")
	o.bandOptions.addFlags(f, fresh)
	o.text.addFlags(f)
	f.StringVar(&o.memory, "memory", "2G", "memory to keep to; a larger collection is written as several segments, which gsketch index compact joins")
}

func newIndexBuild(c *common) *cobra.Command {
	o := indexOptions{common: c}
	cmd := &cobra.Command{
		Use:     "build [flags] DIRECTORY FILE...",
		Short:   "Make an index of sketches or raw files",
		Example: "  gsketch index build db sketches.parquet\n  gsketch index build --family bottomk db genomes/*.fa\n  gsketch index build --threshold 0.7 near documents.parquet",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.fill(cmd.Context(), cmd, args[0], args[1:], true)
		},
	}
	o.addFlags(cmd, true)
	return cmd
}

func newIndexAdd(c *common) *cobra.Command {
	o := indexOptions{common: c}
	cmd := &cobra.Command{
		Use:     "add [flags] DIRECTORY FILE...",
		Short:   "Add sketches or raw files to an index",
		Example: "  gsketch index add db more.parquet\n  gsketch index add db new.fa",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.fill(cmd.Context(), cmd, args[0], args[1:], false)
		},
	}
	o.addFlags(cmd, false)
	return cmd
}

func newIndexRemove(c *common) *cobra.Command {
	return &cobra.Command{
		Use:     "remove DIRECTORY NAME...",
		Short:   "Remove sketches by name or source from an index",
		Example: "  gsketch index remove db genomes/lambda.fa\n  gsketch index remove db old.fa",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isBands(args[0]) {
				n, err := removeBands(cmd.Context(), args[0], args[1:], c.threads)
				if err == nil {
					c.note(cmd.ErrOrStderr(), "%d sketches removed from %s", n, args[0])
				}
				return err
			}
			w, err := index.Change(args[0], c.threads)
			if err != nil {
				return err
			}
			defer w.Close()
			missing := slices.Clone(args[1:])
			if err := eachOf(args[0], func(m sketch.Meta) {
				missing = slices.DeleteFunc(missing, func(name string) bool { return name == m.ID || name == m.Source })
			}); err != nil {
				return err
			}
			if len(missing) > 0 {
				return missingNames(args[0], missing)
			}
			n, err := w.Remove(func(m sketch.Meta) bool {
				return slices.Contains(args[1:], m.ID) || slices.Contains(args[1:], m.Source)
			})
			if err == nil {
				c.note(cmd.ErrOrStderr(), "%d sketches removed from %s", n, args[0])
			}
			return err
		},
	}
}

func missingNames(dir string, missing []string) error {
	return sketch.BadInput(dir, fmt.Errorf("no sketch in it is called %s; nothing is removed", strings.Join(missing, ", ")))
}

// eachOf calls yield for every sketch of an index.
func eachOf(dir string, yield func(sketch.Meta)) error {
	x, err := index.Open(dir)
	if err != nil {
		return err
	}
	defer x.Close()
	return x.Each(func(m sketch.Meta, _ int) error { yield(m); return nil })
}

func newIndexCompact(c *common) *cobra.Command {
	return &cobra.Command{
		Use:     "compact DIRECTORY",
		Short:   "Join the parts of an index and give back the space of removed sketches",
		Example: "  gsketch index compact db\n  gsketch index compact -t 1 db",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isBands(args[0]) {
				return compactBands(args[0], c.threads)
			}
			w, err := index.Change(args[0], c.threads)
			if err != nil {
				return err
			}
			defer w.Close()
			return w.Compact()
		},
	}
}

func newIndexCheck(c *common) *cobra.Command {
	return &cobra.Command{
		Use:     "check DIRECTORY",
		Short:   "Read all of an index and check it: digests, and postings against sketches",
		Example: "  gsketch index check db\n  gsketch index check -t 1 db",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			check := index.Check
			if isBands(args[0]) {
				check = func(ref string) error { return checkBands(cmd.Context(), ref) }
			}
			if err := check(args[0]); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\tverified\n", field(args[0]))
			return err
		},
	}
}

func newIndexInfo(c *common) *cobra.Command {
	return &cobra.Command{
		Use:     "info DIRECTORY",
		Short:   "Tell what is in an index",
		Example: "  gsketch index info db\n  gsketch index info -q db",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := create("-", cmd.OutOrStdout(), false)
			if err != nil {
				return err
			}
			if isBands(args[0]) {
				summary, err := infoBands(cmd.Context(), args[0], out)
				if err != nil {
					return err
				}
				c.note(cmd.ErrOrStderr(), "%s", summary)
				return out.commit()
			}
			x, err := index.Open(args[0])
			if err != nil {
				return err
			}
			defer x.Close()
			if err := line(out, []string{"name", "source", "length", "hashes"}); err != nil {
				return err
			}
			if err := x.Each(func(m sketch.Meta, hashes int) error {
				return line(out, []string{field(m.ID), field(m.Source), known(m.Length), csvUint(uint64(hashes))})
			}); err != nil {
				return err
			}
			c.note(cmd.ErrOrStderr(), "%d sketches in %d segments, %d bytes; %s", x.Len(), x.Segments(), x.Bytes(), x.Params())
			return out.commit()
		},
	}
}
