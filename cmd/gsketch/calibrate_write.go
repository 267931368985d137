// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gsketch/gsketch/calibrate"
	"github.com/gsketch/gsketch/report"
)

// calibrateFiles are the outputs of a sweep.
type calibrateFiles struct {
	table, curve *output // curve: nil if it is not asked for
	page         *pageFile
}

func (o *calibrateOptions) create(cmd *cobra.Command) (*calibrateFiles, error) {
	f := &calibrateFiles{}
	var err error
	if f.table, err = create(o.output, cmd.OutOrStdout(), o.force); err != nil {
		return nil, err
	}
	if f.page, err = createPage(cmd, o.html, o.output, "tsv", o.force); err == nil && o.curve != "" {
		f.curve, err = create(o.curve, cmd.OutOrStdout(), o.force)
	}
	if err != nil {
		f.discard()
		return nil, err
	}
	return f, nil
}

func (f *calibrateFiles) discard() {
	f.table.discard()
	f.page.discard()
	if f.curve != nil {
		f.curve.discard()
	}
}

func (f *calibrateFiles) write(r *calibrate.Result, g *calibrate.Grid) error {
	if err := writeOutcomes(f.page.beside(f.table), r.Outcomes); err != nil {
		return err
	}
	if f.curve != nil {
		if err := writeCurves(f.curve, r.Curves); err != nil {
			return err
		}
		if err := f.curve.commit(); err != nil {
			return err
		}
	}
	if err := f.page.commit(calibratePage(r, g)); err != nil {
		return err
	}
	return f.table.commit()
}

var settingColumns = []string{"unit", "shingle", "family", "bits", "size", "bands", "rows"}

func settingCells(unit string, p paramsCells, b calibrate.Banding) []string {
	return []string{unit, p.recipe, p.family, p.bits, p.size, strconv.Itoa(b.Bands), strconv.Itoa(b.Rows)}
}

func realCell(v float64) string { return string(appendValue(nil, v)) }

// writeOutcomes writes a row for each setting and kind of pairs.
func writeOutcomes(w io.Writer, outcomes []calibrate.Outcome) error {
	columns := append([]string{}, settingColumns...)
	columns = append(columns, "threshold", "kind", "pairs", "found", "recall", "recall_low", "recall_high", "interval", "expected_recall",
		"joined", "joined_recall", "joined_low", "joined_high", "removed", "false_removals", "false_share", "false_low", "false_high",
		"candidates", "corpus_candidates", "corpus_band_rows", "recommended")
	if err := line(w, columns); err != nil {
		return err
	}
	for _, x := range outcomes {
		method := x.Recall.Method
		if method == "" {
			method = "NA"
		}
		row := settingCells(x.Unit, cellsOf(x.Params), x.Banding)
		row = append(row, realCell(x.Threshold), field(x.Kind), strconv.Itoa(x.Pairs), realCell(x.Found),
			realCell(x.Recall.Value), realCell(x.Recall.Low), realCell(x.Recall.High), method, realCell(x.Expected),
			realCell(x.Joined), realCell(x.JoinedShare.Value), realCell(x.JoinedShare.Low), realCell(x.JoinedShare.High),
			realCell(x.Removed), realCell(x.FalseRemovals), realCell(x.FalseShare.Value), realCell(x.FalseShare.Low), realCell(x.FalseShare.High),
			realCell(x.Candidates), realCell(math.Round(x.CorpusCandidates)), realCell(math.Round(x.BandRows)), yesNo(x.Recommended))
		if err := line(w, row); err != nil {
			return err
		}
	}
	return nil
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// curveColumns are those of the table of S-curves behind settingColumns.
var curveColumns = []string{"similarity_low", "similarity_high", "similarity", "pairs", "candidates", "measured", "measured_low", "measured_high", "predicted"}

// writeCurves writes a row for each setting and part of similarity in which
// there are pairs.
func writeCurves(w io.Writer, curves []calibrate.Curve) error {
	if err := line(w, append(append([]string{}, settingColumns...), curveColumns...)); err != nil {
		return err
	}
	for _, c := range curves {
		for _, p := range c.Points {
			row := settingCells(c.Unit, cellsOf(c.Params), c.Banding)
			row = append(row, realCell(p.Low), realCell(p.High), realCell(p.Similarity), strconv.Itoa(p.Pairs), realCell(p.Candidates),
				realCell(p.Measured.Value), realCell(p.Measured.Low), realCell(p.Measured.High), realCell(p.Predicted))
			if err := line(w, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// calibratePage has the S-curves of what is recommended, or, if that are few,
// of all settings; the table comes behind it.
func calibratePage(r *calibrate.Result, g *calibrate.Grid) report.Page {
	p := report.Page{Title: "Settings tried on a sample", Lead: []string{
		fmt.Sprintf("%d of %d documents were drawn, and all pairs of them compared exactly.", r.Drawn, r.Documents),
		fmt.Sprintf("Wanted recall: %v. Intervals: confidence %v. Recall without labels: families of near-duplicates drawn again 1000 times (bootstrap); all others: Wilson, or Clopper and Pearson where numbers are small (binomial), as if pairs were independent.", g.Recall, g.Confidence),
	}}
	if r.Labels.Same > 0 {
		p.Lead = append(p.Lead, fmt.Sprintf("To be found: %d pairs that are the same by label; %d are different by label, %d have no verdict and were left out.", r.Labels.Same, r.Labels.Different, r.Labels.Left))
	} else {
		p.Lead = append(p.Lead, "To be found: pairs of the sample whose exact Jaccard index is at least the threshold. A removal is false if the document that is kept in its place is less similar than that.")
	}
	for _, s := range r.Samples {
		p.Lead = append(p.Lead, fmt.Sprintf("%s, %s: %d texts (%d without elements left out), %d pairs share elements.", s.Unit, s.Elements.Recipe, s.Texts, s.Empty, s.Sharing))
	}
	for _, x := range r.Outcomes {
		if !x.Recommended {
			continue
		}
		section := report.Section{Heading: fmt.Sprintf("Recommended at threshold %v, %s", x.Threshold, x.Params.Elements.Recipe), Text: []string{recommendation(x)}}
		for _, c := range r.Curves {
			if c.Unit == x.Unit && c.Params == x.Params && c.Banding == x.Banding {
				section.Figure = curveFigure("", []drawnCurve{drawn(c)})
			}
		}
		p.Sections = append(p.Sections, section)
	}
	return p
}

// paramsCells are the parameters of sketches as cells.
type paramsCells struct{ recipe, family, bits, size string }

func (p paramsCells) bands(b calibrate.Banding) string {
	s := p.recipe + ", " + p.family + " " + p.size
	if p.bits != "NA" {
		s += " of " + p.bits + " bits"
	}
	return strings.TrimPrefix(s, "set, ") + fmt.Sprintf(", %d x %d", b.Bands, b.Rows)
}
