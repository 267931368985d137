// SPDX-License-Identifier: Apache-2.0

package msh

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
)

// tool returns the path of a program, or skips aloud.
func tool(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("SKIPPED: no %s on PATH to compare with", name)
	}
	return path
}

func run(t testing.TB, stdin, name string, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// rewritten reads each golden file of Mash 2.3 and writes it again. It returns
// the pairs of paths, ours and theirs.
func rewritten(t *testing.T) [][2]string {
	golden := shared.Path(t, "golden", "genomics", "expected", "mash")
	files, err := filepath.Glob(filepath.Join(golden, "*.msh"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	dir := t.TempDir()
	var pairs [][2]string
	for _, theirs := range files {
		data, err := os.ReadFile(theirs)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(data, theirs)
		if err != nil {
			t.Error(err)
			continue
		}
		var buf bytes.Buffer
		if err := Write(&buf, f); err != nil {
			t.Fatal(err)
		}
		ours := filepath.Join(dir, filepath.Base(theirs))
		if err := os.WriteFile(ours, buf.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, [2]string{ours, theirs})
	}
	return pairs
}

// TestMashReadsGoldensWrittenAgain asks Mash whether our copies of its files
// still say the same, and whether it finds no distance between the two.
func TestMashReadsGoldensWrittenAgain(t *testing.T) {
	mash := tool(t, "mash")
	for _, pair := range rewritten(t) {
		ours, theirs := pair[0], pair[1]
		want := run(t, "", mash, "info", "-d", theirs)
		if got := run(t, "", mash, "info", "-d", ours); got != want {
			t.Errorf("%s: mash info -d differs:\n%.2000s\nwant\n%.2000s", theirs, got, want)
		}
		if got := run(t, "", mash, "dist", ours, theirs); strings.Count(got, "\t0\t") == 0 {
			t.Errorf("%s: no distance is 0 between the file and itself:\n%s", theirs, got)
		}
	}
}

// compare reads lines of two paths and tells for each whether they hold the
// same sketches, in the list that readers of any age look at.
const compare = `
import sys
sys.path.insert(0, sys.argv[1])
import check_interop
for line in sys.stdin:
    a, b = line.rstrip("\n").split("\t")
    try:
        check_interop.cmp_msh(a, b)
        print("ok")
    except Exception as e:
        print(repr(e))
`

func TestGoldensWrittenAgainByTheChecker(t *testing.T) {
	tool(t, "mash")
	tool(t, "capnp")
	python := tool(t, "python3")
	checker := filepath.Dir(shared.Path(t, "golden", "check_interop.py"))
	pairs := rewritten(t)
	var lines strings.Builder
	for _, pair := range pairs {
		fmt.Fprintf(&lines, "%s\t%s\n", pair[0], pair[1])
	}
	verdicts := strings.Fields(run(t, lines.String(), python, "-c", compare, checker))
	if len(verdicts) != len(pairs) {
		t.Fatalf("%d words for %d pairs: %s", len(verdicts), len(pairs), verdicts)
	}
	for i, v := range verdicts {
		if v != "ok" {
			t.Errorf("%s: %s", pairs[i], v)
		}
	}
}

// TestMashReadsManySegments writes as for more than 4 GiB, in segments with
// far pointers between them.
func TestMashReadsManySegments(t *testing.T) {
	mash := tool(t, "mash")
	p := dna(21, 300)
	var items []sketch.Item
	for i := range 50 {
		hashes := make([]uint64, 300)
		for j := range hashes {
			hashes[j] = uint64(i + 1000*j)
		}
		items = append(items, item(t, p, sketch.Meta{ID: fmt.Sprint("g", i), Comment: "c", Length: 5}, hashes, nil))
	}
	list, err := sketch.NewList(p, items)
	if err != nil {
		t.Fatal(err)
	}
	var dumps []string
	for _, largest := range []uint64{maxSingleSegment, 0} {
		msg, err := message(list, largest)
		if err != nil {
			t.Fatal(err)
		}
		if many := msg.NumSegments() > 5; many != (largest == 0) {
			t.Fatalf("%d segments", msg.NumSegments())
		}
		data, err := msg.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "many.msh")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		dumps = append(dumps, run(t, "", mash, "info", "-d", path))
	}
	if dumps[0] != dumps[1] || strings.Count(dumps[0], `"name"`) != 50 {
		t.Error("mash reads other sketches from many segments than from one")
	}
}
