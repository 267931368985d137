// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// TestParquet reads what testdata/parquet.py wrote through other programs.
func TestParquet(t *testing.T) {
	text := func(i int) string {
		if i%9 == 4 {
			return ""
		}
		return strings.Repeat(fmt.Sprintf("text %d é中 ", i%13), i%7)
	}
	name := func(i int) string { return fmt.Sprintf("d%d", i) }
	for _, c := range []struct {
		pattern, id, text string
		name              func(int) string
	}{
		{"arrow_[^n]*.parquet", "id", "text", name}, {"arrow_none.parquet", "id", "text", name},
		{"polars.parquet", "id", "text", name}, {"duckdb.parquet", "id", "text", name},
		{"arrow_nested.parquet", "doc.id", "doc.text", name},
		{"arrow_zstd.parquet", "n", "text", func(i int) string { return fmt.Sprint(i) }},
		{"arrow_v2.parquet", "m", "text", func(i int) string { return fmt.Sprint(i * 10_000_000_000) }},
		{"arrow_zstd.parquet", "", "text", func(i int) string { return fmt.Sprintf("testdata/arrow_zstd.parquet:%d", i+1) }},
	} {
		files, err := filepath.Glob("testdata/" + c.pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", c.pattern, len(files), err)
		}
		for _, file := range files {
			docs, err := read([]string{file}, Options{Kind: Parquet, ID: c.id, Text: c.text})
			if err != nil || len(docs) != 300 {
				t.Errorf("%s: %d documents, %v", file, len(docs), err)
				continue
			}
			for i, d := range docs {
				if d.ID != c.name(i) || string(d.Text) != text(i) || d.Record != uint64(i+1) {
					t.Errorf("%s: row %d is %q=%q", file, d.Record, d.ID, d.Text)
					break
				}
			}
		}
	}
	docs, err := read([]string{"testdata/polars_same.parquet"}, Options{Kind: Parquet, ID: "id", Text: "text"})
	if err != nil || len(docs) != 20 || string(docs[19].Text) != "the same" {
		t.Errorf("%d documents, %v", len(docs), err)
	}
}

func TestParquetRefuses(t *testing.T) {
	for _, c := range []struct{ file, id, text, want string }{
		{"arrow_none", "id", "body", "no column \"body\""},
		{"arrow_none", "id", "n", "is not of type byte_array"},
		{"arrow_none", "text", "text", "the name is null"},
		{"refused_prefix", "id", "text", "encoded as DELTA_BYTE_ARRAY"},
		{"refused_list", "id", "text.list.element", "is not of type byte_array"},
	} {
		_, err := read([]string{"testdata/" + c.file + ".parquet"}, Options{Kind: Parquet, ID: c.id, Text: c.text})
		var in *sketch.InputError
		if !errors.As(err, &in) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
	if _, err := read([]string{"-"}, Options{Kind: Parquet, Text: "text"}); err == nil {
		t.Error("standard input was read")
	}
}

// TestParquetDamage changes each byte of a file: it is an error or harmless,
// never a panic.
func TestParquetDamage(t *testing.T) {
	for _, name := range []string{"arrow_snappy", "arrow_v2", "polars_same"} {
		good, err := os.ReadFile("testdata/" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		path := write(t, "in.parquet", "")
		for i := 0; i < len(good); i += 11 {
			bad := append([]byte(nil), good...)
			bad[i] ^= byte(1 + i%255)
			if i%5 == 0 {
				bad = good[:i]
			}
			if err := os.WriteFile(path, bad, 0o666); err != nil {
				t.Fatal(err)
			}
			docs, err := read([]string{path}, Options{Kind: Parquet, ID: "id", Text: "text"})
			var in *sketch.InputError
			if err != nil && !errors.As(err, &in) {
				t.Fatalf("byte %d: %T %v", i, err, err)
			}
			if i%5 == 0 && err == nil {
				t.Fatalf("cut after %d bytes: %d documents", i, len(docs))
			}
		}
	}
}

// FuzzParquet: whatever comes, memory stays in proportion.
func FuzzParquet(f *testing.F) {
	files, err := filepath.Glob("testdata/*.parquet")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := write(t, "in.parquet", string(b))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		docs, err := read([]string{path}, Options{Kind: Parquet, ID: "id", Text: "text"})
		runtime.ReadMemStats(&after)
		var in *sketch.InputError
		if err != nil && !errors.As(err, &in) {
			t.Fatalf("%T: %v", err, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20+4096*uint64(len(b))+1024*uint64(len(docs)) {
			t.Fatalf("%d bytes allocated for a file of %d and %d documents", used, len(b), len(docs))
		}
	})
}
