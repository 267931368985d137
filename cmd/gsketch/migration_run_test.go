// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var codeSpan = regexp.MustCompile("`([^`]+)`")

// migrationRows calls yield for every line of docs/migration.md that says what is
// ours: of a table the right cell, with the command that the section is about.
func migrationRows(t *testing.T, yield func(section, command, text string)) {
	t.Helper()
	for _, part := range strings.Split(string(readFile(t, "../../docs/migration.md")), "\n### ")[1:] {
		section, text, _ := strings.Cut(part, "\n")
		command := ""
		for _, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(line, "## datasketch") {
				break
			}
			if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| ") && len(cells) > 1 {
				line = strings.Join(cells[1:], " | ")
			}
			for _, span := range codeSpan.FindAllStringSubmatch(line, -1) {
				if command == "" && strings.HasPrefix(span[1], "gsketch ") {
					command = span[1]
				}
			}
			yield(section, command, line)
		}
	}
}

// TestMigrationFlags: every command and flag of ours that docs/migration.md names
// is there.
func TestMigrationFlags(t *testing.T) {
	checked := 0
	migrationRows(t, func(section, command, text string) {
		if strings.HasPrefix(text, "no") || strings.HasPrefix(text, "always") {
			return
		}
		for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
			words := strings.Fields(span[1])
			switch {
			case words[0] == "gsketch":
				command = span[1]
			case !strings.HasPrefix(words[0], "-"):
				continue
			case section == "Flags of many commands":
				continue // of each command that has them
			}
			root := newRoot()
			cmd, _, err := root.Find(strings.Fields(command)[1:])
			if err != nil || cmd == root && !strings.HasPrefix(command, "gsketch --") {
				t.Errorf("%s: no command %q", section, command)
				continue
			}
			for _, w := range words {
				if name, _, _ := strings.Cut(strings.TrimRight(w, ",;"), "="); flagName.MatchString(" "+name) && strings.HasPrefix(name, "-") && !hasFlag(cmd, name) {
					t.Errorf("%s: %s has no flag %s: %q", section, cmd.CommandPath(), name, text)
				}
				checked++
			}
		}
	})
	if checked < 100 {
		t.Errorf("%d words checked", checked)
	}
}

func hasFlag(cmd *cobra.Command, name string) bool {
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	_ = cmd.InheritedFlags() // adds those of the root
	if long, ok := strings.CutPrefix(name, "--"); ok {
		return cmd.Flags().Lookup(long) != nil || cmd.InheritedFlags().Lookup(long) != nil
	}
	short := strings.TrimPrefix(name, "-")
	return cmd.Flags().ShorthandLookup(short) != nil || cmd.InheritedFlags().ShorthandLookup(short) != nil
}

// migrationWords stand for the words in capitals of docs/migration.md.
var migrationWords = strings.NewReplacer(
	"protein -o X.zip FILE...", "protein -o x.zip proteins.faa", "--translate -o X.zip FILE...", "--translate -o x.zip lambda.fa",
	"X.msh FILE...", "x.msh lambda.fa", "X.zip FILE...", "x.zip lambda.fa", "--format mash-triangle FILE...", "--format mash-triangle genomes.msh",
	"QUERY... -r REF", "lambda.fa -r genomes.msh", "--from-csv FILE.csv", "--from-csv samples.csv", "old.msh", "genomes.msh", "new.parquet", "new.parquet",
	"IN... -o OUT.msh", "genomes.msh -o out.msh", "-r REFS.msh", "-r genomes.msh", "MIXTURE...", "reads.fq", "POOL...", "reads.fq", "DIR POOL", "taxdump reads.fq",
	"--ncbi DIR", "--ncbi taxdump --map taxids.txt", "--output-dir DIR", "--output-dir gathered", "-r DB QUERY...", "--threshold-bp 0 -r genomes.sig lambda.sig",
	"-r DB QUERY", "-r genomes.sig lambda.sig", "DB FILE...", "newdb genomes.sig", "A B -o OUT.csv", "genomes.sig lambda.sig -o out.csv", "A B -o OUT", "genomes.sig lambda.sig -o out.sig", "-o X.csv A B...", "-o x.csv genomes.sig lambda.sig",
	"-o X.npy A B...", "-o x.npy genomes.sig lambda.sig", "overlap --format sourmash A B", "overlap --format sourmash mix.sig lambda.sig",
	"LINEAGES.csv", "lineages.csv", "GATHER.csv", "gather.csv", "TABLE.csv", "gather.csv", "A.csv", "lineages.csv", "B.csv", "taxdump/more.csv", "ALL.csv", "all.csv",
	"PATTERN -o PICKLIST.csv", "Iflavirus -o picklist.csv", "X.zip -o DIR/", "named.sig -o directory/", "FILE --name NAME", "lambda.sig --name new -o renamed.sig",
	"SEQUENCES SKETCHES", "lambda.fa lambda.sig", "RESULT.csv::search", "found.csv::search genomes.sig -o taken.sig", "X.parquet -o X.lean", "documents.parquet -o x.lean",
	"downsample --scaled N", "downsample --scaled 1000 genomes.sig -o d.sig", "filter -m N -M N", "filter -m 1 -M 9 reads.sig -o fil.sig",
	"info --include PATTERN", "info --include lambda genomes.sig", "extract --include PATTERN", "extract --include lambda genomes.sig -o in.sig",
	"set split -o DIR/", "set split -o parts/ genomes.sig", "figure.svg FILE...", "figure.svg genomes.sig", "FIGURE.svg FILE...", "figure.svg genomes.sig",
	"--save-matches FILE", "--save-matches matches.sig", "--picklist LIST", "--picklist found.csv::search genomes.sig",
	"--format mash FILE", "--format mash genomes.msh", "-o FILE", "-o out.tsv",
)

// migrationMore is what commands of which the page says the beginning alone need.
var migrationMore = map[string]string{
	"gsketch set merge": "genomes.sig -o m.sig", "gsketch set intersect": "lambda.sig mix.sig -o i.sig", "gsketch set subtract": "lambda.sig mix.sig -o s.sig",
	"gsketch set flatten": "reads.sig -o f.sig", "gsketch set inflate": "reads.sig lambda.sig -o n.sig",
	"gsketch set extract": "genomes.sig -o e.sig", "gsketch info": "genomes.sig", "gsketch convert": "genomes.msh -o c.sig",
	"gsketch info --format manifest": "genomes.sig -o manifest.csv", "gsketch dist --format matrix": "genomes.sig", "gsketch calibrate bounds --format mash": "",
	"gsketch sketch --reads": "reads.fq -o r.msh", "gsketch sketch --reads -": "-o r.msh <reads.fq", "gsketch set extract --md5": "a genomes.sig -o md5.sig",
	"gsketch set cat": "genomes.sig -o cat.sig", "gsketch set rename": "lambda.sig --name n -o r.sig", "gsketch index add": "db more.parquet",
}

// TestMigrationRuns runs every command line of ours in docs/migration.md on files
// that the words in capitals stand for.
func TestMigrationRuns(t *testing.T) {
	if underRace {
		t.Skip("SKIPPED under the race detector: the scripts run the same commands")
	}
	fixture := exampleDir(t)
	if err := os.WriteFile(filepath.Join(fixture, "proteins.faa"), readFile(t, filepath.Join(testdata, "inputs", "proteins.faa")), 0o666); err != nil {
		t.Fatal(err)
	}
	shell(t, fixture, "cp genomes/lambda.fa . && gsketch search -q --format sourmash -o found.csv -r genomes.sig lambda.sig && "+
		"printf 'name,genome_filename\\nL,lambda.fa\\n' >samples.csv")
	seen := map[string]bool{}
	migrationRows(t, func(section, _, text string) {
		for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
			line := span[1]
			if !strings.HasPrefix(line, "gsketch ") || seen[line] {
				continue
			}
			seen[line] = true
			if more, ok := migrationMore[line]; ok {
				line += " " + more
			}
			line = migrationWords.Replace(line)
			t.Run(span[1], func(t *testing.T) {
				t.Parallel()
				if capitals.MatchString(line) {
					t.Fatalf("%s: nothing stands for a word in %q", section, line)
				}
				dir := t.TempDir()
				if err := os.CopyFS(dir, os.DirFS(fixture)); err != nil {
					t.Fatal(err)
				}
				shell(t, dir, line)
			})
		}
	})
	if len(seen) < 30 {
		t.Errorf("%d command lines", len(seen))
	}
}

var capitals = regexp.MustCompile(`(?:^|[ =])[A-Z]{2,}|\.\.\.| N( |$)`)
