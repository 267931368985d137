// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// exampleFiles makes what the examples of the help speak of.
const exampleFiles = `
gsketch sketch -q genomes/*.fa
gsketch sketch -q -o genomes.msh genomes/*.fa
gsketch sketch -q -p k=21,scaled=100 -o genomes.sig genomes/*.fa
gsketch sketch -q -p k=21,scaled=100 -o lambda.sig genomes/lambda.fa
gsketch sketch -q -p k=21,scaled=100 --merge mix -o mix.sig genomes/*.fa
gsketch sketch -q -p k=21,scaled=100,abund -o reads.sig reads.fq
cp genomes/dwv.fa old.fa
printf '>p1\nMKVLAAGIVGLCAKPEWYHDNQRST\n' >proteins.faa
cp genomes/vdv1.fa new.fa
gsketch sketch -q -o more.parquet new.fa
gsketch index build -q db sketches.parquet old.fa
printf '{"id":"1","text":"of sketches and sets"}\n{"id":"2","text":"of sets and sketches"}\n' >posts.jsonl
cp posts.jsonl corpus.jsonl
printf 'a\tb\tlabel\n1\t2\tsame\n' >labelled.tsv
gsketch sketch -q -o documents.parquet posts.jsonl
gsketch index build -q near documents.parquet
gsketch sketch -q -p k=21,scaled=100 --name-from-first -o named.sig genomes/*.fa
gsketch gather -q --format sourmash --threshold-bp 0 -o gather.csv -r named.sig mix.sig
cp taxdump/lineages.csv .
sed 's,\.\./genomes,genomes,' taxdump/taxids.txt >taxids.txt
printf 'user,item\n1,a\n1,b\n2,b\n' >bought.csv
`

// exampleDir is a directory with those files.
func exampleDir(t *testing.T) string {
	t.Helper()
	fixture := t.TempDir()
	if err := os.CopyFS(filepath.Join(fixture, "genomes"), os.DirFS(filepath.Join(testdata, "genomes"))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(fixture, "reads.fq"), readFile(t, filepath.Join(testdata, "inputs", "reads.fq")), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(fixture, "taxdump"), os.DirFS(filepath.Join(testdata, "tax"))); err != nil {
		t.Fatal(err)
	}
	shell(t, fixture, "set -e"+exampleFiles)
	return fixture
}

// TestExamples: the help of every command ends with at least two examples, and
// they run.
func TestExamples(t *testing.T) {
	fixture := exampleDir(t)
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
		if cmd.Example == "" && (cmd.HasSubCommands() || cmd.Hidden) {
			return
		}
		if cmd.Parent() != nil && cmd.Parent().Name() == "dedup" {
			return // each step needs what the one before wrote: a script runs them in a row
		}
		t.Run(cmd.CommandPath(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(fixture)); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(cmd.Example), "\n")
			if len(lines) < 2 {
				t.Errorf("%d examples", len(lines))
			}
			for _, line := range lines {
				if strings.HasPrefix(strings.TrimSpace(line), "gsketch index build") {
					shell(t, dir, "rm -rf db near") // an index is not made twice
				}
				command := strings.Replace(strings.TrimSpace(line), "gsketch ", "gsketch --force ", 1)
				if cmd.Name() == "serve" { // which ends when it is told to
					command += " --listen 127.0.0.1:0 & sleep 1; kill $!; wait $!"
				}
				shell(t, dir, command)
			}
		})
	}
	visit(newRoot())
}

func shell(t *testing.T, dir, command string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
}
