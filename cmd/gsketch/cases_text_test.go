// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A textBench is a bench of a fault in text, with the values that are right.
type textBench struct {
	bench
	want map[string]any
}

func newTextBench(t *testing.T, number string) textBench {
	t.Helper()
	b := textBench{bench: textFaults(t, number)}
	b.expected(&b.want)
	return b
}

// records reads the lines of the case's input.
func records[T any](b textBench) (all []T) {
	b.Helper()
	for line := range bytes.Lines(readFile(b.T, filepath.Join(b.dir, "input.jsonl"))) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var r T
		if err := json.Unmarshal(line, &r); err != nil {
			b.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func (b textBench) write(name, text string) {
	b.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
}

// sets writes the records of ids and tokens as sets, a line each, and that of a
// query into a file of its own.
func (b textBench) sets() {
	b.Helper()
	var lines strings.Builder
	for _, r := range records[struct {
		ID            string
		Tokens, Query []string
	}](b) {
		if r.Query != nil {
			b.write("query.txt", "query "+strings.Join(r.Query, " ")+"\n")
			continue
		}
		fmt.Fprintf(&lines, "%s %s\n", r.ID, strings.Join(r.Tokens, " "))
	}
	b.write("sets.txt", lines.String())
}

// pairs sketches the input and returns a column of dist, by "i,j" of the ids
// t<i> and t<j>, without what is undefined.
func (b textBench) pairs(column string, flags ...string) map[string]float64 {
	b.Helper()
	b.run(0, append([]string{"sketch", "-q", "--force", "-o", "case.parquet", "input.jsonl"}, flags...)...)
	out, _ := b.run(0, "dist", "case.parquet")
	got := map[string]float64{}
	for _, r := range table(out) {
		if v, err := strconv.ParseFloat(r[column], 64); err == nil {
			got[r["reference"][1:]+","+r["query"][1:]] = v
		}
	}
	return got
}

// exact are flags under which the Jaccard index is no estimate.
var exact = []string{"--family", "fracminhash", "--scaled", "1"}

// wantPairs checks the Jaccard index of the pairs given.
func (b textBench) wantPairs(want map[string]any, flags ...string) {
	b.Helper()
	got := b.pairs("jaccard", append(flags, exact...)...)
	for pair, w := range want {
		if j, ok := got[pair]; !ok || math.Abs(j-w.(float64)) > 5e-7 {
			b.Errorf("%v: J of %s is %v, want %v", flags, pair, j, w)
		}
	}
}

// TestTextFaults runs gsketch on what users of other tools reported, where its
// files are at hand.
func TestTextFaults(t *testing.T) {
	t.Run("01 what is below a threshold is not reported", func(t *testing.T) {
		b := newTextBench(t, "01")
		b.sets()
		b.run(0, append([]string{"sketch", "-q", "-o", "s.parquet", "--input", "set", "--sets", "id-members", "sets.txt"}, exact...)...)
		out, _ := b.run(0, "dist", "--format", "edges", "--min-similarity", "0.5", "s.parquet")
		if out != "query\treference\tjaccard\n" {
			t.Errorf("pairs above 0.5:\n%s", out)
		}
		out, _ = b.run(0, "dist", "--min-similarity", "0.1", "s.parquet")
		for _, r := range table(out) {
			if r["jaccard"] != "0.4" || r["query"][1:] != r["reference"][1:] {
				t.Errorf("J of %s and %s is %s, want 0.4", r["query"], r["reference"], r["jaccard"])
			}
		}
		if n := len(table(out)); n != 60 {
			t.Errorf("%d pairs, want 60", n)
		}
	})
	t.Run("04 empty documents are named and like none", func(t *testing.T) {
		b := newTextBench(t, "04")
		for key, recipe := range map[string]string{"no_shingles_word5": "words=5", "no_shingles_char5": "chars=5"} {
			_, stderr := b.run(0, append([]string{"sketch", "-q", "--force", "-o", "e.parquet", "--shingle", recipe, "input.jsonl"}, exact...)...)
			want := b.want[key].([]any)
			if say := fmt.Sprintf("%d of 6 documents (t0, t1, t2, ...) have no elements", len(want)); !strings.Contains(stderr, say) {
				t.Errorf("%s: %q, want %q", recipe, stderr, say)
			}
			info, _ := b.run(0, "info", "e.parquet")
			var empty []any
			for i, r := range table(info) {
				if r["elements"] == "NA" && r["hashes"] == "0" {
					empty = append(empty, float64(i))
				}
			}
			if !slices.Equal(empty, want) {
				t.Errorf("%s: without elements %v, want %v", recipe, empty, want)
			}
			out, _ := b.run(0, "dist", "--format", "edges", "--min-similarity", "0.001", "e.parquet")
			if strings.Count(out, "\n") != 1 {
				t.Errorf("%s: similar pairs\n%s", recipe, out)
			}
		}
	})
	t.Run("11 text without spaces", func(t *testing.T) {
		b := newTextBench(t, "11")
		for key, recipe := range map[string]string{"word5_J": "words=5", "char3_J": "chars=3", "char5_J": "chars=5"} {
			b.wantPairs(b.want[key].(map[string]any), "--shingle", recipe)
		}
		_, stderr := b.run(0, "sketch", "-q", "-o", "w.parquet", "input.jsonl")
		if !strings.Contains(stderr, "5 of 5 documents (t0, t1, t2, ") || !strings.Contains(stderr, "script without spaces") {
			t.Errorf("nothing says that a sentence is one word: %q", stderr)
		}
	})
	t.Run("13 Unicode forms", func(t *testing.T) {
		b := newTextBench(t, "13")
		for form, norm := range map[string]string{"none": "0", "NFC": "1", "NFD": "1/nfd", "NFKC": "1/nfkc"} {
			b.wantPairs(b.want[form].(map[string]any)["word2_J"].(map[string]any), "--shingle", "words=2", "--norm", norm)
		}
		b.run(0, "sketch", "-q", "-o", "c.parquet", "--norm", "1", "input.jsonl")
		b.run(0, "sketch", "-q", "-o", "k.parquet", "--norm", "1/nfkc", "input.jsonl")
		if _, stderr := b.run(2, "dist", "c.parquet", "k.parquet"); !strings.Contains(stderr, "text/words=5/norm=1, text/words=5/norm=1/nfkc") {
			t.Errorf("the form is not named: %q", stderr)
		}
	})
	t.Run("14 case, white space and punctuation", func(t *testing.T) {
		b := newTextBench(t, "14")
		b.wantPairs(b.want["word5_J_lower"].(map[string]any))
		b.wantPairs(map[string]any{"4,5": b.want["word5_J_casefold_4_5"]}, "--norm", "1/fold")
		b.wantPairs(map[string]any{"0,1": b.want["char5_J_0_1"], "1,3": b.want["char5_J_1_3"]}, "--shingle", "chars=5")
	})
	t.Run("16 the same slots in every process", func(t *testing.T) {
		b := newTextBench(t, "16")
		var members []string
		for _, h := range records[struct {
			Tokens []string `json:"tokens_hex"`
		}](b)[0].Tokens {
			token, err := hex.DecodeString(h)
			if err != nil {
				t.Fatal(err)
			}
			members = append(members, string(token))
		}
		b.write("set.txt", strings.Join(members, " ")+"\n")
		b.run(0, "sketch", "-q", "-o", "s.parquet", "--input", "set", "--hash", "sha1", "-s", "16", "set.txt")
		out, _ := b.run(0, "info", "--slots", "s.parquet")
		var got []any
		for _, r := range table(out) {
			v, _ := strconv.ParseFloat(r["value"], 64)
			got = append(got, v)
		}
		if want := b.want["hashvalues"].([]any); !slices.Equal(got, want) {
			t.Errorf("slots %v, want %v", got, want)
		}
	})
	t.Run("17 sketches that do not fit are refused by name", func(t *testing.T) {
		b := newTextBench(t, "17")
		b.write("docs.jsonl", `{"id": "d", "text": "one two three four five six seven"}`+"\n")
		type made struct {
			Scheme        string
			Seed          int
			Slots         int `json:"num_perm"`
			Hash, Shingle string
		}
		make := func(name string, m made) {
			args := []string{"sketch", "-q", "--force", "-o", name, "--permutation", m.Scheme, "--seed", strconv.Itoa(m.Seed), "-s", strconv.Itoa(m.Slots), "--hash", "sha1", "docs.jsonl"}
			if m.Hash == "xxh3" {
				args = append(args, "--hash", "xxh3-64")
			}
			if m.Shingle == "char5" {
				args = append(args, "--shingle", "chars=5")
			}
			b.run(0, args...)
		}
		for _, c := range records[struct {
			A, B    made
			Differs string
		}](b) {
			make("a.parquet", c.A)
			make("b.parquet", c.B)
			_, stderr := b.run(2, "dist", "a.parquet", "-r", "b.parquet")
			field := map[string]string{"scheme": "perm=legacy", "seed": "seed=2", "num_perm": "size: 256, 128", "hash": "hash: xxh3-64", "shingle": "chars=5"}[c.Differs]
			if field == "" || !strings.Contains(stderr, field) {
				t.Errorf("%s: %q does not say %q", c.Differs, stderr, field)
			}
		}
	})
	t.Run("19 a small set in a large one", func(t *testing.T) {
		b := newTextBench(t, "19")
		decimals := func(id string, n int) string {
			for i := range n {
				id += " " + strconv.Itoa(i)
			}
			return id + "\n"
		}
		b.write("sets.txt", decimals("small", 104)+decimals("large", 20777))
		b.run(0, append([]string{"sketch", "-q", "-o", "exact.parquet", "--input", "set", "--sets", "id-members", "sets.txt"}, exact...)...)
		out, _ := b.run(0, "dist", "exact.parquet")
		row := table(out)[0]
		for column, want := range map[string]any{"jaccard": b.want["J"], "containment": b.want["containment_large_in_small"], "max_containment": b.want["containment_small_in_large"]} {
			if got, _ := strconv.ParseFloat(row[column], 64); math.Abs(got-want.(float64)) > 1e-15 {
				t.Errorf("%s is %v, want %v", column, got, want)
			}
		}
		b.run(0, "sketch", "-q", "-o", "slots.parquet", "--input", "set", "--sets", "id-members", "sets.txt")
		out, _ = b.run(0, "dist", "--ci", "slots.parquet")
		row = table(out)[0]
		low, _ := strconv.ParseFloat(row["jaccard_low"], 64)
		high, _ := strconv.ParseFloat(row["jaccard_high"], 64)
		if j := b.want["J"].(float64); !(low <= j && j <= high && high < 0.1) {
			t.Errorf("the interval of 128 slots is %g to %g, J is %g", low, high, j)
		}
	})
	t.Run("20 the nearest are ranked", func(t *testing.T) {
		b := newTextBench(t, "20")
		b.sets()
		for _, name := range []string{"query", "sets"} {
			b.run(0, append([]string{"sketch", "-q", "-o", name + ".parquet", "--input", "set", "--sets", "id-members", name + ".txt"}, exact...)...)
		}
		for key, top := range map[string]string{"top3": "3", "full_order": "100"} {
			out, _ := b.run(0, "search", "--threshold", "0", "--top", top, "-r", "sets.parquet", "query.parquet")
			var got []any
			for _, r := range table(out) {
				got = append(got, r["reference"])
			}
			if want := b.want[key].([]any); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v\n%s", key, got, want, out)
			}
		}
	})
	t.Run("23 repeats count as weights", func(t *testing.T) {
		b := newTextBench(t, "23")
		b.wantPairs(b.want["set_J"].(map[string]any), "--shingle", "tokens=1")
		got := b.pairs("weighted_jaccard", "--shingle", "tokens=1", "--family", "icws", "-s", "8192")
		want := b.want["weighted_J"].(map[string]any)
		if len(got) != len(want) {
			t.Errorf("%d pairs, want %d", len(got), len(want))
		}
		for pair, w := range want {
			i, j, _ := strings.Cut(pair, ",")
			v := w.(float64)
			if g := got[j+","+i]; math.Abs(g-v) > 5*math.Sqrt(v*(1-v)/8192) {
				t.Errorf("weighted J of %s is %g, want %g", pair, g, v)
			}
		}
		b.run(0, "sketch", "-q", "-o", "w.parquet", "--family", "icws", "input.jsonl")
		b.run(0, "sketch", "-q", "-o", "s.parquet", "--family", "kperm", "input.jsonl")
		b.run(2, "dist", "w.parquet", "s.parquet")
	})
	t.Run("28 fingerprints by their definition", func(t *testing.T) {
		b := newTextBench(t, "28")
		rows := ""
		all := records[struct {
			ID       string
			Features [][2]any
		}](b)
		for _, r := range all {
			for _, f := range r.Features {
				rows += fmt.Sprintf("%s\t%v\t%v\n", r.ID, f[0], f[1])
			}
		}
		b.write("rows.tsv", rows)
		b.run(0, "sketch", "-q", "-o", "f.parquet", "--input", "set", "--sets", "rows", "--columns", "1,2,3", "--family", "simhash", "--abundance", "--hash", "sha1", "rows.tsv")
		out, _ := b.run(0, "info", "--slots", "f.parquet")
		got := map[string]uint64{}
		for _, r := range table(out) {
			bit, _ := strconv.Atoi(r["slot"])
			value, _ := strconv.ParseUint(r["value"], 10, 1)
			got[r["name"]] |= value << bit
		}
		if len(got) != len(all)-1 { // a set without features has no row
			t.Errorf("fingerprints of %v", slices.Sorted(maps.Keys(got)))
		}
		for i, want := range b.want["simhash64"].([]any) {
			if g := strconv.FormatUint(got[all[i].ID], 10); g != want {
				t.Errorf("%s: %s, want %s", all[i].ID, g, want)
			}
		}
	})
	t.Run("29 code points and bytes", func(t *testing.T) {
		b := newTextBench(t, "29")
		b.wantPairs(b.want["codepoint3_J"].(map[string]any), "--shingle", "chars=3")
		b.wantPairs(b.want["byte3_J"].(map[string]any), "--shingle", "bytes=3")
	})
	t.Run("35 repeated names", func(t *testing.T) {
		b := newTextBench(t, "35")
		e := b.want["error"].(map[string]any)
		lines := e["lines"].([]any)
		_, stderr := b.run(3, "sketch", "-o", "x.parquet", "input.jsonl")
		if say := fmt.Sprintf("line %v has the name of line %v again", lines[1], lines[0]); !strings.Contains(stderr, say) || !strings.Contains(stderr, fmt.Sprintf("(%v)", e["id"])) {
			t.Errorf("%q, want %q", stderr, say)
		}
		b.run(0, "sketch", "-q", "--number-repeated", "-o", "n.parquet", "input.jsonl")
		out, _ := b.run(0, "info", "n.parquet")
		if rows := table(out); len(rows) != 3 || rows[2]["name"] != "a#2" {
			t.Errorf("%v", rows)
		}
	})
}
