// SPDX-License-Identifier: Apache-2.0

package steps

import (
	"bytes"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/sketch"
)

// write puts rows into a file.
func write[T any](t interface{ Fatal(...any) }, path string, rows []T) {
	var b bytes.Buffer
	w := NewWriter[T](&b)
	for _, r := range rows {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read[T any](all iter.Seq2[T, error]) (rows []T, err error) {
	for r, err := range all {
		if err != nil {
			return rows, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// What is written is read again.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	share := rapid.Custom(func(t *rapid.T) *float64 {
		v := rapid.Float64Range(0, 1).Draw(t, "share")
		return rapid.SampledFrom([]*float64{nil, &v}).Draw(t, "known")
	})
	rapid.Check(t, func(t *rapid.T) {
		bands := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Band {
			return Band{rapid.Int32Min(0).Draw(t, "band"), rapid.Int64().Draw(t, "key"), rapid.Int64Min(0).Draw(t, "row")}
		}), 1, 20).Draw(t, "bands")
		edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Edge {
			a := rapid.Int64Range(0, 1<<40).Draw(t, "a")
			return Edge{a, a + rapid.Int64Range(1, 1<<40).Draw(t, "b"), share.Draw(t, "j"), share.Draw(t, "ab"), share.Draw(t, "ba")}
		}), 1, 20).Draw(t, "edges")
		manifest := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Decision {
			return Decision{Row: rapid.Int64Min(0).Draw(t, "row"), ID: rapid.String().Draw(t, "id"), Keep: rapid.Bool().Draw(t, "keep")}
		}), 1, 20).Draw(t, "manifest")
		path := filepath.Join(dir, "bands.parquet")
		write(t, path, bands)
		if got, err := read(ReadBands(path)); err != nil || !reflect.DeepEqual(got, bands) {
			t.Fatalf("%v, %v: want %v", got, err, bands)
		}
		write(t, path, edges)
		if got, err := read(ReadEdges(path)); err != nil || !reflect.DeepEqual(got, edges) {
			t.Fatalf("%v, %v: want %v", got, err, edges)
		}
		pairs, err := read(ReadCandidates(path)) // a table of edges has the columns of candidates
		if err != nil || len(pairs) != len(edges) || pairs[0] != (Candidate{edges[0].A, edges[0].B}) {
			t.Fatalf("%v, %v", pairs, err)
		}
		write(t, path, manifest)
		verdicts, err := read(ReadVerdicts(path))
		if err != nil || len(verdicts) != len(manifest) {
			t.Fatal(verdicts, err)
		}
		for i, v := range verdicts {
			if m := manifest[i]; v != (Verdict{m.Row, m.ID, m.Keep}) {
				t.Fatalf("%v: want %v", v, m)
			}
		}
	})
}

// Rows that cannot be meant, and files cut short, are errors.
func TestRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	two := 2.0
	for name, rows := range map[string][]Edge{"order": {{A: 2, B: 1}}, "same": {{A: 1, B: 1}}, "negative": {{A: -1, B: 1}}, "share": {{A: 1, B: 2, Jaccard: &two}}} {
		write(t, path, rows)
		var in *sketch.InputError
		if _, err := read(ReadEdges(path)); !errors.As(err, &in) || in.Record != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	write(t, path, []Edge{{A: 1, B: 2}})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		var in *sketch.InputError
		if _, err := read(ReadEdges(path)); !errors.As(err, &in) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
	if _, err := read(ReadBands(path)); err == nil {
		t.Error("a table of edges was read as one of bands")
	}
}
