// SPDX-License-Identifier: Apache-2.0

package sig_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/formats/sig"
	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
)

// sourmashPython returns a Python that can import sourmash, or skips aloud.
func sourmashPython(t testing.TB) string {
	t.Helper()
	python := os.Getenv("SOURMASH_PYTHON")
	if python == "" {
		t.Skip("SKIPPED: SOURMASH_PYTHON names no Python with sourmash to compare with")
	}
	return python
}

// goldens are the files that sourmash 4.9 wrote.
func goldens(t testing.TB) []string {
	t.Helper()
	root := shared.Path(t, "golden", "genomics", "expected", "sourmash")
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		if strings.HasSuffix(name, ".sig") || strings.HasSuffix(name, ".sig.gz") ||
			strings.HasSuffix(name, ".zip") && !strings.HasSuffix(name, ".sbt.zip") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 80 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

type writer interface {
	Add(sketch.Item) error
	Close() error
}

// rewrite writes items at path, in the format that its end asks for.
func rewrite(t testing.TB, path string, items []sketch.Item) {
	t.Helper()
	var buf bytes.Buffer
	var w writer
	switch {
	case strings.HasSuffix(path, ".sig"):
		w = sig.NewWriter(&buf)
	case strings.HasSuffix(path, ".sig.gz"):
		w = sig.NewGzipWriter(&buf)
	case strings.HasSuffix(path, ".zip"):
		w = sig.NewZipWriter(&buf)
	default:
		d, err := sig.NewDirWriter(path)
		if err != nil {
			t.Fatal(err)
		}
		w = d
	}
	for _, item := range items {
		if err := w.Add(item); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if buf.Len() > 0 {
		if err := os.WriteFile(path, buf.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// compare reads lines of two paths and tells for each whether sourmash finds
// the same sketches in both. One process for all: importing sourmash takes a
// second.
const compare = `
import sys, os
sys.path.insert(0, sys.argv[1])
import check_interop
for line in sys.stdin:
    a, b = line.rstrip("\n").split("\t")
    try:
        check_interop.cmp_sig(a, b)
        print("ok")
    except Exception as e:
        print(repr(e))
`

// TestGoldensThroughReadAndWrite reads each file of sourmash, writes it again
// and asks sourmash whether it still holds the same.
func TestGoldensThroughReadAndWrite(t *testing.T) {
	python := sourmashPython(t)
	checker := filepath.Dir(shared.Path(t, "golden", "check_interop.py"))
	var pairs []string
	for i, theirs := range goldens(t) {
		items, err := sig.ReadPath(theirs, func(line string) { t.Errorf("unexpected warning: %s", line) })
		if err != nil {
			t.Error(err)
			continue
		}
		names := []string{"ours.sig", "ours.zip"}
		if i%10 == 0 {
			names = append(names, "ours.sig.gz", "ours/")
		}
		for _, name := range names {
			if name == "ours.zip" && len(items) == 0 {
				continue // the checker wants a row in the manifest
			}
			ours := filepath.Join(t.TempDir(), name)
			rewrite(t, ours, items)
			pairs = append(pairs, ours+"\t"+theirs)
		}
	}
	cmd := exec.Command(python, "-c", compare, checker)
	cmd.Stdin = strings.NewReader(strings.Join(pairs, "\n") + "\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	verdicts := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(verdicts) != len(pairs) {
		t.Fatalf("%d verdicts for %d pairs:\n%s", len(verdicts), len(pairs), out)
	}
	for i, v := range verdicts {
		if v != "ok" {
			t.Errorf("%s: %s", pairs[i], v)
		}
	}
}
