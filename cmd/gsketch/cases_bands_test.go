// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
)

// textFault copies the files of a case of texts and returns what is expected.
func textFault(t *testing.T, number string, expected any) bench {
	t.Helper()
	from, err := filepath.Glob(shared.Path(t, "cases", "text") + "/" + number + "-*")
	if err != nil || len(from) != 1 {
		t.Fatalf("case %s: %v, %v", number, from, err)
	}
	b := bench{t, t.TempDir()}
	if err := os.CopyFS(b.dir, os.DirFS(from[0])); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(b.dir, "expected.json"))
	if err == nil {
		err = json.Unmarshal(data, expected)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// cells lists the values of a column.
func cells(rows []map[string]string, name string) (values []string) {
	for _, r := range rows {
		values = append(values, r[name])
	}
	return values
}

// A second process finds all that the first put into an index, wherever it is
// run; an option that there is not is an error and makes no index.
func TestCaseIndexReopened(t *testing.T) {
	var want struct {
		Keys []string `json:"reopen_keys"`
	}
	b := textFault(t, "25", &want)
	b.run(0, "sketch", "-q", "--input", "jsonl", "-o", "s.parquet", "input.jsonl")
	b.run(0, "index", "build", "-q", "db", "s.parquet")
	out, _ := b.run(0, "index", "info", "db")
	if got := cells(table(out), "name"); !slices.Equal(got, want.Keys) {
		t.Errorf("reopened: %v, want %v", got, want.Keys)
	}
	out, _ = b.run(0, "search", "-r", "db", "s.parquet")
	if got := cells(table(out), "reference"); !slices.Equal(got, want.Keys) {
		t.Errorf("each finds itself: %v, want %v", got, want.Keys)
	}
	b.run(2, "index", "build", "--base_name", "x", "db2", "s.parquet")
	if _, err := os.Stat(filepath.Join(b.dir, "db2")); err == nil {
		t.Error("an index was made in spite of the unknown option")
	}
}

// What is compared with an index is what can be left out, never what is in it.
func TestCaseReferenceIndex(t *testing.T) {
	var want struct{ Remove, Keep []string }
	b := textFault(t, "31", &want)
	data, err := os.ReadFile(filepath.Join(b.dir, "input.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var ref, fresh bytes.Buffer
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, `"set": "reference"`) {
			ref.WriteString(line)
		} else {
			fresh.WriteString(line)
		}
	}
	for name, text := range map[string]*bytes.Buffer{"ref.jsonl": &ref, "new.jsonl": &fresh} {
		if err := os.WriteFile(filepath.Join(b.dir, name), text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b.run(0, "sketch", "-q", "--input", "jsonl", "-o", "s.parquet", "ref.jsonl")
	b.run(0, "index", "build", "-q", "db", "s.parquet")
	before, _ := b.run(0, "index", "info", "-q", "db")
	out, _ := b.run(0, "index", "add", "-q", "--unless", "0.8", "db", "new.jsonl")
	if got := cells(table(out), "query"); !slices.Equal(got, want.Remove) {
		t.Errorf("left out: %v, want %v", got, want.Remove)
	}
	after, _ := b.run(0, "index", "info", "-q", "db")
	if got := cells(table(after), "name"); !slices.Equal(got, append(cells(table(before), "name"), want.Keep...)) {
		t.Errorf("in the index: %v", got)
	}
}

// A bucket that all share is not listed as pairs: each document meets the one
// that stands for it.
func TestCaseHotBucket(t *testing.T) {
	var want struct{ Size int }
	b := textFault(t, "34", &want)
	b.run(0, "sketch", "-q", "--input", "jsonl", "-o", "s.parquet", "input.jsonl")
	b.run(0, "index", "build", "-q", "db", "s.parquet")
	_, errs := b.run(0, "search", "-r", "db", "--threshold", "0.5", "--top", "3", "s.parquet")
	if !strings.Contains(errs, "truncated to 3 of 250 ") {
		t.Errorf("a listing that is cut says: %.200q", errs)
	}
	out, _ := b.run(0, "index", "build", "-q", "--unless", "0.6", "stars", "s.parquet")
	rows := table(out)
	if len(rows) != want.Size-1 {
		t.Errorf("%d left out, want %d", len(rows), want.Size-1)
	}
	for _, r := range rows {
		if r["reference"] != "t0" && r["reference"] != rows[0]["reference"] {
			t.Errorf("%s is like %s, not the one that is kept", r["query"], r["reference"])
		}
	}
}

// A server that cannot be reached is exit 7, and the password is not shown.
func TestBackendFails(t *testing.T) {
	b := bench{t, t.TempDir()}
	if err := os.WriteFile(filepath.Join(b.dir, "q.jsonl"), []byte(`{"id": "a", "text": "a b c d e f"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const ref = "redis://127.0.0.1:1/x?patience=100ms"
	_, errs := b.run(7, "search", "-r", ref, "q.jsonl")
	if !strings.Contains(errs, "the Redis server failed") || strings.Count(errs, "\n") != 1 {
		t.Errorf("message: %q", errs)
	}
	b.run(0, "sketch", "-q", "--input", "jsonl", "-o", "s.parquet", "q.jsonl")
	b.run(7, "index", "build", ref, "s.parquet")
	b.run(7, "index", "add", ref, "q.jsonl")
	b.run(7, "index", "info", ref)
}
