// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
)

// A peerCase is a row of the larger golden set: what a peer was told to do, and
// the files that it made.
type peerCase struct {
	id, command string
	expected    []string
}

// stages are those parts of the golden set whose commands gsketch has.
const stages = "sketch,compare,search,parity"

// unanswered are cases of which gsketch has no counterpart yet.
var unanswered = strings.Fields(`
	s_check_bad s_check_lower
	s_sig_export s_sig_ingest s_sig_fileinfo s_sig_kmers`)

// peerCases reads the rows of the stages in which we must be equal.
func peerCases(t *testing.T, root string) []peerCase {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(readFile(t, filepath.Join(root, "cases.tsv")))), "\n")
	column := map[string]int{}
	for i, name := range strings.Split(lines[0], "\t") {
		column[name] = i
	}
	var cases []peerCase
	for _, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if strings.Contains(stages, f[column["stage"]]) && f[column["rule"]] == "equal" {
			cases = append(cases, peerCase{f[column["case_id"]], f[column["peer_command(cwd=inputs)"]],
				strings.Split(f[column["expected_files"]], ";")})
		}
	}
	return cases
}

// TestInterop has gsketch do what the peers were told to do to make the larger
// golden set, translated word by word, and then lets the peers read what it has
// made: check_interop.py compares all files through mash and sourmash.
func TestInterop(t *testing.T) {
	python := os.Getenv("SOURMASH_PYTHON")
	if python == "" {
		t.Skip("SKIPPED: SOURMASH_PYTHON names no Python with sourmash (make interop sets it)")
	}
	for _, tool := range []string{"mash", "capnp"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: no %s to compare with (make peers)", tool)
		}
	}
	root := shared.Path(t, "golden", "genomics")
	out := t.TempDir()
	cases := peerCases(t, root)
	if len(cases) == 0 {
		t.Fatal("no case of these stages")
	}
	done := 0
	for _, c := range cases {
		if slices.Contains(unanswered, c.id) {
			if err := imitate(t, c, root, t.TempDir()); err == nil {
				t.Errorf("%s is called unanswered, and %s is answered", c.id, c.command)
			}
			continue
		}
		done++
		t.Run(c.id, func(t *testing.T) {
			if err := imitate(t, c, root, out); err != nil {
				t.Error(err)
			}
		})
	}
	check := exec.Command(python, filepath.Join(root, "..", "check_interop.py"), "all", out, answered(t, root), "--stage", stages)
	report, err := check.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, report)
	}
	t.Logf("%d commands; %s", done, report)
}

// answered is a copy of the golden set without the rows that are unanswered.
func answered(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	var rows []string
	for _, row := range strings.SplitAfter(string(readFile(t, filepath.Join(root, "cases.tsv"))), "\n") {
		if id, _, _ := strings.Cut(row, "\t"); !slices.Contains(unanswered, id) {
			rows = append(rows, row)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "cases.tsv"), []byte(strings.Join(rows, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "expected"), filepath.Join(dir, "expected")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// imitate runs a peer's command as ours, in the directory of the inputs, with
// outputs in out instead of the golden set.
func imitate(t *testing.T, c peerCase, root, out string) error {
	if archive, ok := strings.CutPrefix(c.command, "sourmash sig manifest ../expected/sourmash/"); ok {
		// Every archive that we write has its manifest in it.
		name, _, _ := strings.Cut(archive, " ")
		data := members(t, filepath.Join(out, name))["SOURMASH-MANIFEST.csv"]
		if err := os.WriteFile(filepath.Join(out, filepath.Base(c.expected[0])), data, 0o666); err != nil {
			t.Fatal(err)
		}
		return nil
	}
	commands, err := translate(c.command)
	if err != nil {
		return fmt.Errorf("%s: %w", c.command, err)
	}
	inputs := filepath.Join(root, "inputs")
	for _, inv := range commands {
		for i, word := range inv.args {
			if i > 0 && (inv.args[i-1] == "-o" || inv.args[i-1] == "--output-dir" || strings.HasPrefix(inv.args[i-1], "--save-")) {
				inv.args[i] = filepath.Join(out, filepath.Base(word))
				if strings.HasSuffix(word, "/") {
					inv.args[i] += "/"
				}
			}
		}
		cmd := exec.Command("gsketch", inv.args...)
		cmd.Dir = inputs
		if inv.stdin != "" {
			f, err := os.Open(filepath.Join(inputs, inv.stdin))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			cmd.Stdin = f
		}
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s\ngsketch %s: %w\n%s", c.command, strings.Join(inv.args, " "), err, &stderr)
		}
		if inv.stdout {
			name := filepath.Base(c.expected[0])
			if err := os.WriteFile(filepath.Join(out, name), stdout.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, ".stdout.txt") { // which the check passes over
				sameBytes(t, filepath.Join(out, name), filepath.Join(root, c.expected[0]))
			}
		}
	}
	return nil
}
