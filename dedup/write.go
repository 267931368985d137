// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gsketch/gsketch/formats/steps"
)

// WriteManifest writes the manifest as a Parquet table.
func (r *Result) WriteManifest(w io.Writer) error {
	t := steps.NewWriter[steps.Decision](w)
	for d := range r.Manifest() {
		err := t.Write(steps.Decision{Row: d.Row, ID: d.ID, Keep: d.Keep, KeptRow: d.KeptRow, KeptID: d.KeptID, Cluster: int64(d.Cluster),
			Similarity: known(d.Similarity), Containment: known(d.Containment), ClusterMin: known(d.ClusterMin), Stage: d.Stage, Reason: d.Reason})
		if err != nil {
			return err
		}
	}
	return t.Close()
}

// known is nil for NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// WriteManifestText writes the manifest as a tab-separated table.
func (r *Result) WriteManifestText(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "row\tid\tkeep\tkept_row\tkept_id\tcluster\tsimilarity\tcontainment\tcluster_min\tstage\treason")
	for d := range r.Manifest() {
		fmt.Fprintf(b, "%d\t%s\t%t\t%d\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", d.Row, cell(d.ID), d.Keep, d.KeptRow, cell(d.KeptID), d.Cluster,
			number(d.Similarity), number(d.Containment), number(d.ClusterMin), d.Stage, d.Reason)
	}
	return b.Flush()
}

func number(v float64) string {
	if math.IsNaN(v) {
		return "NA"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// cell makes a name fit for a cell: what would change the number of cells or
// lines becomes a space.
func cell(s string) string {
	if !strings.ContainsAny(s, "\t\r\n") {
		return s
	}
	return strings.NewReplacer("\t", " ", "\r", " ", "\n", " ").Replace(s)
}

// WriteReview writes the pairs whose interval straddles the threshold, or that are nearer
// to it than the margin, for a person to decide on.
func (r *Result) WriteReview(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "a\ta_id\tb\tb_id\tsimilarity\tlow\thigh\tjoined")
	for _, e := range r.review {
		fmt.Fprintf(b, "%d\t%s\t%d\t%s\t%s\t%s\t%s\t%t\n", r.docs.row(e.A), cell(r.docs.ids[e.A]), r.docs.row(e.B), cell(r.docs.ids[e.B]),
			number(e.Similarity), number(e.Low), number(e.High), e.Similarity >= r.opts.Threshold)
	}
	return b.Flush()
}
