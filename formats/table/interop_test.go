// SPDX-License-Identifier: Apache-2.0

package table

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// TestInteropReaders: pyarrow and DuckDB read the values that were written, and
// the digests hold as computed from the documentation. It runs where
// GSKETCH_PYTHON is a Python that has pyarrow, duckdb and xxhash.
func TestInteropReaders(t *testing.T) {
	python := os.Getenv("GSKETCH_PYTHON")
	if python == "" {
		t.Skip("SKIPPED: set GSKETCH_PYTHON to a python with pyarrow, duckdb and xxhash")
	}
	for name, items := range map[string][]sketch.Item{"mixed": mixed(t), "groups": manyGroups(t), "none": nil} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.parquet")
			want := filepath.Join(t.TempDir(), "want.json")
			b := encodeGroups(t, Options{CreatedBy: "test", RowBase: 12}, items, 1<<20)
			rows, err := json.Marshal(expectedRows(t, b, items, 12))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(want, rows, 0o644); err != nil {
				t.Fatal(err)
			}
			args := []string{"testdata/check_table.py", path, want}
			if len(items) == 0 {
				args = args[:2] // nothing to compare
			}
			out, err := exec.Command(python, args...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			t.Logf("%s", out)
		})
	}
}

// expectedRows are the rows of a table of items, by column; digests are those
// of b, the table.
func expectedRows(t *testing.T, b []byte, items []sketch.Item, base int64) []map[string]any {
	rows := []map[string]any{}
	for i, it := range items {
		m := it.Meta
		row := map[string]any{
			"row": base + int64(i), "id": m.ID, "source": m.Source, "comment": m.Comment,
			"per_record": m.PerRecord, "length_estimated": m.LengthEstimated, "params": it.Sketch.Params().String(),
			"length": int64(m.Length), "records": int64(m.Records), "count": int64(m.Count),
			"hashes": nil, "signature": nil, "abundances": nil, "part": nil,
		}
		switch s := it.Sketch.(type) {
		case sketch.Abundant:
			hashes, counts := s.Hashes(), s.Abundances()
			for part := 0; part == 0 || len(hashes) > 0; part++ {
				cut := map[string]any{}
				for k, v := range row {
					cut[k] = v
				}
				n := min(len(hashes), 125000)
				if s.Len() > 125000 {
					cut["part"] = part
				}
				cut["hashes"] = signed(hashes[:n])
				if s.Params().Weighted {
					cut["abundances"] = signed(counts[:n])
					counts = counts[n:]
				}
				hashes = hashes[n:]
				rows = append(rows, cut)
			}
			continue
		case sketch.Signature:
			var slots []byte
			for _, v := range s.AppendSlots(nil) {
				slots = append(slots, byte(v)) // 8 bits a slot in these tests
			}
			row["signature"] = hex.EncodeToString(slots)
		}
		rows = append(rows, row)
	}
	for i, sum := range digestsOf(t, b) {
		rows[i]["digest"] = hex.EncodeToString(sum[:])
	}
	return rows
}

func signed(v []uint64) []int64 {
	s := make([]int64, len(v))
	for i := range v {
		s[i] = int64(v[i])
	}
	return s
}
