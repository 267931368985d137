// SPDX-License-Identifier: Apache-2.0

package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/dedup"
	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/formats/steps"
)

type applyOptions struct {
	*common
	inputOptions
	input     string
	idField   string
	textField string
	manifest  string
	output    string
}

func newDedupApply(c *common) *cobra.Command {
	o := applyOptions{common: c}
	cmd := &cobra.Command{
		Use:   "apply [flags] --manifest MANIFEST CORPUS...",
		Short: "Write the documents that a reviewed manifest keeps",
		Long: `Write the documents that a manifest keeps; it may have been reviewed and changed:
the columns row, id and keep are read. The inputs, which are not touched, must be
those of the manifest in the same order: names and, by the summary.json beside the
manifest, texts are checked. Lines of JSON are written to one file as
they are (gzipped if its name ends in .gz), rows of Parquet to one table, plain files into a directory under their
names.`,
		Example: `  gsketch dedup apply --manifest deduplicated/manifest.tsv -o kept.jsonl corpus.jsonl
  gsketch dedup apply --manifest deduplicated/manifest.parquet -o kept.jsonl corpus.jsonl`,
		RunE: func(cmd *cobra.Command, args []string) error { return runApply(cmd, args, &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", `file to be written, or, of plain files, directory to be made; "-" is standard output`)
	f.StringVar(&o.manifest, "manifest", "", "manifest of the corpus, Parquet or tab-separated; of a directory its manifest.tsv")
	f.StringVar(&o.input, "input", "", "what the inputs are: text (a file is a document), jsonl, parquet (default: by content)")
	f.StringVar(&o.idField, "id-field", "id", `jsonl, parquet: field or column of the name; "" names documents by file and line`)
	f.StringVar(&o.textField, "text-field", "text", "jsonl, parquet: field or column of the text")
	o.inputOptions.addFlags(f)
	f.Lookup("recursive").Usage = "of a directory, take all files in it"
	_ = cmd.MarkFlagRequired("manifest")
	_ = cmd.MarkFlagRequired("output")
	return cmd
}

func runApply(cmd *cobra.Command, args []string, o *applyOptions) error {
	o.anyFile = true
	inputs, err := o.expand(args, warner(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	kind := o.input
	if kind == "" {
		kind = sniffInput(inputs[0].path)
	}
	if st, err := os.Stat(o.manifest); err == nil && st.IsDir() { // what dedup -o made
		o.manifest = filepath.Join(o.manifest, "manifest.tsv")
	}
	verdicts, err := dedup.ReadVerdicts(o.manifest)
	if err != nil {
		return err
	}
	digest, err := dedup.ReadDigest(o.manifest)
	if err != nil {
		return err
	}
	if digest == "" {
		warner(cmd.ErrOrStderr())(o.manifest + ": no summary.json is beside it: of the inputs, names and number alone are checked")
	}
	opts := corpus.Options{Kind: kind, ID: o.idField, Text: o.textField, Threads: o.threads, Warn: warner(cmd.ErrOrStderr())}
	kept := 0
	count := func(keep func(*corpus.Document) error) func(int, *corpus.Document) error {
		return func(_ int, d *corpus.Document) error { kept++; return keep(d) }
	}
	switch kind {
	case corpus.JSONL:
		err = o.applyLines(cmd, func(w io.Writer) error {
			z, end := o.compressed(w)
			err := verdicts.Apply(cmd.Context(), opts, paths(inputs), digest, count(func(d *corpus.Document) error {
				_, err := fmt.Fprintf(z, "%s\n", d.Raw)
				return err
			}))
			if err == nil {
				err = end()
			}
			return err
		})
	case corpus.Parquet:
		if len(inputs) > 1 {
			return usagef("Parquet tables are applied to one by one; %d are given", len(inputs))
		}
		var rows []int64
		err = o.applyLines(cmd, func(w io.Writer) error {
			err := verdicts.Apply(cmd.Context(), opts, paths(inputs), digest, func(row int, _ *corpus.Document) error {
				kept++
				rows = append(rows, int64(row))
				return nil
			})
			if err != nil {
				return err
			}
			return steps.CopyRows(w, inputs[0].path, rows)
		})
	case corpus.Text:
		err = o.applyFiles(func(out *treeOutput) error {
			return verdicts.Apply(cmd.Context(), opts, paths(inputs), digest, count(func(d *corpus.Document) error { return copyInto(out, d.Source) }))
		})
	default:
		return usagef("%s: say --input text, jsonl or parquet", inputs[0].path)
	}
	if err == nil {
		o.note(cmd.ErrOrStderr(), "%d of %d documents in %s", kept, len(verdicts), o.output)
	}
	return err
}

// compressed writes gzip to w if the output is called so, and returns what ends it.
func (o *applyOptions) compressed(w io.Writer) (io.Writer, func() error) {
	if !strings.HasSuffix(o.output, ".gz") {
		return w, func() error { return nil }
	}
	z := gzip.NewWriter(w)
	return z, z.Close
}

// applyLines fills one file.
func (o *applyOptions) applyLines(cmd *cobra.Command, fill func(io.Writer) error) error {
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := fill(out); err != nil {
		return err
	}
	return out.commit()
}

// applyFiles fills a directory.
func (o *applyOptions) applyFiles(fill func(*treeOutput) error) error {
	out, err := createTree(o.output, o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := fill(out); err != nil {
		return err
	}
	return out.commit()
}

// copyInto copies a file into a directory under its path, of which what leads
// out of the directory is left out.
func copyInto(out *treeOutput, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	name := filepath.Clean(string(filepath.Separator) + path)
	if err := os.MkdirAll(filepath.Join(out.dir, filepath.Dir(name)), 0o777); err != nil {
		return &outputError{out.path, reason(err)}
	}
	if _, err := os.Lstat(filepath.Join(out.dir, name)); err == nil {
		return &outputError{filepath.Join(out.path, name), errors.New("two documents would be written there")}
	}
	return out.write(name, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}
