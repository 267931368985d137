// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"fmt"
	"io"
	"strconv"

	"github.com/gsketch/gsketch/report"
)

// mostReported bounds the table of the report, which browsers sort and search
// whole.
const mostReported = 10_000

// WriteReport writes the page for the reader who decides: what was done, how
// large clusters are and how similar candidates, what is removed of each group,
// some pairs side by side, and the manifest of what is not alone.
func (r *Result) WriteReport(w io.Writer, version string) error {
	s := r.Summary(version)
	var sizes []int
	for _, rows := range r.clusters {
		if len(rows) > 1 {
			sizes = append(sizes, len(rows))
		}
	}
	page := report.Page{Title: "Near-duplicates", Lead: []string{
		fmt.Sprintf("%d of %d documents are to be kept; %d are not, in favour of others. Nothing has been removed: this is for review, and gsketch dedup apply writes what a manifest keeps.", s.Kept, s.Documents, s.RemovedCount),
		fmt.Sprintf("Alike are documents of similarity %v or more (%s; %s).", s.Threshold, s.Verification, s.Elements),
	}}
	page.Sections = append(page.Sections, s.section())
	if len(sizes) > 0 {
		page.Sections = append(page.Sections, report.Section{Heading: "Sizes of clusters", Figure: report.Sizes("Clusters of two or more", "documents", sizes)})
	}
	if s.Pairs > 0 {
		page.Sections = append(page.Sections, report.Section{Heading: "Similarity of candidates",
			Text:   []string{fmt.Sprintf("%d pairs were compared, %d of them are at least %v alike. Where there are many near the threshold, look at those in review.tsv.", s.Pairs, s.Edges, s.Threshold)},
			Figure: report.Bars("Candidates", "similarity", r.similarities[:], 0, 1)})
	}
	if len(s.Groups) > 0 {
		page.Sections = append(page.Sections, s.groupSection())
	}
	if len(r.examples) > 0 {
		page.Sections = append(page.Sections, r.exampleSection())
	}
	page.Sections = append(page.Sections, r.tableSection())
	return page.WriteHTML(w)
}

// section is the summary in words.
func (s *Summary) section() report.Section {
	t := &report.Table{Columns: []string{"what", "value"}}
	add := func(what string, v any) { t.Rows = append(t.Rows, []string{what, fmt.Sprint(v)}) }
	add("documents", s.Documents)
	add("documents without shingles", s.NoElements)
	add("exact copies", s.Copies)
	add("candidate pairs", s.Pairs)
	add("verified pairs", s.Edges)
	add("pairs to review", s.Review)
	add("clusters of two or more", s.Several)
	add("largest cluster", s.Largest)
	add("clusters with pairs below the threshold", s.Chained)
	if b := s.Banding; b != nil {
		add("banding", fmt.Sprintf("%d bands of %d rows; expected recall at the threshold %.4f", b.Bands, b.Rows, b.Expected))
		add("hot buckets", s.HotBuckets.Hot)
	}
	add("clustering", s.Clustering)
	add("kept of a cluster", s.Representative)
	return report.Section{Heading: "What was done", Table: t}
}

func (s *Summary) groupSection() report.Section {
	t := &report.Table{Columns: []string{s.GroupedBy, "documents", "removed", "removal_rate"}}
	for _, g := range s.Groups[:min(len(s.Groups), mostReported)] {
		t.Rows = append(t.Rows, []string{cell(g.Value), strconv.Itoa(g.Documents), strconv.Itoa(g.Removed), number(g.Rate)})
	}
	return report.Section{Heading: "Removal by " + s.GroupedBy, Table: t}
}

func (r *Result) exampleSection() report.Section {
	out := report.Section{Heading: "Pairs side by side", Text: []string{"From the least to the most similar of those that are not kept. Marked is what both have."}}
	for _, e := range r.examples {
		d := e.decision
		out.Compared = append(out.Compared, report.Compared{
			Heading:   fmt.Sprintf("Similarity %s, containment %s: %s", number(d.Similarity), number(d.Containment), d.Reason),
			LeftTitle: "not kept: " + cell(d.ID), RightTitle: "kept: " + cell(d.KeptID), Left: e.left, Right: e.right})
	}
	return out
}

// tableSection is the manifest of documents that are not alone.
func (r *Result) tableSection() report.Section {
	t := &report.Table{Columns: manifestColumns}
	all := 0
	for d := range r.Manifest() {
		if d.Keep && d.Reason != Representative {
			continue
		}
		if all++; all <= mostReported {
			t.Rows = append(t.Rows, d.cells())
		}
	}
	s := report.Section{Heading: "Manifest", Table: t, Text: []string{"Documents that are alone are left out; manifest.tsv has all."}}
	if all > mostReported {
		s.Text = append(s.Text, fmt.Sprintf("The first %d of %d rows.", mostReported, all))
	}
	return s
}
