// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"encoding/json"
	"io"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/shingle"
)

// A Summary says what was done and what came of it. docs/dedup.md says what
// each key means.
type Summary struct {
	Gsketch string `json:"gsketch"`

	RemovedBeforeShingling []string `json:"text_removed_before_shingling"`
	Unit                   string   `json:"unit"`
	Shingle                string   `json:"shingle"`
	Width                  int      `json:"width"`
	EditProcess            string   `json:"edit_process_assumed"`
	Params                 string   `json:"params"`
	Slots                  int      `json:"rows_stored"`
	HashFamily             string   `json:"hash_family"`
	SeedVersion            uint64   `json:"seed"`
	Threshold              float64  `json:"threshold"`
	Banding                banded   `json:"banding"`
	Verification           string   `json:"verification"`
	Boilerplate            string   `json:"boilerplate"`
	HotBuckets             Buckets  `json:"hot_buckets"`
	Containment            bool     `json:"containment_asked"`
	RecallMeasured         string   `json:"recall_measured"`
	Clustering             string   `json:"clustering"`
	Representative         string   `json:"representative"`
	Ties                   string   `json:"ties_broken_by"`

	Documents       int            `json:"documents"`
	NoElements      int            `json:"documents_without_shingles"`
	Copies          int            `json:"exact_copies"`
	Candidates      int            `json:"candidate_pairs"`
	Edges           int            `json:"verified_pairs"`
	Clusters        int            `json:"clusters"`
	Several         int            `json:"clusters_of_two_or_more"`
	Largest         int            `json:"largest_cluster"`
	Chained         int            `json:"clusters_with_pairs_below_threshold"`
	PairsBelow      uint64         `json:"pairs_below_threshold_within_clusters"`
	WithoutMinimum  int            `json:"clusters_without_minimum"`
	Kept            int            `json:"kept"`
	Removed         int            `json:"removed"`
	RemovedByReason map[string]int `json:"removed_by_reason"`
}

type banded struct {
	Bands    int     `json:"bands"`
	Rows     int     `json:"rows"`
	Expected float64 `json:"expected_recall_at_threshold"`
	Middle   float64 `json:"similarity_of_even_chance"`
	Wanted   float64 `json:"recall_wanted"`
}

// Summary counts the manifest.
func (r *Result) Summary(version string) Summary {
	o := r.opts
	s := Summary{Gsketch: version, Params: o.Params.String(), Slots: o.Bands * o.Rows, Threshold: o.Threshold,
		Banding:    banded{Bands: o.Bands, Rows: o.Rows, Expected: lsh.Probability(o.Threshold, o.Bands, o.Rows), Middle: lsh.Threshold(o.Bands, o.Rows), Wanted: o.Recall},
		HashFamily: o.Params.Family + "/" + o.Params.Hash.String(), SeedVersion: o.Params.Hash.Seed,
		HotBuckets: r.Buckets, Clustering: o.Method, Representative: o.Rule, Ties: "name",
		Documents: r.Counts.Documents, NoElements: r.Counts.NoElements, Copies: r.Counts.Copies,
		Candidates: r.Counts.Candidates, Edges: r.Counts.Edges, Clusters: len(r.clusters),
		RemovedByReason: map[string]int{}, Unit: shingle.Documents, WithoutMinimum: r.verdict.unmeasured,
		Verification: "exact Jaccard index of the shingles", RecallMeasured: "not measured; expected from the S-curve"}
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
	for d := range r.Manifest() {
		if d.Keep {
			s.Kept++
		} else {
			s.Removed++
			s.RemovedByReason[d.Reason]++
		}
	}
	return s
}

// WriteSummary writes the summary as JSON.
func (r *Result) WriteSummary(w io.Writer, version string) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r.Summary(version))
}
