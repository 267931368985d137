// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/dedup"
	"github.com/gsketch/gsketch/formats/columns"
	"github.com/gsketch/gsketch/formats/steps"
	sketchtable "github.com/gsketch/gsketch/formats/table"
	"github.com/gsketch/gsketch/sketch"
)

func newDedupBands(c *common) *cobra.Command {
	o := stepOptions{common: c}
	cmd := &cobra.Command{
		Use:   "bands [flags] SKETCHES...",
		Short: "Write the band rows of sketch tables, for a shuffle elsewhere",
		Long: `Write the table bands (band, key, row) of the sketches in tables, shards included:
documents that share a band and a key are to be compared. The number of a row is
that of the sketch table.`,
		Example: `  gsketch dedup bands -o bands.parquet sketches.parquet
  gsketch dedup bands --bands 13 --rows 7 -o bands.parquet sketches.parquet`,
		RunE: func(cmd *cobra.Command, args []string) error {
			inputs, err := o.expand(args, warner(cmd.ErrOrStderr()))
			if err != nil {
				return err
			}
			if o.native(inputs) {
				return o.streamBands(cmd, paths(inputs))
			}
			return o.run(cmd, args, func(s *dedup.Sketches, opts dedup.Options, w io.Writer) (string, error) {
				n, err := writeRows(w, s.Bands(opts))
				return bandsNote(n, opts), err
			})
		},
	}
	o.addFlags(cmd, "bands.parquet")
	return cmd
}

func bandsNote(n int, o dedup.Options) string {
	return fmt.Sprintf("%d band rows in %d bands of %d", n, o.Bands, o.Rows)
}

// native says whether all inputs are sketch tables.
func (o *stepOptions) native(inputs []input) bool {
	for _, in := range inputs {
		t, err := columns.Open(in.path, nil)
		if err != nil {
			return false
		}
		ok := t.Has("params") && t.Has("digest")
		t.Close()
		if !ok {
			return false
		}
	}
	return true
}

// streamBands writes the bands of sketch tables without loading them whole.
func (o *stepOptions) streamBands(cmd *cobra.Command, tables []string) error {
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	params, err := o.kindOf(tables)
	if err != nil {
		return err
	}
	w := steps.NewWriter[steps.Band](out)
	opts := dedup.Options{Threads: o.threads}
	n := 0
	if params != (sketch.Params{}) { // the tables are not empty
		if err := o.judge(cmd.Flags(), &opts, &dedup.Sketches{Params: params}); err != nil {
			return err
		}
		err = dedup.BandRows(opts, params, func(yield func(sketch.Item) error) error { return o.eachOf(params, tables, yield) }, func(b steps.Band) error {
			n++
			return w.Write(b)
		})
		if err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	o.note(cmd.ErrOrStderr(), "%s", bandsNote(n, opts))
	return nil
}

// kindOf is the kind of the first sketch in tables that is wanted; none if there
// is no sketch at all.
func (o *stepOptions) kindOf(tables []string) (sketch.Params, error) {
	empty := true
	for _, path := range tables {
		t, err := columns.Open(path, nil)
		if err != nil {
			return sketch.Params{}, err
		}
		defer t.Close()
		column, err := t.Column("params", columns.Strings)
		if err != nil {
			return sketch.Params{}, err
		}
		for {
			more, err := t.Next()
			if err != nil {
				return sketch.Params{}, err
			}
			if !more {
				break
			}
			text, err := column.Append(nil)
			if err != nil {
				return sketch.Params{}, t.Fail(err)
			}
			p, err := sketch.ParseParams(string(text))
			if err != nil {
				return sketch.Params{}, t.Fail(err)
			}
			if empty = false; o.wants(p) {
				return p, nil
			}
		}
	}
	if empty {
		return sketch.Params{}, nil
	}
	return sketch.Params{}, sketch.BadInput(tables[0], fmt.Errorf("none of its sketches fits what is asked for"))
}

// eachOf yields the wanted sketches of tables, which are all of the kind p and whose
// rows must differ.
func (o *stepOptions) eachOf(p sketch.Params, tables []string, yield func(sketch.Item) error) error {
	type span struct{ first, last int64 }
	spans := make([]span, len(tables))
	for i, path := range tables {
		spans[i] = span{0, -1}
		err := withTable(path, func(f *os.File, size int64) error {
			return sketchtable.Each(f, size, path, sketchtable.ReadOptions{Threads: o.threads}, func(it sketch.Item) error {
				row, q := it.Meta.Row, it.Sketch.Params()
				if q != p && o.wants(q) {
					if err := p.Comparable(q); err != nil {
						return fmt.Errorf("%s: %w", path, err)
					}
					return fmt.Errorf("%s: %w", path, &sketch.MismatchError{Field: "parameters", Left: p.String(), Right: q.String()})
				}
				if spans[i].last < spans[i].first { // rows of a table are dense
					spans[i].first = row
				}
				spans[i].last = row
				for j, s := range spans[:i] {
					if s.first <= row && row <= s.last {
						return fmt.Errorf("row %d is given twice, in %s and in %s: %w", row, tables[j], path, dedup.ErrRows)
					}
				}
				if q != p {
					return nil
				}
				return yield(it)
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
