// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/browser"
)

// The report of dedup, opened from a disk: nothing on the console, though names
// and texts are markup; the manifest is that of the TSV and sorts; what is
// marked is what both texts have.
func TestDedupReportInBrowser(t *testing.T) {
	p := browser.Open(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	docs := `{"id": "<img src=x onerror=alert(1)>", "text": "before <script>alert(2)</script> one two three four five six seven eight nine ten", "lang": "<b>en"}
{"id": "b", "text": "other </pre><script>alert(2)</script> one two three four five six seven eight nine ten end", "lang": "de"}
{"id": "c", "text": "Other </pre><script>alert(2)</script> one two three four five six seven eight nine ten", "lang": "de"}
{"id": "d", "text": "something that is like none of the others at all", "lang": "de"}
`
	if err := os.WriteFile(at("corpus.jsonl"), []byte(docs), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), "gsketch", "dedup", "-q", "-T", "0.4", "--bands", "64", "--rows", "1", "--group-by", "lang", "-o", at("out"), at("corpus.jsonl"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.Go("file://" + at("out/report.html"))
	tables := func() (all [][][]string) {
		p.Eval(&all, `return [...document.querySelectorAll("table")].map(t => [...t.rows].filter(r => !r.hidden).map(r => [...r.cells].map(c => c.textContent)))`)
		return all
	}
	want := slices.DeleteFunc(readTSV(t, at("out/manifest.tsv")), func(r []string) bool { return r[10] == "unique" })
	all := tables()
	if got := all[len(all)-1]; fmt.Sprint(got) != fmt.Sprint(want) || len(got) != 4 {
		t.Errorf("the page has\n%v\nthe TSV\n%v", got, want)
	}
	if got := fmt.Sprint(all[1]); got != "[[lang documents removed removal_rate] [de 3 2 0.6666666666666666] [<b>en 1 0 0]]" {
		t.Errorf("groups: %s", got)
	}
	var sorted []string
	p.Eval(&sorted, `const t = [...document.querySelectorAll("table")].at(-1), c = arguments[0];
		t.querySelectorAll("th button")[c].click(); t.querySelectorAll("th button")[c].click();
		return [...t.tBodies[0].rows].map(r => r.cells[c].textContent)`, 6)
	similarities := []string{want[1][6], want[2][6], want[3][6]}
	slices.SortFunc(similarities, func(a, b string) int { // NA last, then from the largest
		return strings.Compare(strings.ReplaceAll(b, "NA", "-"), strings.ReplaceAll(a, "NA", "-"))
	})
	if !slices.Equal(sorted, similarities) {
		t.Errorf("sorted by similarity: %v, want %v", sorted, similarities)
	}
	var sides [][]string // of each pair: left, its marks, right, its marks
	p.Eval(&sides, `return [...document.querySelectorAll(".compared")].map(c => [...c.querySelectorAll("pre")].flatMap(e =>
		[e.textContent, [...e.querySelectorAll("mark")].map(m => m.textContent).join("|")]))`)
	if len(sides) != 2 {
		t.Fatalf("%d pairs side by side: %v", len(sides), sides)
	}
	for _, s := range sides {
		if !strings.Contains(docs, s[0]) || !strings.Contains(docs, s[2]) {
			t.Errorf("texts are not those of the corpus: %q", s)
		}
		if !strings.EqualFold(s[1], s[3]) || !strings.Contains(s[1], "one two three four five six seven eight nine ten") {
			t.Errorf("marked are %q and %q", s[1], s[3])
		}
	}
	if out := clipped(p); len(out) > 0 {
		t.Errorf("labels leave the figure: %q", out)
	}
	if lines := p.Console(); len(lines) > 0 {
		t.Errorf("on the console: %v", lines)
	}
}
