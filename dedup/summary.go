// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// A Summary says what was done and what came of it. docs/dedup.md says what
// each key means.
type Summary struct {
	Gsketch string `json:"gsketch"`

	// What was compared.
	Removed    []string `json:"text_removed_before_shingling"`
	Unit       string   `json:"unit"`
	Elements   string   `json:"elements"`
	Width      int      `json:"width"`
	Edits      *editing `json:"edit_process_assumed"` // null where elements are not runs
	Slots      int      `json:"rows_stored"`
	SlotsUsed  int      `json:"rows_used"`
	HashFamily string   `json:"hash_family"`
	Seed       uint64   `json:"seed"`
	Params     string   `json:"params"`
	Threshold  float64  `json:"threshold"`
	Measure    string   `json:"measure"`

	// How.
	Candidates     string   `json:"candidates"`
	Banding        *banded  `json:"banding"` // null where all pairs were compared
	Verification   string   `json:"verification"`
	Boilerplate    string   `json:"boilerplate"`
	HotBuckets     *Buckets `json:"hot_buckets"` // null where all pairs were compared
	Containment    bool     `json:"containment_asked"`
	Recall         string   `json:"recall_measured"`
	Clustering     string   `json:"clustering"`
	Representative string   `json:"representative"`
	Ties           string   `json:"ties_broken_by"`

	// What came of it.
	References     int            `json:"references"`
	Digest         string         `json:"corpus_digest"` // ""  for sets and sketches
	Documents      int            `json:"documents"`
	NoElements     int            `json:"documents_without_shingles"`
	Copies         int            `json:"exact_copies"`
	Pairs          int            `json:"candidate_pairs"`
	Edges          int            `json:"verified_pairs"`
	Clusters       int            `json:"clusters"`
	Several        int            `json:"clusters_of_two_or_more"`
	Largest        int            `json:"largest_cluster"`
	Chained        int            `json:"clusters_with_pairs_below_threshold"`
	PairsBelow     uint64         `json:"pairs_below_threshold_within_clusters"`
	WithoutMinimum int            `json:"clusters_without_minimum"`
	Kept           int            `json:"kept"`
	RemovedCount   int            `json:"removed"`
	ByReason       map[string]int `json:"removed_by_reason"`
	Review         int            `json:"pairs_to_review"`
	Given          int            `json:"pairs_given"`
	GroupedBy      string         `json:"grouped_by"`
	Groups         []group        `json:"groups"` // those of which most is removed first
}

// A group is the documents with one value in a column.
type group struct {
	Value     string  `json:"value"`
	Documents int     `json:"documents"`
	Removed   int     `json:"removed"`
	Rate      float64 `json:"removal_rate"`
}

// banded is the banding and its S-curve.
type banded struct {
	Bands    int     `json:"bands"`
	Rows     int     `json:"rows"`
	Wanted   float64 `json:"recall_wanted"`
	Expected float64 `json:"expected_recall_at_threshold"`
	Middle   float64 `json:"similarity_of_even_chance"`
	Curve    []point `json:"curve"`
}

type point struct {
	Similarity float64 `json:"similarity"`
	Candidate  float64 `json:"probability_of_candidate"`
}

// editing is the edit process under which the width of shingles has a meaning.
type editing struct {
	Model       string  `json:"model"`
	AtThreshold float64 `json:"share_replaced_at_threshold"`
}

// Summary counts the manifest.
func (r *Result) Summary(version string) Summary {
	o := r.opts
	s := Summary{Gsketch: version, Params: o.Params.String(), Elements: o.Params.Elements.String(), Unit: r.unit(),
		HashFamily: o.Params.Family + ", " + o.Params.Hash.String(), Seed: o.Params.Hash.Seed, Slots: o.Params.Size,
		Threshold: o.Threshold, Measure: o.Measure, Candidates: "bands", Verification: r.verification,
		Boilerplate: "kept", Recall: "not measured; expected from the S-curve", Clustering: o.Method, Representative: o.Rule, Ties: "name",
		Documents: r.Counts.Documents, NoElements: r.Counts.NoElements, Copies: r.Counts.Copies,
		Pairs: r.Counts.Candidates, Edges: r.Counts.Edges, Clusters: len(r.clusters), WithoutMinimum: r.verdict.unmeasured,
		ByReason: map[string]int{}, Removed: []string{}, Review: len(r.review), Given: r.Counts.Given, GroupedBy: o.Group,
		Groups: []group{}, References: r.Counts.References, Containment: o.Containment > 0}
	if o.Column != "" {
		s.Representative += "=" + o.Column
	}
	if o.ByRow {
		s.Ties = "row"
	}
	if r.sketched {
		s.Unit = "sketch"
	}
	s.sayElements(o.Params.Elements, o.jaccard())
	switch {
	case o.All:
		s.Candidates, s.Recall = "all pairs", "complete: all pairs were compared"
	case o.Bands == 0:
		s.Candidates, s.Recall = "given", "not measured; candidates were given"
	default:
		s.SlotsUsed = o.Bands * o.Rows
		s.Banding = &banded{Bands: o.Bands, Rows: o.Rows, Wanted: o.Recall, Expected: lsh.Probability(o.jaccard(), o.Bands, o.Rows), Middle: lsh.Threshold(o.Bands, o.Rows)}
		for i := 1; i <= 10; i++ {
			j := float64(i) / 10
			s.Banding.Curve = append(s.Banding.Curve, point{j, lsh.Probability(j, o.Bands, o.Rows)})
		}
		s.HotBuckets = &r.Buckets
	}
	if !r.sketched && o.Texts.Corpus.Kind != corpus.Sets {
		s.Digest = r.digest.String()
	}
	r.count(&s)
	return s
}

// unit is what is compared.
func (r *Result) unit() string {
	u := r.opts.Texts.Units
	switch u.Of {
	case "":
		return shingle.Documents
	case shingle.Passages:
		return fmt.Sprintf("%s=%d,%d", u.Of, u.Words, u.Step)
	}
	return u.Of
}

// sayElements tells what a recipe takes away and what its width means.
func (s *Summary) sayElements(e sketch.Elements, threshold float64) {
	recipe, err := shingle.Parse(e.Recipe)
	if err != nil {
		s.Width = e.K // k-mers
		return
	}
	s.Width = recipe.Width
	for _, step := range []struct {
		taken bool
		what  string
	}{
		{recipe.HTML, "HTML markup, scripts and styles"},
		{recipe.Code == shingle.Drop, "code blocks"},
		{recipe.Code == shingle.Only, "everything but code blocks"},
		{recipe.Kind == shingle.Words || recipe.Kind == shingle.UAX29, "what lies between words"},
		{recipe.Punct == shingle.Drop, "punctuation and symbols"},
		{recipe.Digits == shingle.Drop, "digits"},
		{recipe.Digits == shingle.Zero, "the values of digits"},
		{recipe.Case == shingle.Lower || recipe.Case == shingle.Fold, "case"},
		{recipe.Stem != "", "endings (" + recipe.Stem + ")"},
		{recipe.Without != "", "shingles of boilerplate"},
	} {
		if step.taken && recipe.Kind != shingle.Set {
			s.Removed = append(s.Removed, step.what)
		}
	}
	if recipe.Without != "" {
		s.Boilerplate = "left out, digest " + recipe.Without
	}
	if recipe.Width > 0 {
		// Of runs of w units a share q = (1-d)^w has no replaced unit, and J = q/(2-q).
		q := 2 * threshold / (1 + threshold)
		s.Edits = &editing{
			Model:       fmt.Sprintf("each %s is replaced independently with equal probability", map[bool]string{true: "character", false: "word"}[recipe.Kind == shingle.Chars || recipe.Kind == shingle.Bytes]),
			AtThreshold: 1 - math.Pow(q, 1/float64(recipe.Width)),
		}
	}
}

// count counts clusters and documents.
func (r *Result) count(s *Summary) {
	for c, rows := range r.clusters {
		if len(rows) > 1 {
			s.Several++
		}
		s.Largest = max(s.Largest, len(rows))
		if r.verdict.below[c] > 0 {
			s.Chained++
			s.PairsBelow += r.verdict.below[c]
		}
	}
	groups := map[string]*group{}
	row := r.docs.known
	for d := range r.Manifest() {
		g := &group{}
		if r.opts.Group != "" {
			value := r.docs.groups[row]
			if g = groups[value]; g == nil {
				g = &group{Value: value}
				groups[value] = g
			}
		}
		row++
		g.Documents++
		if d.Keep {
			s.Kept++
		} else {
			s.RemovedCount++
			s.ByReason[d.Reason]++
			g.Removed++
		}
	}
	for _, g := range groups {
		g.Rate = ratio(g.Removed, g.Documents)
		s.Groups = append(s.Groups, *g)
	}
	slices.SortFunc(s.Groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(b.Rate, a.Rate), cmp.Compare(a.Value, b.Value))
	})
}

// WriteSummary writes the summary as JSON.
func (r *Result) WriteSummary(w io.Writer, version string) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r.Summary(version))
}
