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

// helpLine is a line of a peer's help that begins with a flag, up to where its
// description begins.
var (
	helpLine = regexp.MustCompile(`(?m)^ {1,4}(-.*?)(?:  |$)`)
	flagName = regexp.MustCompile(`(?:^|[ ,])(--?[A-Za-z][A-Za-z0-9-]*)`)
)

// TestMigrationIsComplete asks the peers for their flags. Each must stand in
// docs/migration.md, in the section of its command or of many commands, under
// one of its names.
func TestMigrationIsComplete(t *testing.T) {
	sections := map[string]string{}
	for _, part := range strings.Split(string(readFile(t, "../../docs/migration.md")), "\n### ")[1:] {
		title, text, _ := strings.Cut(part, "\n")
		sections[title] = text
	}
	sourmash := filepath.Join(filepath.Dir(os.Getenv("SOURMASH_PYTHON")), "sourmash")
	for _, peer := range []struct {
		tool, program, help string
		commands            []string
		common              string
	}{
		{"mash", "mash", "-h", []string{"bounds", "dist", "info", "paste", "screen", "sketch", "taxscreen", "triangle"}, "`-h`"},
		{"sourmash", sourmash, "--help", []string{"sketch dna", "sketch protein", "sketch translate", "sketch fromfile", "compute", "compare",
			"search", "prefetch", "gather", "multigather", "index", "plot", "info",
			"tax metagenome", "tax genome", "tax annotate", "tax prepare", "tax summarize", "tax grep",
			"sig cat", "sig check", "sig collect", "sig describe", "sig downsample", "sig export", "sig extract", "sig fileinfo", "sig filter", "sig flatten", "sig grep",
			"sig inflate", "sig ingest", "sig intersect", "sig kmers", "sig manifest", "sig merge", "sig overlap", "sig rename", "sig split", "sig subtract"}, sections["Flags of many commands"] + "`-h` `-q`"},
	} {
		for _, command := range peer.commands {
			title := peer.tool + " " + command
			t.Run(title, func(t *testing.T) {
				if _, err := exec.LookPath(peer.program); err != nil || peer.program == "sourmash" {
					t.Skipf("SKIPPED: no %s to ask (make interop)", peer.tool)
				}
				if strings.HasPrefix(command, "sig ") {
					title = "sourmash sig" // one table of all
					if !strings.Contains(sections[title], "`"+command) && !strings.Contains(sections[title], "`"+command+"`") {
						t.Errorf("docs/migration.md does not speak of %s", command)
					}
				}
				section, ok := sections[title]
				if !ok {
					t.Fatalf("docs/migration.md has no section %q", title)
				}
				help, _ := exec.Command(peer.program, append(strings.Fields(command), peer.help)...).CombinedOutput() // mash exits 1
				lines := helpLine.FindAllStringSubmatch(string(help), -1)
				if len(lines) < 2 {
					t.Fatalf("no flags in the help:\n%s", help)
				}
				for _, line := range lines {
					if !named(section+peer.common, line[1]) {
						t.Errorf("%s: docs/migration.md does not say what becomes of %s", title, line[1])
					}
				}
			})
		}
	}
}

// named reports whether a text names one of the flags of a line of help.
func named(text, line string) bool {
	names := flagName.FindAllStringSubmatch(line, -1)
	for _, name := range names {
		if regexp.MustCompile("[`/]" + regexp.QuoteMeta(name[1]) + "[`/ ]").MatchString(text) {
			return true
		}
	}
	return len(names) == 0
}
