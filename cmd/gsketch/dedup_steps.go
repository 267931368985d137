// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"iter"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/dedup"
	"github.com/gsketch/gsketch/formats"
	"github.com/gsketch/gsketch/formats/columns"
	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/formats/steps"
	"github.com/gsketch/gsketch/sketch"
)

// stepOptions are the flags of the steps, which read sketch tables.
type stepOptions struct {
	*common
	inputOptions
	judgeOptions
	output string
	pairs  []string // tables of candidates or edges
}

func newDedupSteps(c *common) []*cobra.Command {
	return []*cobra.Command{newDedupBands(c), newDedupVerify(c), newDedupCluster(c), newDedupSQL(c)}
}

func (o *stepOptions) addFlags(cmd *cobra.Command, output string) {
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", output, `table to be written; "-" is standard output`)
	o.inputOptions.addFlags(f)
	f.Lookup("recursive").Hidden = true
	o.judgeOptions.addFlags(f)
}

func newDedupVerify(c *common) *cobra.Command {
	o := stepOptions{common: c}
	cmd := &cobra.Command{
		Use:   "verify [flags] --candidates CANDIDATES SKETCHES...",
		Short: "Compare candidate pairs by their sketches",
		Long: `Compare the pairs of a table of candidates (a, b: rows of the sketch tables) and
write those at least as similar as the threshold as a table of edges (a, b,
jaccard, containment_ab, containment_ba). FracMinHash sketches of scaled 1 are
compared exactly, others by estimate.`,
		Example: `  gsketch dedup verify --candidates candidates.parquet -o edges.parquet sketches.parquet
  gsketch dedup verify --threshold 0.7 --candidates candidates.parquet -o edges.parquet sketches.parquet`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd, args, func(s *dedup.Sketches, opts dedup.Options, w io.Writer) (string, error) {
				t := steps.NewWriter[steps.Edge](w)
				edges := 0
				n, err := s.VerifyCandidates(cmd.Context(), opts, concatenated(o.pairs, steps.ReadCandidates), func(e steps.Edge) error {
					edges++
					return t.Write(e)
				})
				if err == nil {
					err = t.Close()
				}
				return fmt.Sprintf("%d of %d candidates are at least %v alike", edges, n, opts.Threshold), err
			})
		},
	}
	o.addFlags(cmd, "edges.parquet")
	cmd.Flags().StringArrayVar(&o.pairs, "candidates", nil, "table of candidates (repeatable)")
	_ = cmd.MarkFlagRequired("candidates")
	return cmd
}

func newDedupCluster(c *common) *cobra.Command {
	o := stepOptions{common: c}
	cmd := &cobra.Command{
		Use:   "cluster [flags] --edges EDGES [SKETCHES...]",
		Short: "Make clusters of edges and write the manifest",
		Long: `Make clusters of a table of edges and write the manifest of all documents of the
sketch tables.

Without sketch tables, write the table clusters alone: each row of a connected
component of two or more, and the smallest row of its component. This takes 4
bytes a row, up to 4 thousand million rows.`,
		Example: `  gsketch dedup cluster --edges edges.parquet -o manifest.parquet sketches.parquet
  gsketch dedup cluster --edges edges.parquet -o clusters.parquet
  gsketch dedup cluster --clusters star --edges edges.parquet -o manifest.parquet sketches.parquet`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return o.clusterRows(cmd)
			}
			return o.run(cmd, args, func(s *dedup.Sketches, opts dedup.Options, w io.Writer) (string, error) {
				r, err := s.ClusterEdges(cmd.Context(), opts, concatenated(o.pairs, steps.ReadEdges))
				if err != nil {
					return "", err
				}
				sum := r.Summary(version)
				return fmt.Sprintf("%d of %d documents are to be kept", sum.Kept, sum.Documents), r.WriteManifest(w)
			})
		},
	}
	o.addFlags(cmd, "manifest.parquet")
	cmd.Flags().StringArrayVar(&o.pairs, "edges", nil, "table of edges (repeatable)")
	_ = cmd.MarkFlagRequired("edges")
	return cmd
}

// clusterRows makes clusters of rows of which nothing else is known.
func (o *stepOptions) clusterRows(cmd *cobra.Command) error {
	f := cmd.Flags()
	for _, name := range []string{"clusters", "keep", "family", "kmer", "size", "measure", "minimum-pairs"} {
		if f.Changed(name) {
			return usagef("--%s has no effect without sketch tables", name)
		}
	}
	if !(o.threshold > 0 && o.threshold <= 1) {
		return usagef("--threshold %v: above 0, at most 1", o.threshold)
	}
	if !f.Changed("output") {
		o.output = "clusters.parquet"
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	// What lies in memory has no pointers and costs a collection nothing; it need not be doubled.
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	clusters := 0
	n, err := writeRows(out, func(yield func(steps.Cluster, error) bool) {
		for c, err := range dedup.ClusterRows(o.threshold, func() iter.Seq2[steps.Edge, error] { return concatenated(o.pairs, steps.ReadEdges) }) {
			if c.Row == c.Cluster {
				clusters++
			}
			if !yield(c, err) {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	o.note(cmd.ErrOrStderr(), "%d documents in %d clusters of two or more", n, clusters)
	return nil
}

// run loads the sketches, opens the output and lets do fill it.
func (o *stepOptions) run(cmd *cobra.Command, args []string, do func(*dedup.Sketches, dedup.Options, io.Writer) (string, error)) error {
	warn := warner(cmd.ErrOrStderr())
	inputs, err := o.expand(args, warn)
	if err != nil {
		return err
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	s, err := o.loadRows(paths(inputs), warn)
	if err != nil {
		return err
	}
	opts := dedup.Options{Threads: o.threads, ByRow: true, Threshold: o.threshold, Method: o.method, Rule: o.rule}
	if s.Len() > 0 {
		if err := o.judge(cmd.Flags(), &opts, s); err != nil {
			return err
		}
	}
	note, err := do(s, opts, out)
	if err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	o.note(cmd.ErrOrStderr(), "%s", note)
	return nil
}

// loadRows reads sketch tables, or what an engine has taken from them.
func (o *stepOptions) loadRows(paths []string, warn func(string)) (*dedup.Sketches, error) {
	if t, err := columns.Open(paths[0], nil); err == nil {
		taken := t.Has("row") && t.Has("params") && t.Has("signature") && !t.Has("digest")
		t.Close()
		if taken {
			return dedup.LoadSignatures(paths)
		}
	}
	return o.load(paths, true, o.threads, warn)
}

// concatenated yields the rows of several tables.
func concatenated[T any](paths []string, read func(string) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, path := range paths {
			for row, err := range read(path) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// writeRows writes a table.
func writeRows[T any](w io.Writer, rows iter.Seq2[T, error]) (n int, err error) {
	t := steps.NewWriter[T](w)
	for row, err := range rows {
		if err != nil {
			return n, err
		}
		n++
		if err := t.Write(row); err != nil {
			return n, err
		}
	}
	return n, t.Close()
}

// load reads sketch files, of the family and k that flags choose.
func (o *judgeOptions) load(paths []string, keyed bool, threads int, warn func(string)) (*dedup.Sketches, error) {
	for _, path := range paths {
		if ok, err := isSketches(path); err != nil {
			return nil, err
		} else if !ok {
			return nil, usagef("%s: no sketch file; gsketch sketch makes one", path)
		}
	}
	return dedup.LoadSketches(paths, keyed, o.wants, formats.OpenOptions{Threads: threads, Warn: warn})
}

// wants says whether sketches of a kind are those that flags choose.
func (o *judgeOptions) wants(p sketch.Params) bool {
	return (o.family == "" || p.Family == o.family) && (o.k == 0 || p.Elements.K == o.k)
}

// isSketches says whether a file holds sketches. Of Parquet, sketch tables have
// columns that corpora have not.
func isSketches(path string) (bool, error) {
	if sniffInput(path) == corpus.JSONL {
		return false, nil // a list of signatures is no object
	}
	kind, err := formats.Sniff(path)
	switch {
	case err != nil:
		return false, nil // what cannot be read is refused where it is read as a corpus
	case kind != formats.Table:
		return kind != formats.Sequence && kind != formats.Unknown && kind != formats.Directory && kind != formats.PathList, nil
	}
	t, err := columns.Open(path, nil)
	if err != nil {
		return false, err
	}
	defer t.Close()
	return t.Has("params") && t.Has("digest"), nil
}
