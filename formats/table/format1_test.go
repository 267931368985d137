// SPDX-License-Identifier: Apache-2.0

package table

import (
	"flag"
	"os"
	"testing"
)

var writeFormat1 = flag.Bool("write-format1", false, "write testdata/format1.parquet anew; only before format 1 is released")

// TestFormat1: a table of format 1, as the first release wrote it, stays
// readable. Its values and digests were compared with what pyarrow and DuckDB
// read (testdata/check_table.py).
func TestFormat1(t *testing.T) {
	const path = "testdata/format1.parquet"
	items := smallItems(t)[:3]
	if *writeFormat1 {
		if err := os.WriteFile(path, encode(t, Options{CreatedBy: "gsketch 0.1.0", RowBase: 7}, items), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := decode(b, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sameItems(t, f, items, 7)
	if f.CreatedBy() != "gsketch 0.1.0" || f.RowBase() != 7 {
		t.Errorf("created by %q, row base %d", f.CreatedBy(), f.RowBase())
	}
}
