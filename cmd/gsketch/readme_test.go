// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// consoleBlocks are the examples of a Markdown text: lines that begin with "$ "
// are commands, the others what they print.
var consoleBlocks = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")

// TestReadmeLinks: what README.md links to is there.
func TestReadmeLinks(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(string(readFile(t, "../../README.md")), -1)
	if len(links) == 0 {
		t.Error("no links found in README.md")
	}
	for _, link := range links {
		if _, err := os.Stat(filepath.Join("../..", link[1])); err != nil {
			t.Error(err)
		}
	}
}

// TestReadme runs the commands of README.md on testdata/genomes; each must
// print what stands below it.
func TestReadme(t *testing.T) {
	dir := t.TempDir()
	genomes, err := filepath.Glob(filepath.Join(testdata, "genomes", "*.fa"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range genomes {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), readFile(t, path), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	commands := 0
	for _, block := range consoleBlocks.FindAllStringSubmatch(string(readFile(t, "../../README.md")), -1) {
		for _, example := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(strings.TrimSuffix(example, "\n"), "\n")
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir = dir
			got, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v", command, err)
			}
			if strings.TrimSuffix(string(got), "\n") != want {
				t.Errorf("%s prints\n%s\nREADME.md says\n%s", command, got, want)
			}
			commands++
		}
	}
	if commands < 4 {
		t.Errorf("only %d commands found in README.md", commands)
	}
}
