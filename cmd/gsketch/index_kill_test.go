// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// gsketchOutput runs gsketch, which must succeed.
func gsketchOutput(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command("gsketch", args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v: %s", args, err, errs.String())
	}
	return out.String()
}

// copyDir replaces a directory by a copy of another one; of none if from is
// empty.
func copyDir(t *testing.T, to, from string) {
	t.Helper()
	if err := os.RemoveAll(to); err != nil {
		t.Fatal(err)
	}
	if from == "" {
		return
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// Whenever a writer of an index is killed, the index is the old or the new one,
// passes the check, and the next writer leaves no other files in it.
func TestIndexKilledWhileWriting(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for i, name := range []string{"one.parquet", "two.parquet"} {
		gsketchOutput(t, "sketch", "-q", "--per-record", "--scaled", "20", "-o", at(name), manyGenomes(t, 150+150*i))
	}
	gsketchOutput(t, "index", "build", "-q", at("old"), at("one.parquet"))
	gsketchOutput(t, "index", "add", "-q", at("old"), at("two.parquet"))
	gsketchOutput(t, "index", "remove", "-q", at("old"), "r7", "r8")
	search := func(db string) string {
		return gsketchOutput(t, "search", "-r", db, "--threshold", "0", at("one.parquet"))
	}
	runs := max(3, *kills/4) // each of them is several commands
	r := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		name, from string // the state before; none for build
		args       []string
	}{
		{"build", "", []string{"build", "-q", "--memory", "200k", "DB", at("two.parquet")}},
		{"add", at("old"), []string{"add", "-q", "--memory", "200k", "DB", at("two.parquet")}},
		{"remove", at("old"), []string{"remove", "-q", "DB", "r1", "r9"}},
		{"compact", at("old"), []string{"compact", "-q", "DB"}},
	} {
		db := at("db-" + c.name)
		args := append([]string{"index"}, c.args...)
		for i := range args {
			if args[i] == "DB" {
				args[i] = db
			}
		}
		before := ""
		if copyDir(t, db, c.from); c.from != "" {
			before = search(db)
		}
		begin := time.Now()
		gsketchOutput(t, args...)
		took := time.Since(begin)
		after := search(db)
		killed, old := 0, 0
		for range runs {
			copyDir(t, db, c.from)
			cmd := exec.Command("gsketch", args...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(r.Float64() * 1.1 * float64(took)))
			_ = cmd.Process.Kill()
			if cmd.Wait() != nil {
				killed++
			}
			if _, err := os.Stat(filepath.Join(db, "MANIFEST")); err != nil {
				if c.from != "" {
					t.Fatalf("%s: the index is gone", c.name)
				}
				old++ // there was none and there is none
				gsketchOutput(t, args...)
			} else {
				gsketchOutput(t, "index", "check", db)
				switch got := search(db); got {
				case after:
				case before:
					old++
				default:
					t.Fatalf("%s: neither the old nor the new answers", c.name)
				}
				gsketchOutput(t, "index", "remove", "-q", db, "r3")
			}
			nothingLeft(t, db)
		}
		t.Logf("%s: %d of %d killed, %d with the old state", c.name, killed, runs, old)
	}
}

// nothingLeft checks that the files of an index are those that its manifest
// names.
func nothingLeft(t *testing.T, db string) {
	t.Helper()
	manifest, err := os.ReadFile(filepath.Join(db, "MANIFEST"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{"MANIFEST": true, "LOCK": true}
	for _, m := range regexp.MustCompile(`"name": "(\d+)"`).FindAllSubmatch(manifest, -1) {
		named[string(m[1])+".sketches"], named[string(m[1])+".postings"] = true, true
	}
	entries, err := os.ReadDir(db)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !named[e.Name()] {
			t.Errorf("%s is left behind", e.Name())
		}
	}
	if len(entries) != len(named) {
		t.Errorf("%d files, the manifest names %d", len(entries), len(named))
	}
}
