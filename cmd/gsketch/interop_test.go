// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
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
const stages = "sketch,compare,search"

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
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) { imitate(t, c, root, out) })
	}
	check := exec.Command(python, filepath.Join(root, "..", "check_interop.py"), "all", out, root, "--stage", stages)
	report, err := check.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, report)
	}
	t.Logf("%d commands; %s", len(cases), report)
}

// imitate runs a peer's command as ours, in the directory of the inputs, with
// outputs in out instead of the golden set.
func imitate(t *testing.T, c peerCase, root, out string) {
	if archive, ok := strings.CutPrefix(c.command, "sourmash sig manifest ../expected/sourmash/"); ok {
		// Every archive that we write has its manifest in it.
		name, _, _ := strings.Cut(archive, " ")
		data := members(t, filepath.Join(out, name))["SOURMASH-MANIFEST.csv"]
		if err := os.WriteFile(filepath.Join(out, filepath.Base(c.expected[0])), data, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	commands, err := translate(c.command)
	if err != nil {
		t.Fatalf("%s: %v", c.command, err)
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
			t.Errorf("%s\ngsketch %s: %v\n%s", c.command, strings.Join(inv.args, " "), err, &stderr)
		}
		if inv.stdout {
			if err := os.WriteFile(filepath.Join(out, filepath.Base(c.expected[0])), stdout.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
