// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/dedup/sql"
)

type dedupSQLOptions struct {
	*common
	engine   string
	step     string
	params   sql.Params
	programs string
}

func newDedupSQL(c *common) *cobra.Command {
	o := dedupSQLOptions{common: c}
	cmd := &cobra.Command{
		Use:   "sql [flags]",
		Short: "Print the shuffle between the steps as SQL, for DuckDB or Spark",
		Long: `Print the SQL that makes candidates of bands, gathers the signatures that a part
of them needs, and makes clusters of edges and a manifest, over Parquet tables in a
directory with sketches/, bands/ and edges/ of gsketch. Steps: ` + strings.Join(sql.Steps, ", ") + `.
large_star and small_star are repeated with --round 2, 3, ... until unfinished
gives 0.

--programs writes the Python programs that run all steps, resumably:
dedup_duckdb.py (pip install duckdb) and dedup_spark.py (pip install pyspark, Java
17), with what they share.`,
		Example: `  gsketch dedup sql --engine duckdb --dir work
  gsketch dedup sql --engine spark --step candidates --dir work --bucket-cap 200 --parts 16
  gsketch dedup sql --programs programs`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.programs != "" {
				return o.writePrograms()
			}
			return o.print(cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.engine, "engine", "", "dialect: duckdb, spark")
	f.StringVar(&o.step, "step", "", "this step alone")
	f.StringVar(&o.params.Dir, "dir", "work", "directory of the tables")
	f.StringVar(&o.params.Out, "out", "", "with --step: directory of the table that it makes (default: in --dir, by its name)")
	f.IntVar(&o.params.Cap, "bucket-cap", 200, "rows above which a bucket is a star around its smallest; 0 is no cap")
	f.IntVar(&o.params.Parts, "parts", 1, "parts of the candidates, each compared by itself")
	f.IntVar(&o.params.Round, "round", 1, "round of large_star and small_star")
	f.StringVar(&o.programs, "programs", "", "write the programs into this directory, and no SQL")
	return cmd
}

func (o *dedupSQLOptions) print(w io.Writer) error {
	steps := sql.Steps
	switch {
	case !slices.Contains(sql.Engines, o.engine):
		return usagef("--engine %q: %s", o.engine, strings.Join(sql.Engines, " or "))
	case o.step != "":
		steps = []string{o.step}
	case o.params.Out != "":
		return usagef("--out goes with --step")
	}
	for i, step := range steps {
		text, err := sql.Statement(o.engine, step, o.params)
		if err != nil {
			return usagef("%v", err)
		}
		if i > 0 {
			text = "\n" + text
		}
		if step == "large_star" && o.step == "" {
			text = fmt.Sprintf("\n-- gsketch, for each part N: gsketch dedup verify --candidates %[1]s/candidates/part=N/*.parquet -o %[1]s/edges/N.parquet %[1]s/needed/part=N/*.parquet\n", o.params.Dir) + text
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

func (o *dedupSQLOptions) writePrograms() error {
	if err := os.MkdirAll(o.programs, 0o777); err != nil {
		return &outputError{o.programs, err}
	}
	for _, name := range sql.Programs() {
		text, err := sql.Program(name)
		if err != nil {
			return err
		}
		out, err := create(filepath.Join(o.programs, name), nil, o.force)
		if err != nil {
			return err
		}
		defer out.discard()
		if _, err := out.Write(text); err != nil {
			return err
		}
		if err := out.commit(); err != nil {
			return err
		}
	}
	return nil
}
