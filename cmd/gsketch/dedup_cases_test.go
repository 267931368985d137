// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// textFaults copies the files of a case of texts.
func textFaults(t *testing.T, number string) bench { return faultsOf(t, "text", number) }

// expected reads the right values of a case.
func (b bench) expected(into any) {
	b.Helper()
	data, err := os.ReadFile(filepath.Join(b.dir, "expected.json"))
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// dedup runs the command and returns manifest (by id) and summary.
func (b bench) dedup(args ...string) (manifest map[string]map[string]string, summary map[string]any) {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "out")
	b.run(0, append([]string{"dedup", "-q", "-o", dir}, args...)...)
	text, err := os.ReadFile(filepath.Join(dir, "manifest.tsv"))
	if err != nil {
		b.Fatal(err)
	}
	manifest = map[string]map[string]string{}
	for _, row := range table(string(text)) {
		manifest[row["id"]] = row
	}
	data, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err == nil {
		err = json.Unmarshal(data, &summary)
	}
	if err != nil {
		b.Fatal(err)
	}
	return manifest, summary
}

// clusters are the ids of each cluster of two or more, sorted.
func clustersOf(manifest map[string]map[string]string) string {
	by := map[string][]string{}
	for id, row := range manifest {
		by[row["cluster"]] = append(by[row["cluster"]], id)
	}
	var all []string
	for _, ids := range by {
		if slices.Sort(ids); len(ids) > 1 {
			all = append(all, strings.Join(ids, " "))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// kept are the ids to keep, sorted.
func keptOf(manifest map[string]map[string]string, keep bool) string {
	var ids []string
	for id, row := range manifest {
		if row["keep"] == fmt.Sprint(keep) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

func (b bench) want(what, got, want string) {
	b.Helper()
	if got != want {
		b.Errorf("%s: %q, want %q", what, got, want)
	}
}

// all is a banding by which every pair that shares anything is a candidate.
var all = []string{"--family", "kperm", "--bands", "128", "--rows", "1", "--bucket-cap", "0"}

// Candidates are verified: at J = 0.4 none is reported at a threshold of 0.5,
// whatever the members are called.
func TestDedupCandidatesAreVerified(t *testing.T) {
	b := textFaults(t, "01")
	data, err := os.ReadFile(filepath.Join(b.dir, "input.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var sets bytes.Buffer
	for line := range bytes.Lines(data) {
		var s struct {
			ID     string
			Tokens []string
		}
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&sets, s.ID, strings.Join(s.Tokens, " "))
	}
	if err := os.WriteFile(filepath.Join(b.dir, "sets.txt"), sets.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	args := append(all, "--input", "set", "--sets", "id-members", "sets.txt", "--threshold")
	manifest, summary := b.dedup(append(args, "0.5")...)
	b.want("clusters", clustersOf(manifest), "")
	if n := summary["candidate_pairs"].(float64); n < 30 {
		t.Errorf("%v candidates of 60 pairs at J = 0.4: the banding is to make candidates", n)
	}
	manifest, _ = b.dedup(append(args, "0.4")...)
	pairs := 0
	for id, row := range manifest {
		if row["keep"] == "false" {
			pairs++
			b.near(row["similarity"], 0.4, 15)
			b.want(id+" kept", row["kept_id"], "a"+id[1:])
		}
	}
	if pairs != 60 {
		t.Errorf("%d pairs at 0.4, want 60", pairs)
	}
}

// Documents without shingles are like nothing; equal ones are copies.
func TestDedupEmptyDocuments(t *testing.T) {
	b := textFaults(t, "04")
	var want struct {
		Words []int `json:"no_shingles_word5"`
		Chars []int `json:"no_shingles_char5"`
	}
	b.expected(&want)
	for shingle, rows := range map[string][]int{"words=5": want.Words, "chars=5": want.Chars} {
		manifest, summary := b.dedup("--shingle", shingle, "input.jsonl")
		b.want(shingle+" clusters", clustersOf(manifest), "t0 t4")
		b.want(shingle+" copy", manifest["t4"]["stage"]+" "+manifest["t4"]["reason"], "exact copy")
		for i := range 6 {
			id := fmt.Sprintf("t%d", i)
			if bare := manifest[id]["reason"] == "no-shingles"; id != "t4" && bare != slices.Contains(rows, i) {
				t.Errorf("%s %s: %v", shingle, id, manifest[id])
			}
		}
		if summary["verified_pairs"].(float64) != 0 {
			t.Errorf("%s: near pairs in %v", shingle, summary)
		}
	}
}

// Components are those of verified edges, whatever was a candidate.
func TestDedupVerifiedEdgesAlone(t *testing.T) {
	b := textFaults(t, "05")
	manifest, _ := b.dedup(append(all, "--threshold", "0.7", "input.jsonl")...)
	b.want("clusters", clustersOf(manifest), "t0 t2; t1 t3")
	b.near(manifest["t2"]["similarity"], 0.931034, 6)
}

// A chain is one component, and its smallest similarity, over all pairs and not
// the edges alone, says so; star and complete linkage break it.
func TestDedupChains(t *testing.T) {
	for _, number := range []string{"07", "08"} {
		b := textFaults(t, number)
		args := append(all, "--threshold", "0.7", "input.jsonl", "--clusters")
		manifest, summary := b.dedup(append(args, "components")...)
		b.want("components", clustersOf(manifest), "t0 t1 t2")
		b.want("reasons", manifest["t1"]["reason"]+" "+manifest["t2"]["reason"], "near-copy chained")
		b.near(manifest["t0"]["cluster_min"], 0.583333, 6)
		b.near(manifest["t2"]["similarity"], 0.583333, 6)
		if summary["pairs_below_threshold_within_clusters"].(float64) != 1 {
			t.Errorf("pairs below the threshold: %v", summary)
		}
		for _, method := range []string{"star", "complete"} {
			manifest, _ = b.dedup(append(args, method)...)
			b.want(method, clustersOf(manifest), "t0 t1")
			b.near(manifest["t0"]["cluster_min"], 0.767442, 6)
		}
	}
}

// The same documents are kept in every order and by any number of threads.
func TestDedupOrder(t *testing.T) {
	b := textFaults(t, "10")
	var want struct{ Orders [][]int }
	b.expected(&want)
	data, err := os.ReadFile(filepath.Join(b.dir, "input.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(data))+"\n", "\n")
	for i, order := range want.Orders {
		var text strings.Builder
		for _, at := range order {
			text.WriteString(lines[at])
		}
		if err := os.WriteFile(filepath.Join(b.dir, "order.jsonl"), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		manifest, _ := b.dedup(append(all, "--threshold", "0.7", "-t", fmt.Sprint(1+i%3), "order.jsonl")...)
		b.want("clusters", clustersOf(manifest), "t0 t1 t2 t3")
		b.want("kept", keptOf(manifest, true), "t0 t4 t5 t6 t7")
	}
}

// Case, blanks and final punctuation make no difference to words; sharp s is
// told from ss unless folded.
func TestDedupCaseAndSpace(t *testing.T) {
	b := textFaults(t, "14")
	manifest, _ := b.dedup("input.jsonl")
	b.want("clusters", clustersOf(manifest), "t0 t1 t2 t3")
	manifest, _ = b.dedup("--norm", "1/fold", "input.jsonl")
	b.want("folded", clustersOf(manifest), "t0 t1 t2 t3; t4 t5")
}

// One of each group is kept, and not the reverse.
func TestDedupKeepsFirst(t *testing.T) {
	b := textFaults(t, "32")
	manifest, _ := b.dedup("input.jsonl")
	b.want("clusters", clustersOf(manifest), "d1 d2 d3")
	b.want("kept", keptOf(manifest, true), "d1 d4")
	b.want("removed", keptOf(manifest, false), "d2 d3")
}

// Documents that are all alike are one cluster without all pairs being listed.
func TestDedupHotBuckets(t *testing.T) {
	b := textFaults(t, "34")
	manifest, summary := b.dedup("--bucket-cap", "100", "input.jsonl")
	if n := strings.Count(clustersOf(manifest), " ") + 1; n != 250 {
		t.Errorf("a cluster of %d, want 250", n)
	}
	if n := summary["candidate_pairs"].(float64); n > 14*249 {
		t.Errorf("%v pairs, want few for each document", n)
	}
	if hot := summary["hot_buckets"].(map[string]any); hot["hot"].(float64) < 1 || hot["largest"].(float64) <= 100 {
		t.Errorf("hot buckets: %v", hot)
	}
	for id, row := range manifest {
		if row["keep"] == "false" {
			b.near(row["similarity"], 0.9130434782608695, 15)
			b.near(row["cluster_min"], 0.9130434782608695, 15)
			b.want(id, row["kept_id"], "t0")
		}
	}
}

// A name that comes again is an error that says where, or is numbered.
func TestDedupRepeatedNames(t *testing.T) {
	b := textFaults(t, "35")
	_, stderr := b.run(3, "dedup", "input.jsonl")
	b.contains(stderr, "(a)", "line 3", "line 1")
	manifest, _ := b.dedup("--number-repeated", "input.jsonl")
	b.want("kept", keptOf(manifest, true), "a a#2 b")
}

// Copies are found in the smallest of corpora.
func TestDedupCopies(t *testing.T) {
	b := textFaults(t, "37")
	manifest, _ := b.dedup("input.jsonl")
	b.want("clusters", clustersOf(manifest), "t0 t1 t2 t3 t4")
	b.want("kept", keptOf(manifest, true), "t0 t5")
	for _, id := range []string{"t1", "t2", "t3", "t4"} {
		b.want(id, manifest[id]["stage"]+" "+manifest[id]["reason"], "exact copy")
	}
}

// Bands and rows are not taken for each other, and the summary says what they
// mean.
func TestDedupBandsAndRows(t *testing.T) {
	b := textFaults(t, "38")
	var want struct {
		P [][2]json.RawMessage
	}
	b.expected(&want)
	shapes := [][2]string{{"13", "60"}, {"60", "13"}, {"14", "8"}, {"20", "13"}, {"9", "13"}}
	docs := []byte("{\"id\": \"a\", \"text\": \"b\"}\n")
	if err := os.WriteFile(filepath.Join(b.dir, "one.jsonl"), docs, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, row := range want.P {
		var probabilities []float64
		if err := json.Unmarshal(row[1], &probabilities); err != nil {
			t.Fatal(err)
		}
		for i, shape := range shapes {
			_, summary := b.dedup("-s", "780", "--threshold", string(row[0]), "--bands", shape[0], "--rows", shape[1], "one.jsonl")
			got := summary["banding"].(map[string]any)
			b.want("shape", fmt.Sprint(got["bands"], " ", got["rows"]), shape[0]+" "+shape[1])
			b.near(fmt.Sprint(got["expected_recall_at_threshold"]), probabilities[i], 9)
		}
	}
}
