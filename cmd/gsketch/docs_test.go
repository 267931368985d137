// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateFigures = flag.Bool("update-figures", false, "write docs/figures as the pages make them, after a change that one has looked at")

var (
	// consoleBlocks are sessions: lines that begin with "$ " are commands, the
	// others what they print.
	consoleBlocks = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	figureLinks   = regexp.MustCompile(`\]\(figures/([^)]+)\)`)
)

// pages are README.md and those of docs/.
func pages(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatal("no docs", err)
	}
	return append(docs, "../../README.md")
}

// TestDocsLinks: what pages link to is there.
func TestDocsLinks(t *testing.T) {
	for _, page := range pages(t) {
		for _, link := range regexp.MustCompile(`\]\(([^):#]+)[^):]*\)`).FindAllStringSubmatch(string(readFile(t, page)), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// TestDocsCommands: what looks like a command of gsketch in a block of a page
// is one of a session, so that TestDocs runs it. The long runs of benchmarks.md
// and scale.md are the exception.
func TestDocsCommands(t *testing.T) {
	blocks := regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	command := regexp.MustCompile(`(?m)^(\$ )?gsketch [a-z]`)
	for _, page := range pages(t) {
		if slices.Contains([]string{"benchmarks.md", "scale.md"}, filepath.Base(page)) {
			continue
		}
		for _, block := range blocks.FindAllStringSubmatch(string(readFile(t, page)), -1) {
			if block[1] != "console" && command.MatchString(block[2]) {
				t.Errorf("%s: commands that no test runs:\n%s", page, block[2])
			}
		}
	}
}

// TestDocs runs the sessions of each page in one shell, in a directory that
// looks like the repository. Each command must succeed and print what stands
// below it, where a line "..." stands for any lines; and figures of the page
// that a session makes must be those of docs/figures.
func TestDocs(t *testing.T) {
	if underRace {
		t.Skip("SKIPPED under the race detector: the scripts run the same commands")
	}
	ran := 0
	for _, page := range pages(t) {
		text := string(readFile(t, page))
		blocks := consoleBlocks.FindAllStringSubmatch(text, -1)
		if len(blocks) == 0 {
			continue
		}
		var session []example
		for _, block := range blocks {
			for _, e := range strings.Split("\n"+block[1], "\n$ ")[1:] {
				command, want, _ := strings.Cut(strings.TrimSuffix(e, "\n"), "\n")
				session = append(session, example{command, want})
			}
		}
		ran += len(session)
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			runSession(t, text, session)
		})
	}
	if ran < 20 {
		t.Errorf("only %d commands found", ran)
	}
}

type example struct{ command, want string }

func runSession(t *testing.T, page string, session []example) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "testdata", "genomes"), os.DirFS(filepath.Join(testdata, "genomes"))); err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Abs("../../bench-data")
	if err != nil {
		t.Fatal(err)
	}
	for _, used := range regexp.MustCompile(`bench-data/(genomes|reads|texts)/?([\w.-]*)`).FindAllStringSubmatch(page, -1) {
		if found, _ := filepath.Glob(filepath.Join(data, used[1], used[2]+"*")); len(found) == 0 {
			t.Skipf("SKIPPED: no %s (make bench-data)", used[0])
		}
	}
	for _, program := range []string{"curl", "redis-server"} {
		if _, err := exec.LookPath(program); err != nil && strings.Contains(page, "\n$ "+program+" ") {
			t.Skipf("SKIPPED: no %s", program)
		}
	}
	if err := os.Symlink(data, filepath.Join(dir, "bench-data")); err != nil {
		t.Fatal(err)
	}
	const mark = "\x01end\x01"
	var script bytes.Buffer
	for _, e := range session {
		fmt.Fprintf(&script, "%s\necho '%s'$?\n", e.command, mark)
	}
	script.WriteString("pwd\n")
	shell := exec.Command("sh")
	shell.Dir, shell.Stdin = dir, &script
	var messages bytes.Buffer
	shell.Stderr = &messages
	out, err := shell.Output()
	if err != nil {
		t.Fatal(err)
	}
	rest := string(out)
	for _, e := range session {
		printed, after, found := strings.Cut(rest, mark)
		status, after, _ := strings.Cut(after, "\n")
		if rest = after; !found || status != "0" {
			t.Fatalf("%s: exit status %q\n%s", e.command, status, messages.Bytes())
		}
		if got := strings.TrimSuffix(printed, "\n"); !elided(strings.Split(got, "\n"), strings.Split(e.want, "\n")) {
			t.Errorf("%s prints\n%s\nthe page says\n%s", e.command, got, e.want)
		}
	}
	compareFigures(t, page, strings.TrimSpace(rest))
}

// elided reports whether lines are as wanted; "..." is any number of them.
func elided(got, want []string) bool {
	i := slices.Index(want, "...")
	if i < 0 {
		return slices.Equal(got, want)
	}
	if len(got) < i || !slices.Equal(got[:i], want[:i]) {
		return false
	}
	for ; i <= len(got); i++ {
		if elided(got[i:], want[slices.Index(want, "...")+1:]) {
			return true
		}
	}
	return false
}

// compareFigures compares what a session left in dir with the figures that its
// page shows.
func compareFigures(t *testing.T, page, dir string) {
	for _, link := range figureLinks.FindAllStringSubmatch(page, -1) {
		made, err := os.ReadFile(filepath.Join(dir, link[1]))
		if err != nil {
			t.Errorf("no command of the page makes the figure: %v", err)
			continue
		}
		shown := filepath.Join("../../docs/figures", link[1])
		if *updateFigures {
			if err := os.WriteFile(shown, made, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(made, readFile(t, shown)) {
			t.Errorf("%s is not what the page's command makes (go test -run TestDocs -update-figures ./cmd/gsketch, then look)", shown)
		}
	}
}
