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

// manifestColumns are those of the tables.
var manifestColumns = []string{"row", "id", "keep", "kept_row", "kept_id", "cluster", "similarity", "containment", "cluster_min", "stage", "reason"}

func (d Decision) cells() []string {
	return []string{strconv.FormatInt(d.Row, 10), cell(d.ID), strconv.FormatBool(d.Keep), strconv.FormatInt(d.KeptRow, 10), cell(d.KeptID),
		strconv.Itoa(d.Cluster), number(d.Similarity), number(d.Containment), number(d.ClusterMin), d.Stage, d.Reason}
}

// WriteManifestText writes the manifest as a tab-separated table.
func (r *Result) WriteManifestText(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, strings.Join(manifestColumns, "\t"))
	for d := range r.Manifest() {
		for i, c := range d.cells() {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(c)
		}
		b.WriteByte('\n')
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

// WritePassages writes where the documents that lie in others lie there.
func (r *Result) WritePassages(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "row\tid\tkept_row\tkept_id\tfrom\tto\tkept_from\tkept_to\twords")
	for _, p := range r.passages {
		fmt.Fprintf(b, "%d\t%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\n", r.docs.row(p.Row), cell(r.docs.ids[p.Row]), r.docs.row(p.Kept), cell(r.docs.ids[p.Kept]),
			p.From, p.To, p.KeptFrom, p.KeptTo, p.Words)
	}
	return b.Flush()
}
