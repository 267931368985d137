// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// firstUse is what gsketch alone says: the commands that matter.
const firstUse = `gsketch %s: small sketches of large sets

  gsketch dist genomes/*.fa                      how far apart are these genomes
  gsketch contain -r viruses.fa reads.fastq.gz   which of these genomes are in this sample
  gsketch sketch genomes/*.fa                    sketch once (sketches.parquet), compare often
  gsketch search -r sketches.parquet query.fa    what in a collection is nearest
  gsketch dedup -o deduplicated corpus.jsonl     near-duplicates among documents

All commands: gsketch --help. One command: gsketch dist --help.
`

func showFirstUse(w io.Writer) error {
	_, err := fmt.Fprintf(w, firstUse, version)
	return err
}

// The groups of gsketch --help.
var groups = []struct {
	id, title string
	commands  []string
}{
	{"main", "Sketch and compare:", []string{"sketch", "dist", "contain", "gather", "search", "cluster", "dedup"}},
	{"files", "Files and collections:", []string{"info", "convert", "set", "index", "serve"}},
	{"more", "Choose and show:", []string{"calibrate", "plot", "tax"}},
}

// arrange sorts the commands of the help into groups.
func arrange(root *cobra.Command) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, name := range g.commands {
			if cmd, _, err := root.Find([]string{name}); err == nil && cmd != root {
				cmd.GroupID = g.id
			}
		}
	}
	for _, cmd := range root.Commands() {
		if cmd.HasSubCommands() && !cmd.Runnable() {
			cmd.Args = noSuchCommand
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	root.InitDefaultHelpCmd()
	if help, _, err := root.Find([]string{"help"}); err == nil {
		help.Example = "  gsketch help dist\n  gsketch help index build"
		help.Args = func(help *cobra.Command, args []string) error {
			cmd, left, err := root.Find(args)
			if err == nil && cmd.HasSubCommands() {
				err = noSuchCommand(cmd, left)
			}
			return err
		}
	}
}

// noSuchCommand names the commands that look like one that is mistyped.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "; " + cmd.CommandPath() + " --help lists all"
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	path := strings.TrimPrefix(cmd.CommandPath()+" "+args[0], cmd.Root().Name()+" ")
	return usagef("there is no command %q%s", path, hint)
}

// plainUsage says what is missing and how the command is called, of the errors
// of cobra that have no type.
func plainUsage(cmd *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if names, ok := strings.CutPrefix(text, "required flag(s) "); ok {
		names = strings.TrimSuffix(names, " not set")
		return usagef("missing: --%s (see %s --help)", strings.ReplaceAll(strings.ReplaceAll(names, `", "`, ", --"), `"`, ""), cmd.CommandPath())
	}
	if strings.Contains(text, " arg(s), ") || strings.HasPrefix(text, "unknown command") {
		return usagef("called as %s (see %s --help)", cmd.UseLine(), cmd.CommandPath())
	}
	return err
}

// noSuchFlag adds to an error about flags the one that looks like what was
// typed, and says of a value what is wrong with it.
func noSuchFlag(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var number *strconv.NumError
	if errors.As(err, &value) && errors.As(err, &number) {
		what := "not a number"
		if number.Err == strconv.ErrRange {
			what = "too large or too small"
		} else if number.Func != "ParseFloat" {
			what = "not a whole number"
		}
		return usagef("--%s %s: %s (see %s --help)", value.GetFlag().Name, value.GetValue(), what, cmd.CommandPath())
	}
	hint := ""
	if _, typed, ok := strings.Cut(err.Error(), "unknown flag: --"); ok {
		best := 3 // more than two letters off is another word
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if d := edits(typed, f.Name); d < best {
				best, hint = d, "; did you mean --"+f.Name+"?"
			}
		})
	}
	if _, typed, ok := strings.Cut(err.Error(), " in -"); ok {
		if _, none := os.Stat("-" + typed); none == nil {
			hint = "; of the file write ./-" + typed
		}
	}
	return usagef("%v%s (see %s --help)", err, hint, cmd.CommandPath())
}

// edits is the distance of Levenshtein 1966: letters added, dropped, replaced.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := corner
			if a[i] != b[j] {
				d++
			}
			corner = row[j+1]
			row[j+1] = min(d, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}
