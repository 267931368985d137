// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/lab"
)

type labOptions struct {
	*common
	lab.Settings
	output string
	json   bool
	audit  bool
}

func newLab(c *common) *cobra.Command {
	o := labOptions{common: c, Settings: lab.Defaults()}
	d := o.Settings
	cmd := &cobra.Command{
		Use:   "lab [flags]",
		Short: "Synthetic documents: what drift, boilerplate and banding do",
		Long: `Make a document, a near copy of it and another document under the same
boilerplate, and show what becomes of the two pairs: exact Jaccard index, estimate,
rows and bands that agree, the probability to become a candidate and whether the
pair is one, and how many pairs of a corpus are left to be compared.

--audit computes each number a second way (eleven contracts) and fails, exit 1, if
any differs.`,
		Example: `  gsketch calibrate lab
  gsketch calibrate lab --drift 0.3 --bands 40 --rows 4 --audit`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runLab(cmd, &o) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "-", `output file; "-" is standard output`)
	f.BoolVar(&o.json, "json", false, "JSON instead of a table")
	f.Float64Var(&o.Drift, "drift", d.Drift, "share of a document's own words that the copy replaces, 0..1")
	f.Float64Var(&o.Boilerplate, "boilerplate", d.Boilerplate, "share of a document that all share, 0..1")
	f.IntVar(&o.Width, "width", d.Width, "words of a shingle, 1..50")
	f.IntVar(&o.Bands, "bands", d.Bands, "bands, 1..1024")
	f.IntVar(&o.Rows, "rows", d.Rows, "rows of a band, 1..64")
	f.IntVar(&o.Documents, "documents", d.Documents, "documents of the corpus, 2..1e9")
	f.IntVar(&o.Words, "words", d.Words, "words of a document, from the width up to 100000")
	f.Uint64Var(&o.Seed, "seed", d.Seed, "seed of the documents")
	f.BoolVar(&o.audit, "audit", false, "check the contracts: passed and failed; exit 1 if any fails")
	return cmd
}

func runLab(cmd *cobra.Command, o *labOptions) error {
	if err := o.Check(); err != nil {
		return usagef("--%v", err)
	}
	out, err := create(o.output, cmd.OutOrStdout(), o.force)
	if err != nil {
		return err
	}
	defer out.discard()
	x, err := lab.Run(o.Settings)
	if err != nil {
		return err
	}
	var verdicts []lab.Verdict
	if o.audit {
		verdicts = lab.Audit(x)
	}
	if o.json {
		err = labJSON(out, x, verdicts)
	} else {
		err = labTable(out, x, verdicts)
	}
	if err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	for _, v := range verdicts {
		if !v.Passed {
			return fmt.Errorf("contract %q fails: %s", v.Name, v.Reason)
		}
	}
	return nil
}

func labJSON(w io.Writer, x *lab.Experiment, verdicts []lab.Verdict) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		lab.Result
		Audit []lab.Verdict `json:"audit,omitempty"`
	}{x.Result, verdicts})
}

// labTable writes a row per number: near pair, background pair.
func labTable(w io.Writer, x *lab.Experiment, verdicts []lab.Verdict) error {
	n, b := x.Near, x.Background
	whole := strconv.Itoa
	real := func(v float64) string { return string(appendValue(nil, v)) }
	rows := [][]string{
		{"quantity", "near", "background"},
		{"shingles", whole(n.ShinglesB), whole(b.ShinglesB)},
		{"shared", whole(n.Shared), whole(b.Shared)},
		{"of", whole(n.Union), whole(b.Union)},
		{"jaccard", real(n.Jaccard), real(b.Jaccard)},
		{"estimate", real(n.Estimate), real(b.Estimate)},
		{"matching_rows", whole(n.MatchingRows), whole(b.MatchingRows)},
		{"matching_bands", whole(n.MatchingBands), whole(b.MatchingBands)},
		{"probability", real(n.Probability), real(b.Probability)},
		{"candidate", strconv.FormatBool(n.Candidate), strconv.FormatBool(b.Candidate)},
		{"pairs_before", strconv.FormatUint(x.NearPairs, 10), strconv.FormatUint(x.BackgroundPairs, 10)},
		{"expected_pairs_after", real(float64(x.NearPairs) * n.Probability), real(float64(x.BackgroundPairs) * b.Probability)},
	}
	for _, r := range rows {
		if err := line(w, r); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(w, "# threshold %s; %d words of boilerplate, %d words replaced; %d pairs before, %s expected after\n",
		real(x.Threshold), x.Head, x.Replaced, x.PairsBefore, real(x.PairsAfter)); err != nil {
		return err
	}
	for _, v := range verdicts {
		word := "passed"
		if !v.Passed {
			word = "FAILED: " + v.Reason
		}
		if _, err := fmt.Fprintf(w, "# %s: %s\n", v.Name, word); err != nil {
			return err
		}
	}
	return nil
}
