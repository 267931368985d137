// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const testdata = "../../testdata"

// A goldenCase is a row of testdata/golden.tsv: a command of a peer, the
// command of ours that must do the same, and the file that the peer made.
type goldenCase struct{ name, peer, gsketch, golden, agree string }

func goldenCases(t *testing.T) []goldenCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, "golden.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var cases []goldenCase
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 5 {
			t.Fatalf("golden.tsv: %d columns in %q", len(f), line)
		}
		cases = append(cases, goldenCase{f[0], f[1], f[2], f[3], f[4]})
	}
	return cases
}

// agreements say how a file of ours must agree with a peer's.
var agreements = map[string]func(t *testing.T, ours, golden string){
	"bytes":      sameBytes,
	"lines":      sameLines,
	"json":       sameJSON,
	"msh":        sameMsh,
	"msh-counts": sameMshAndCounts,
	"sig":        sameSignatures,
	"csv":        sameCSV,
	"npy":        sameNpy,
}

// TestGolden runs our command of each row and compares what it makes with what
// the peer made. See testdata/README.md.
func TestGolden(t *testing.T) {
	for _, c := range goldenCases(t) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			run(t, "gsketch "+c.gsketch, dir)
			compare, ok := agreements[c.agree]
			if !ok {
				t.Fatalf("golden.tsv: no agreement %q", c.agree)
			}
			compare(t, filepath.Join(dir, filepath.Base(c.golden)), filepath.Join(testdata, c.golden))
		})
	}
}

// run has the shell run a command line in testdata/inputs, and returns what it
// prints. $OUT is dir.
func run(t *testing.T, command, dir string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = filepath.Join(testdata, "inputs")
	cmd.Env = append(os.Environ(), "OUT="+dir)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", command, err, &stderr)
	}
	return stdout.String()
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func sameBytes(t *testing.T, ours, golden string) {
	if a, b := readFile(t, ours), readFile(t, golden); !bytes.Equal(a, b) {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
}

// sameLines: a peer gives them in no order.
func sameLines(t *testing.T, ours, golden string) {
	sorted := func(path string) []string { return slices.Sorted(strings.Lines(string(readFile(t, path)))) }
	if a, b := sorted(ours), sorted(golden); !slices.Equal(a, b) {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
}

// sameMsh: mash info -d, which is committed beside each .msh of Mash, tells all
// that Mash reads in a file but counts. Of our file, and of Mash's as we read
// it, we must tell the same.
func sameMsh(t *testing.T, ours, golden string) {
	// Mash does not escape the carriage returns that it keeps in comments.
	dump := bytes.ReplaceAll(readFile(t, strings.TrimSuffix(golden, ".msh")+".json"), []byte("\r"), []byte(`\r`))
	want := decode[any](t, dump)
	for _, path := range []string{ours, golden} {
		got := run(t, "gsketch info --format mash-dump '"+absolute(t, path)+"'", "")
		if !reflect.DeepEqual(decode[any](t, []byte(got)), want) {
			t.Errorf("%s differs from what Mash made: got\n%.600s", path, got)
		}
	}
}

// sameJSON compares values, not white space. Whole numbers stay whole: hashes
// have 64 bits.
func sameJSON(t *testing.T, ours, golden string) {
	if a, b := decode[any](t, readFile(t, ours)), decode[any](t, readFile(t, golden)); !reflect.DeepEqual(a, b) {
		t.Errorf("got\n%v\nwant\n%v", a, b)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// sameMshAndCounts compares counts as multisets, from mash info -c: Mash stores
// them in no order, and counts its largest hash too low.
func sameMshAndCounts(t *testing.T, ours, golden string) {
	sameMsh(t, ours, golden)
	a := counts(t, run(t, "gsketch info --format mash-counts '"+absolute(t, ours)+"'", ""))
	b := counts(t, string(readFile(t, strings.TrimSuffix(golden, ".msh")+".counts.txt")))
	if len(a) == 0 || len(a) != len(b) {
		t.Fatalf("%d counts, want %d", len(a), len(b))
	}
	more, fewer := without(a, b), without(b, a)
	if len(more) > 1 || len(more) == 1 && more[0] < fewer[0] {
		t.Errorf("counts that only we have: %v; that only Mash has: %v", more, fewer)
	}
}

// counts lists the counts of a histogram as mash info -c prints it: sketch,
// count, frequency.
func counts(t *testing.T, histogram string) []int {
	t.Helper()
	var all []int
	lines := strings.Split(strings.TrimSpace(histogram), "\n")
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		count, err1 := strconv.Atoi(f[1])
		frequency, err2 := strconv.Atoi(f[len(f)-1])
		if err1 != nil || err2 != nil {
			t.Fatalf("no count and frequency in %q", line)
		}
		all = append(all, slices.Repeat([]int{count}, frequency)...)
	}
	return all
}

// without is the multiset a less b.
func without(a, b []int) []int {
	b = slices.Clone(b)
	var left []int
	for _, v := range a {
		if i := slices.Index(b, v); i >= 0 {
			b = slices.Delete(b, i, i+1)
		} else {
			left = append(left, v)
		}
	}
	return left
}

// relativeError is how far values of sourmash may be off: its logarithms and
// powers are those of another mathematical library.
const relativeError = 1e-9

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= relativeError*max(math.Abs(a), math.Abs(b))
}

func sameCSV(t *testing.T, ours, golden string) {
	a, b := readCSV(t, ours), readCSV(t, golden)
	if len(a) != len(b) {
		t.Fatalf("%d lines, want %d", len(a), len(b))
	}
	for i := range b {
		for j := range b[i] {
			if j >= len(a[i]) || !sameField(a[i][j], b[i][j]) {
				t.Errorf("line %d: got %q, want %q", i+1, a[i], b[i])
				break
			}
		}
	}
}

func readCSV(t *testing.T, path string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(readFile(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func sameField(a, b string) bool {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return a == b || err1 == nil && err2 == nil && near(x, y)
}

func sameNpy(t *testing.T, ours, golden string) {
	a, b := readNpy(t, ours), readNpy(t, golden)
	if len(a) != len(b) {
		t.Fatalf("%d values, want %d", len(a), len(b))
	}
	for i := range b {
		if !near(a[i], b[i]) {
			t.Errorf("value %d: %v, want %v", i, a[i], b[i])
		}
	}
	sameBytes(t, ours+".labels.txt", golden+".labels.txt")
}
