// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/browser"
)

// readTSV reads a table with its header.
func readTSV(t *testing.T, path string) [][]string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for l := range strings.Lines(string(b)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(l, "\n"), "\t"))
	}
	return rows
}

// shown is the table of a page as a reader sees it.
func shown(p *browser.Page) (rows [][]string) {
	p.Eval(&rows, `return [...document.querySelectorAll("table tr")].filter(r => !r.hidden).map(r => [...r.cells].map(c => c.textContent))`)
	return rows
}

// Pages are opened from a disk in a real browser: nothing is reported on the
// console, the table has the values of the TSV, sorts and searches; resting on
// the heat map tells the value of the pair; no label leaves its figure.
func TestPagesInBrowser(t *testing.T) {
	p := browser.Open(t)
	dir := t.TempDir()
	inputs, err := filepath.Glob("../../testdata/inputs/[bfhn]*.fa")
	if err != nil || len(inputs) < 4 {
		t.Fatal(err, inputs)
	}
	// Two inputs have names that are markup.
	evil := filepath.Join(dir, "<img src=x onerror=alert(1)>&.fa")
	b, err := os.ReadFile("../../testdata/inputs/near.fa")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(evil, b, 0o666); err != nil {
		t.Fatal(err)
	}
	inputs = append(inputs, evil)
	run := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(context.Background(), "gsketch", args...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	// The kind of a labelled pair is markup.
	for name, text := range map[string]string{
		"corpus.jsonl": `{"id":"1","text":"of sketches and of sets and a word"}` + "\n" + `{"id":"2","text":"of sketches and of sets and a word more"}` + "\n" + `{"id":"3","text":"else"}` + "\n",
		"labels.tsv":   "a\tb\tlabel\tstratum\n1\t2\tsame\t<img src=x onerror=alert(1)>\n1\t3\tdifferent\tother\n",
	} {
		if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		args []string
		sort string // a column of numbers
	}{
		{"dist", append([]string{"dist", "-q", "--html", at("dist.html"), "-o", at("dist.tsv")}, inputs...), "distance"},
		{"contain", append([]string{"contain", "-q", "--scaled", "1", "-r", inputs[0], "--html", at("contain.html"), "-o", at("contain.tsv")}, inputs...), "containment"},
		{"calibrate", []string{"calibrate", "-q", "--shingle", "words=2", "--labels", at("labels.tsv"), "--html", at("calibrate.html"), "-o", at("calibrate.tsv"), at("corpus.jsonl")}, "bands"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(c.args...)
			want := readTSV(t, at(c.name+".tsv"))
			p.Go("file://" + at(c.name+".html"))
			if got := shown(p); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("the page has\n%v\nthe TSV\n%v", got, want)
			}
			column := -1
			for i, name := range want[0] {
				if name == c.sort {
					column = i
				}
			}
			for _, order := range []string{"ascending", "descending"} {
				var sorted bool
				p.Eval(&sorted, `const th = document.querySelectorAll("th")[arguments[0]];
					th.querySelector("button").click();
					const v = [...document.querySelectorAll("tbody tr")].map(r => Number(r.cells[arguments[0]].textContent));
					const up = arguments[1] === "ascending";
					return th.getAttribute("aria-sort") === arguments[1] && v.length > 1 && v[0] !== v[v.length-1] && v.every((x, i) => i === 0 || (up ? v[i-1] <= x : v[i-1] >= x))`, column, order)
				if !sorted {
					t.Errorf("%s is not sorted %s: %v", c.sort, order, shown(p))
				}
			}
			p.Eval(nil, `const i = document.querySelector("input[type=search]"); i.value = arguments[0]; i.dispatchEvent(new Event("input"))`, "ONERROR")
			found := 0
			for _, r := range want[1:] {
				if strings.Contains(strings.Join(r, "\t"), "onerror") {
					found++
				}
			}
			if got := shown(p); len(got) != 1+found || found == 0 {
				t.Errorf("the search shows %d rows, want %d", len(got)-1, found)
			}
			if lines := p.Console(); len(lines) > 0 {
				t.Errorf("on the console: %v", lines)
			}
		})
	}
	t.Run("heat map", func(t *testing.T) {
		p.Go("file://" + at("dist.html"))
		if out := clipped(p); len(out) > 0 {
			t.Errorf("labels leave the figure: %q", out)
		}
		// The values of all cells, by resting on the middle of each.
		var cells []string
		p.Eval(&cells, `const img = document.querySelector("image"), n = arguments[0], all = [];
			for (let y = 0; y < n; y++) for (let x = 0; x < n; x++) {
				const r = img.getBoundingClientRect();
				img.dispatchEvent(new PointerEvent("pointermove", {clientX: r.left + (x + .5) * r.width / n, clientY: r.top + (y + .5) * r.height / n}));
				all.push(document.querySelector("figure output").textContent);
			}
			return all`, len(inputs))
		said := map[string]bool{}
		for _, c := range cells {
			said[c] = true
		}
		for _, r := range readTSV(t, at("dist.tsv"))[1:] {
			v, err := strconv.ParseFloat(r[3], 64)
			if err != nil {
				t.Fatal(err)
			}
			d := strconv.FormatFloat(v, 'g', 6, 64)
			if !said[r[0]+" × "+r[1]+": Mash distance "+d] {
				t.Errorf("%s and %s: no cell says %s", r[0], r[1], d)
			}
		}
	})
	t.Run("figures", func(t *testing.T) {
		for _, kind := range []string{"heatmap", "tree", "mds", "histogram", "clusters", "scurve"} {
			args := []string{"plot", "-q", "--kind", kind, "-o", at(kind + ".svg")}
			if kind != "scurve" {
				args = append(args, inputs...)
			}
			run(args...)
			p.Go("file://" + at(kind+".svg"))
			if out := clipped(p); len(out) > 0 {
				t.Errorf("%s: labels leave the figure: %q", kind, out)
			}
		}
	})
}

// clipped are the texts of the figure that are not wholly inside, as the
// browser measures them.
func clipped(p *browser.Page) (texts []string) {
	p.Eval(&texts, `const svg = document.querySelector("svg"), f = svg.getBoundingClientRect();
		const all = [...svg.querySelectorAll("text")];
		if (all.length === 0) return ["no text at all"];
		return all.filter(t => { const r = t.getBoundingClientRect(); return r.left < f.left - 1 || r.top < f.top - 1 || r.right > f.right + 1 || r.bottom > f.bottom + 1 }).map(t => t.textContent)`)
	return texts
}
