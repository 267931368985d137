// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/browser"
	"github.com/gsketch/gsketch/lab"
)

// The site is whole: every link leads to a page of it, and the laboratory is
// one file of at most 4 MB.
func TestSite(t *testing.T) {
	out := t.TempDir()
	if err := build("../..", out); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(out, "*.html"))
	if err != nil || len(pages) < 10 {
		t.Fatal(err, pages)
	}
	for _, p := range pages {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(p) == "lab.html" {
			if len(text) > 4e6 {
				t.Errorf("the laboratory has %d bytes", len(text))
			}
			continue
		}
		if strings.Contains(string(text), "<del>") {
			t.Errorf("%s: ~ struck words out", filepath.Base(p))
		}
		for _, m := range regexp.MustCompile(`(?:href|src)="([^":#]+)["#]`).FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(out, m[1])); err != nil {
				t.Errorf("%s: %v", filepath.Base(p), err)
			}
		}
	}
	t.Run("laboratory", func(t *testing.T) { tryLaboratory(t, filepath.Join(out, "lab.html")) })
}

// tryLaboratory opens the page from the disk: its numbers are those of package
// lab, the sliders change them, and the console stays silent.
func tryLaboratory(t *testing.T, path string) {
	p := browser.Open(t)
	p.Go("file://" + path)
	p.Wait(`!document.getElementById("laboratory").hidden`)
	check := func(s lab.Settings) {
		t.Helper()
		x, err := lab.Run(s)
		if err != nil {
			t.Fatal(err)
		}
		var shown string
		p.Eval(&shown, `return document.getElementById("numbers").innerText`)
		for _, want := range []float64{x.Near.Jaccard, x.Near.Probability, x.Background.Jaccard, float64(x.BackgroundPairs)} {
			found := false
			for _, word := range strings.Fields(shown) {
				if v, err := strconv.ParseFloat(word, 64); err == nil && math.Abs(v-want) <= 1e-5*math.Abs(want) {
					found = true
				}
			}
			if !found {
				t.Errorf("%v is not in\n%s", want, shown)
			}
		}
		var same, rows int
		p.Eval(&same, `return document.querySelectorAll("#near i.same").length`)
		p.Eval(&rows, `return document.querySelectorAll("#near i").length`)
		if same != x.Near.MatchingRows || rows != s.Bands*s.Rows {
			t.Errorf("%d of %d rows are marked, want %d of %d", same, rows, x.Near.MatchingRows, s.Bands*s.Rows)
		}
		var badge string
		p.Eval(&badge, `return document.getElementById("badge").textContent`)
		if badge != "all 11 contracts hold" {
			t.Errorf("badge: %s", badge)
		}
	}
	s := lab.Defaults()
	check(s)
	s.Drift, s.Bands, s.Rows, s.Documents = 0.05, 12, 3, 5000
	for name, v := range map[string]any{"drift": s.Drift, "bands": s.Bands, "rows": s.Rows, "documents": s.Documents} {
		p.Eval(nil, `const i = document.querySelector("input[name=" + arguments[0] + "]"); i.value = arguments[1]; i.dispatchEvent(new Event("input"))`, name, v)
	}
	check(s)

	// The explorer: what each way to cut the rows finds.
	c, err := lab.NewClassroom()
	if err != nil {
		t.Fatal(err)
	}
	for i, cut := range c.Cuts {
		var pairs [][]string
		p.Eval(&pairs, `document.querySelectorAll("button.cut")[arguments[0]].click();
			return [...document.querySelectorAll("#pairs tr")].slice(1).map(r => [...r.cells].map(c => c.textContent))`, i)
		for j, m := range cut.Meet {
			want := "no"
			if len(m) > 0 {
				var names []string
				for _, band := range m {
					names = append(names, fmt.Sprint(band+1))
				}
				want = strings.Join(names, ", ")
			}
			if pairs[j][3] != want {
				t.Errorf("%dx%d: %v, want %s", cut.Bands, cut.Rows, pairs[j], want)
			}
		}
	}
	var answer string
	p.Eval(&answer, `return gsketchLab('{"bands": 0}')`)
	var refused struct{ Error string }
	if err := json.Unmarshal([]byte(answer), &refused); err != nil || refused.Error == "" {
		t.Errorf("no bands: %s", answer)
	}
	if lines := p.Console(); len(lines) > 0 {
		t.Errorf("on the console: %v", lines)
	}
}
