// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/formats/columns"
	"github.com/gsketch/gsketch/internal/generate"
	"github.com/gsketch/gsketch/internal/shared"
)

// An engineBench is a directory in which an engine deduplicates a corpus.
type engineBench struct {
	bench
	python  string
	program string // of the engine
	flags   []string
}

// newEngine skips the test where GSKETCH_PYTHON has no module of the engine, or Java is
// missing that it needs.
func newEngine(t *testing.T, module string, needs ...string) engineBench {
	python := os.Getenv("GSKETCH_PYTHON")
	if python == "" {
		t.Skipf("SKIPPED: set GSKETCH_PYTHON to a python with %s", module)
	}
	if out, err := exec.Command(python, "-c", "import "+module).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: GSKETCH_PYTHON has no %s: %s", module, out)
	}
	for _, name := range needs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("SKIPPED: GSKETCH_PYTHON with %s needs %s: %v", module, name, err)
		}
	}
	b := engineBench{bench: bench{t, t.TempDir()}, python: python}
	b.run(0, "dedup", "sql", "--programs", "programs")
	return b
}

func newDuckDB(t *testing.T) engineBench {
	e := newEngine(t, "duckdb")
	e.program = "dedup_duckdb.py"
	return e
}

func newSpark(t *testing.T) engineBench {
	e := newEngine(t, "pyspark", "java")
	e.program, e.flags = "dedup_spark.py", []string{"--master", "local[2]", "--partitions", "4", "--conf", "spark.ui.enabled=false"}
	return e
}

// shards cuts JSON lines into files of about equal numbers.
func (e engineBench) shards(text []byte, n int) []string {
	lines := bytes.SplitAfter(bytes.TrimRight(text, "\n"), []byte("\n"))
	var names []string
	for i := range n {
		name := fmt.Sprintf("shard%d.jsonl", i)
		part := bytes.Join(lines[i*len(lines)/n:(i+1)*len(lines)/n], nil)
		if err := os.WriteFile(filepath.Join(e.dir, name), part, 0o666); err != nil {
			e.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// deduplicate runs the program of the engine, wants its exit code and returns
// what it says.
func (e engineBench) deduplicate(exit int, args ...string) string {
	e.Helper()
	cmd := exec.Command(e.python, slices.Concat([]string{filepath.Join("programs", e.program), "--work", "work"}, e.flags, args)...)
	cmd.Dir = e.dir
	out, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != exit {
		e.Fatalf("%s: exit %d, want %d\n%s", e.program, got, exit, out)
	}
	return string(out)
}

// outputsMade are the outputs that a run made, as it says.
func outputsMade(said string) []string {
	_, list, _ := strings.Cut(said, " outputs made: ")
	list, _, _ = strings.Cut(list, "\n")
	if strings.HasPrefix(list, "none") {
		return nil
	}
	return strings.Fields(list)
}

func (e engineBench) glob(pattern string) []string {
	e.Helper()
	found, err := filepath.Glob(filepath.Join(e.dir, pattern))
	if err != nil || len(found) == 0 {
		e.Fatalf("no %s", pattern)
	}
	return found
}

// integers reads two columns of tables, by the first.
func (e engineBench) integers(first, second string, paths ...string) [][2]int64 {
	e.Helper()
	var all [][2]int64
	for _, path := range paths {
		t, err := columns.Open(path, nil)
		if err != nil {
			e.Fatal(err)
		}
		defer t.Close()
		a, err := t.Column(first, columns.Int64)
		if err != nil {
			e.Fatal(err)
		}
		b, err := t.Column(second, columns.Int64)
		if err != nil {
			e.Fatal(err)
		}
		for {
			more, err := t.Next()
			if err != nil {
				e.Fatal(err)
			}
			if !more {
				break
			}
			x, err := a.Int()
			if err != nil {
				e.Fatal(err)
			}
			y, err := b.Int()
			if err != nil {
				e.Fatal(err)
			}
			all = append(all, [2]int64{x, y})
		}
	}
	slices.SortFunc(all, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	return all
}

// checkEqual compares what the engine made with what one process makes of the
// same sketches: which row each row is kept in favour of. It returns the clusters of two or more.
func (e engineBench) checkEqual(flags ...string) (clusters int) {
	e.Helper()
	sketches := e.glob("work/sketches/*.parquet")
	e.run(0, slices.Concat([]string{"dedup", "-q", "--force", "--order", "row", "-o", "one"}, flags, sketches)...)
	want := e.integers("row", "kept_row", filepath.Join(e.dir, "one", "manifest.parquet"))
	got := e.integers("row", "kept_row", e.glob("work/manifest/*.parquet")...)
	if len(got) != len(want) {
		e.Fatalf("%d rows, want %d", len(got), len(want))
	}
	place := map[int64]int64{} // of the rows of shards in the whole
	for i, row := range got {
		place[row[0]] = int64(i)
	}
	members := map[int64]int{}
	for i, row := range got {
		if place[row[1]] != want[i][1] {
			e.Fatalf("row %d is kept as %d, want %d", row[0], place[row[1]], want[i][1])
		}
		if members[row[1]]++; members[row[1]] == 2 {
			clusters++
		}
	}
	edges := []string{"dedup", "cluster", "-q", "--force", "-o", "clusters.parquet"}
	for _, path := range e.glob("work/edges/*.parquet") {
		edges = append(edges, "--edges", path)
	}
	e.run(0, append(edges, flagsOf("--threshold", flags)...)...)
	if ours, theirs := e.integers("row", "cluster", filepath.Join(e.dir, "clusters.parquet")), e.integers("row", "cluster", e.glob("work/clusters/*.parquet")...); !slices.Equal(ours, theirs) {
		e.Fatalf("clusters of one process, %d rows, and of the engine, %d rows, differ", len(ours), len(theirs))
	}
	return clusters
}

// flagsOf are a flag and its value among others.
func flagsOf(name string, flags []string) []string {
	if i := slices.Index(flags, name); i >= 0 {
		return flags[i : i+2]
	}
	return nil
}

// engineCorpora are those that engines and one process agree on.
var engineCorpora = []struct {
	name     string
	text     func(t *testing.T) []byte
	flags    []string
	clusters int // at least
}{
	{"spdx", corpusText("spdx"), nil, 50},
	{"spdx with hot buckets", corpusText("spdx"), []string{"--threshold", "0.6", "--bucket-cap", "4"}, 50},
	{"scancode5k", corpusText("scancode5k"), nil, 400},
	{"generated", func(t *testing.T) []byte {
		var b bytes.Buffer
		if err := (generate.Documents{Number: 200_000, Words: 100, Boilerplate: 0.02, Seed: 9}).Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}, nil, 20_000},
}

func corpusText(name string) func(t *testing.T) []byte {
	return func(t *testing.T) []byte {
		f, err := os.Open(shared.Path(t, "data", "text", name+".jsonl.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
}

// TestPeerDuckDB: clusters by DuckDB are those of one process.
func TestPeerDuckDB(t *testing.T) {
	for _, c := range engineCorpora {
		t.Run(c.name, func(t *testing.T) {
			e := newDuckDB(t)
			e.deduplicate(0, append(e.shards(c.text(t), 3), c.flags...)...)
			n := e.checkEqual(c.flags...)
			t.Logf("%d clusters", n)
			if n < c.clusters {
				t.Errorf("%d clusters of two or more, want at least %d", n, c.clusters)
			}
		})
	}
}

// TestPeerSpark is the same with Spark: of spdx, and of all corpora where
// GSKETCH_ENGINES is "all".
func TestPeerSpark(t *testing.T) {
	corpora := engineCorpora[1:2]
	if os.Getenv("GSKETCH_ENGINES") == "all" {
		corpora = engineCorpora
	}
	for _, c := range corpora {
		t.Run(c.name, func(t *testing.T) {
			e := newSpark(t)
			e.deduplicate(0, append(e.shards(c.text(t), 3), c.flags...)...)
			n := e.checkEqual(c.flags...)
			t.Logf("%d clusters", n)
			if n < c.clusters {
				t.Errorf("%d clusters of two or more, want at least %d", n, c.clusters)
			}
		})
	}
}

// TestPeerDuckDBResumes: what is missing, cut, changed or unmarked is done again, with what
// was made of it unless it came out the same; other parameters are refused.
func TestPeerDuckDBResumes(t *testing.T) {
	e := newDuckDB(t)
	var text bytes.Buffer
	if err := (generate.Documents{Number: 3000, Words: 60, Seed: 4}).Write(&text); err != nil {
		t.Fatal(err)
	}
	shards := e.shards(text.Bytes(), 3)
	e.deduplicate(0, shards...)
	e.checkEqual()
	in := func(name string) string { return filepath.Join(e.dir, "work", name) }
	change := func(name string) {
		data := readFile(t, in(name))
		data[len(data)/2] ^= 1
		if err := os.WriteFile(in(name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(name string) {
		if err := os.RemoveAll(in(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		damage func()
		want   string
	}{
		{"nothing", func() {}, ""},
		{"a shard of sketches is gone", func() { remove("sketches/00001.parquet") }, "sketches/00001.parquet"},
		{"a byte of bands has changed", func() { change("bands/00002.parquet") }, "bands/00002.parquet"},
		{"an edge table was not finished", func() { remove("done/edges-00003.parquet.json") }, "edges/00003.parquet"},
		{"a marker was cut", func() {
			if err := os.Truncate(in("done/bands-00000.parquet.json"), 20); err != nil {
				t.Fatal(err)
			}
		}, "bands/00000.parquet"},
		{"a foreign file", func() {
			if err := os.WriteFile(in("clusters/more.parquet"), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}, "clusters"},
	} {
		c.damage()
		got := outputsMade(e.deduplicate(0, shards...))
		if c.want == "clusters" { // the engine may write its rows in another order, and then more is made
			if len(got) == 0 || got[0] != "clusters" {
				t.Errorf("%s: made %v", c.name, got)
			}
		} else if strings.Join(got, " ") != c.want {
			t.Errorf("%s: made %q, want %q", c.name, got, c.want)
		}
		e.checkEqual()
	}
	for _, other := range []string{"--threshold=0.7", "--sketch=--family kperm", "--bucket-cap=100"} {
		flag, _, _ := strings.Cut(strings.TrimPrefix(other, "--"), "=")
		if said := e.deduplicate(2, append(shards, other)...); !strings.Contains(said, "was begun with other parameters: "+strings.ReplaceAll(flag, "-", "_")) {
			t.Errorf("%s: %s", other, said)
		}
	}
	if err := os.WriteFile(filepath.Join(e.dir, shards[0]), []byte("{\"id\": 1}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if said := e.deduplicate(2, shards...); !strings.Contains(said, "corpus") {
		t.Errorf("a shard of another size: %s", said)
	}
	remove("parameters.json")
	remove("done")
	if said := e.deduplicate(7, shards...); !strings.Contains(said, "shard0.jsonl") {
		t.Errorf("a bad shard: %s", said)
	}
}

// A corpus without near-duplicates, or without a document, ends in a manifest too.
func TestPeerDuckDBNothingAlike(t *testing.T) {
	for name, text := range map[string]string{
		"different": `{"id": "a", "text": "one two three four five six"}` + "\n" + `{"id": "b", "text": "seven eight nine ten eleven twelve"}` + "\n",
		"none":      "",
	} {
		t.Run(name, func(t *testing.T) {
			e := newDuckDB(t)
			for name, data := range map[string]string{"a.jsonl": text, "empty.jsonl": ""} {
				if err := os.WriteFile(filepath.Join(e.dir, name), []byte(data), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			e.deduplicate(0, "--sketch=--family oph --input jsonl", "empty.jsonl", "a.jsonl")
			got := e.integers("row", "kept_row", e.glob("work/manifest/*.parquet")...)
			if len(got) != strings.Count(text, "\n") {
				t.Errorf("rows %v", got)
			}
			for _, row := range got {
				if row[0] != row[1] {
					t.Errorf("row %d is kept as %d", row[0], row[1])
				}
			}
		})
	}
}
