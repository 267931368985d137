// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
)

// A bench is a directory with the files of one of the faults that users of such
// tools have met, in which gsketch is run.
type bench struct {
	*testing.T
	dir string
}

// faults copies the files of a case, since commands write beside them.
func faults(t *testing.T, number string) bench { return faultsOf(t, "genomics", number) }

func faultsOf(t *testing.T, kind, number string) bench {
	t.Helper()
	from, err := filepath.Glob(shared.Path(t, "cases", kind) + "/" + number + "-*")
	if err != nil || len(from) != 1 {
		t.Fatalf("case %s: %v, %v", number, from, err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(from[0])); err != nil {
		t.Fatal(err)
	}
	return bench{t, dir}
}

// run runs gsketch, wants its exit code and returns what it printed.
func (b bench) run(exit int, args ...string) (stdout, stderr string) {
	b.Helper()
	return b.pipe(exit, nil, args...)
}

func (b bench) pipe(exit int, stdin []byte, args ...string) (stdout, stderr string) {
	b.Helper()
	cmd := exec.Command("gsketch", args...)
	cmd.Dir, cmd.Stdin = b.dir, bytes.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	if got := cmd.ProcessState.ExitCode(); got != exit {
		b.Errorf("gsketch %s: exit %d, want %d\n%s", strings.Join(args, " "), got, exit, &errs)
	}
	return out.String(), errs.String()
}

// table splits a table with a header; rows are by column name.
func table(text string) (rows []map[string]string) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	for _, l := range lines[1:] {
		row := map[string]string{}
		for i, v := range strings.Split(l, "\t") {
			if i < len(names) {
				row[names[i]] = v
			} else {
				row["beyond"] = v
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// hashes sketches files with scaled = 1 and returns how many hashes each has.
func (b bench) hashes(k int, flags []string, files ...string) (counts []int) {
	b.Helper()
	out := filepath.Join(b.TempDir(), "all.sig")
	b.run(0, append(append([]string{"sketch", "-q", "-p", "k=" + strconv.Itoa(k) + ",scaled=1", "-o", out}, flags...), files...)...)
	info, _ := b.run(0, "info", out)
	for _, r := range table(info) {
		n, _ := strconv.Atoi(r["hashes"])
		counts = append(counts, n)
	}
	return counts
}

// wantHashes checks that every file has the same number of distinct 21-mers.
func (b bench) wantHashes(n int, files ...string) {
	b.Helper()
	got := b.hashes(21, nil, files...)
	if len(got) != len(files) {
		b.Fatalf("%d sketches of %d files", len(got), len(files))
	}
	for i, g := range got {
		if g != n {
			b.Errorf("%s: %d distinct 21-mers, want %d", files[i], g, n)
		}
	}
}

// wantEqual checks that files have distance 0 to a reference.
func (b bench) wantEqual(ref string, files ...string) {
	b.Helper()
	out, _ := b.run(0, append([]string{"dist", "-r", ref, "--"}, files...)...)
	for _, r := range table(out) {
		if r["distance"] != "0" || r["shared"] != r["of"] || r["shared"] == "0" {
			b.Errorf("%s to %s: %v", r["query"], ref, r)
		}
	}
}

func (b bench) contains(text string, parts ...string) {
	b.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			b.Errorf("no %q in:\n%s", p, text)
		}
	}
}

// near compares numbers to the digits that a case gives.
func (b bench) near(got string, want float64, digits int) {
	b.Helper()
	v, err := strconv.ParseFloat(got, 64)
	if err != nil || math.Abs(v-want) > math.Abs(want)*math.Pow(10, -float64(digits))+1e-12 {
		b.Errorf("%s, want %v", got, want)
	}
}

// pairs are the rows of dist by "query reference".
func (b bench) pairs(args ...string) map[string]map[string]string {
	b.Helper()
	out, _ := b.run(0, append([]string{"dist"}, args...)...)
	m := map[string]map[string]string{}
	for _, r := range table(out) {
		m[r["query"]+" "+r["reference"]] = r
		m[r["reference"]+" "+r["query"]] = r
	}
	return m
}

func TestFaultsInInput(t *testing.T) {
	t.Run("01", func(t *testing.T) {
		b := faults(t, "01")
		files := []string{"lf.fa", "crlf.fa", "crlf_nolast.fa", "mixed.fa", "cr_only.fa"}
		b.wantHashes(5960, files...)
		b.wantEqual("lf.fa", files...)
	})
	t.Run("03", func(t *testing.T) {
		b := faults(t, "03")
		b.wantHashes(1480, "tail_header.fa", "tail_header_nonl.fa")
		_, warn := b.run(0, "sketch", "-o", "o.msh", "tail_header.fa")
		b.contains(warn, "1 of 2 records have no sequence")
		_, bad := b.run(3, "sketch", "-o", "p.msh", "only_header.fa")
		b.contains(bad, "only_header.fa", "no sequence")
	})
	t.Run("06", func(t *testing.T) {
		b := faults(t, "06")
		b.wantHashes(4980, "upper.fa", "softmasked.fa", "lower.fa")
		b.wantEqual("upper.fa", "softmasked.fa", "lower.fa")
	})
	t.Run("07", func(t *testing.T) {
		b := faults(t, "07")
		b.wantHashes(3466, "amb.fa")
		_, note := b.run(0, "sketch", "-o", "o.msh", "amb.fa")
		b.contains(note, "514 of 3980 k-mers dropped")
	})
	t.Run("08", func(t *testing.T) {
		b := faults(t, "08")
		_, warn := b.run(0, "sketch", "-o", "o.msh", "rna.fa")
		b.contains(warn, "--rna", "only 14 of 2980 21-mers")
		if got := b.hashes(21, []string{"--rna"}, "rna.fa"); got[0] != 2980 {
			b.Errorf("%v", got)
		}
	})
	t.Run("09", func(t *testing.T) {
		b := faults(t, "09")
		_, bad := b.run(3, "sketch", "-o", "o.msh", "prot.faa")
		b.contains(bad, "prot.faa", "protein")
		_, note := b.run(0, "sketch", "-o", "o.msh", "dna.fa")
		if strings.Contains(note, "warning") {
			b.Error(note)
		}
	})
	t.Run("14", func(t *testing.T) {
		b := faults(t, "14")
		b.wantHashes(569, "q.fq", "same.fa")
		b.wantEqual("same.fa", "q.fq")
		_, note := b.run(0, "sketch", "-o", "o.msh", "q.fq")
		b.contains(note, "34 records, 1902 letters")
	})
	t.Run("17", func(t *testing.T) {
		b := faults(t, "17")
		b.wantHashes(640, "empty_read.fq", "same.fa")
		_, note := b.run(0, "sketch", "-o", "o.msh", "empty_read.fq")
		b.contains(note, "2 of 10 records have no sequence")
	})
	t.Run("18", func(t *testing.T) {
		b := faults(t, "18")
		for _, f := range []string{"cut_qual.fq", "cut_seq.fq"} {
			_, bad := b.run(3, "sketch", "-o", "o.msh", f)
			b.contains(bad, f, "unexpected end of file", "record")
		}
	})
	t.Run("19", func(t *testing.T) {
		b := faults(t, "19")
		b.wantHashes(1160, "blank.fa", "clean.fa")
		b.wantEqual("clean.fa", "blank.fa")
	})
	t.Run("54", func(t *testing.T) {
		b := faults(t, "54")
		if got := b.hashes(21, nil, "aligned.fa", "plain.fa", "spaced.fa"); got[0] != 1420 || got[1] != 1480 || got[2] != 1480 {
			b.Errorf("%v", got)
		}
		b.near(b.pairs("-s", "5000", "aligned.fa", "plain.fa")["aligned.fa plain.fa"]["distance"], 0.000995556, 5)
		_, warn := b.run(0, "sketch", "-o", "o.msh", "numbered.fa")
		b.contains(warn, "warning", "no nucleotide codes", "k-mers dropped")
	})
	t.Run("59", func(t *testing.T) {
		b := faults(t, "59")
		b.wantHashes(1180, "plain.fa", "bom.fa", "semicolon.fa")
	})
}

func TestFaultsInFiles(t *testing.T) {
	t.Run("10", func(t *testing.T) {
		b := faults(t, "10")
		b.wantHashes(4960, "plain.fa", "two.fa.gz", "split_in_sequence.fa.gz")
	})
	t.Run("11", func(t *testing.T) {
		b := faults(t, "11")
		b.wantHashes(8980, "plain.fa", "b.fa.gz", "b_noeof.fa.gz")
	})
	t.Run("13", func(t *testing.T) {
		b := faults(t, "13")
		b.wantHashes(2980, "zeropad.fa.gz", "garbage.fa.gz")
		_, warn := b.run(0, "sketch", "-o", "o.msh", "garbage.fa.gz")
		b.contains(warn, "garbage.fa.gz", "trailing data after gzip stream")
	})
	t.Run("31", func(t *testing.T) {
		b := faults(t, "31")
		for _, l := range []string{"list_lf.txt", "list_crlf.txt"} {
			got := b.hashes(21, []string{"-l", l})
			if len(got) != 6 {
				b.Errorf("%s: %d sketches", l, len(got))
			}
			for _, n := range got {
				if n != 480 {
					b.Errorf("%s: %v", l, got)
				}
			}
		}
		if got := b.hashes(21, []string{"-l", "list_blank.txt"}); len(got) != 2 {
			b.Errorf("list_blank.txt: %v", got)
		}
		_, bad := b.run(3, "sketch", "-l", "list_missing.txt")
		b.contains(bad, "not there.fa", "line 2")
		b.wantHashes(480, "./-", "plain.fa")
		out, _ := b.run(0, "dist", "tab\tname.fa", "plain.fa", `q"uote.fa`)
		for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
			if strings.Count(l, "\t") != 8 {
				b.Errorf("%q", l)
			}
		}
		b.run(0, "sketch", "-q", "-p", "k=21,scaled=1", "-o", "odd.sig", "a,b.fa", `q"uote.fa`)
		csv, _ := b.run(0, "dist", "--format", "sourmash", "odd.sig")
		b.contains(csv, `"a,b.fa","q""uote.fa"`)
	})
	t.Run("46", func(t *testing.T) {
		b := faults(t, "46")
		for _, f := range []string{"cut.zip", "zero.zip", "notzip.zip"} {
			_, bad := b.run(3, "search", "-r", f, "x.fa")
			b.contains(bad, f, "not a complete zip file")
			if strings.Count(bad, "\n") != 1 {
				b.Errorf("%q", bad)
			}
		}
		out, _ := b.run(0, "info", "good.zip")
		if r := table(out); len(r) != 1 || r[0]["hashes"] != "621" {
			b.Errorf("%v", r)
		}
		b.run(4, "sketch", "-o", "zero.zip", "x.fa")
	})
	t.Run("47", func(t *testing.T) {
		b := faults(t, "47")
		_, bad := b.run(3, "sketch", "-l", "list.txt", "-o", "out.msh")
		b.contains(bad, "missing.fa")
		if _, err := os.Stat(filepath.Join(b.dir, "out.msh")); err == nil {
			b.Error("an output was written")
		}
		_, note := b.run(6, "sketch", "--keep-going", "-l", "list.txt", "-o", "out.msh")
		b.contains(note, "4 sketches", "1 of 5")
	})
	t.Run("51", func(t *testing.T) {
		b := faults(t, "51")
		out, warn := b.run(0, "info", "twice.zip")
		b.contains(warn, "twice.zip", "3", "2")
		if r := table(out); len(r) != 2 || r[0]["hashes"] != "176" || r[1]["hashes"] != "202" {
			b.Errorf("%v", r)
		}
		b.run(0, "sketch", "-q", "-o", "out.zip", "x.fa")
		b.run(4, "sketch", "-q", "-o", "out.zip", "x.fa")
	})
	t.Run("58", func(t *testing.T) {
		b := faults(t, "58")
		b.wantHashes(1980, "ref.fa", "nogz_ext.fa", "plain.fa.gz", "reads.txt")
		data := readFile(t, filepath.Join(b.dir, "nogz_ext.fa"))
		b.pipe(0, data, "sketch", "-q", "-p", "k=21,scaled=1", "-o", "stdin.sig", "-")
		out, _ := b.run(0, "info", "stdin.sig")
		if r := table(out); r[0]["hashes"] != "1980" {
			b.Errorf("%v", r)
		}
	})
}

func TestFaultsInSketching(t *testing.T) {
	t.Run("20", func(t *testing.T) {
		b := faults(t, "20")
		_, warn := b.run(0, "sketch", "--per-record", "-o", "r.msh", "dup.fa")
		b.contains(warn, "name of an earlier one")
		out, _ := b.run(0, "dist", "r.msh")
		rows := table(out)
		if len(rows) != 3 || rows[0]["shared"] != "0" || rows[1]["shared"] != "780" || rows[1]["distance"] != "0" {
			b.Errorf("%v", rows)
		}
		if r := b.pairs("x/g.fa", "y/g.fa")["x/g.fa y/g.fa"]; r["distance"] != "1" || r["of"] != "1000" {
			b.Errorf("%v", r)
		}
	})
	t.Run("32", func(t *testing.T) {
		b := faults(t, "32")
		if got := b.hashes(21, []string{"--merge", "S"}, "s_R1.fq", "s_R2.fq"); got[0] != 1158 {
			b.Errorf("%v", got)
		}
		if got := b.hashes(21, []string{"--merge", "S", "--min-copies", "2"}, "s_R1.fq", "s_R2.fq"); got[0] != 920 {
			b.Errorf("%v", got)
		}
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		if _, err := w.Write(readFile(t, filepath.Join(b.dir, "s_R1.fq"))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(b.dir, "r1.gz"), z.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := b.hashes(21, []string{"--merge", "S"}, "r1.gz", "s_R2.fq"); got[0] != 1158 {
			b.Errorf("%v", got)
		}
		mixed := append(z.Bytes(), readFile(t, filepath.Join(b.dir, "s_R2.fq"))...)
		_, bad := b.pipe(3, mixed, "sketch", "-o", "mixed.msh", "-")
		b.contains(bad, "gzip")
	})
	t.Run("33", func(t *testing.T) {
		b := faults(t, "33")
		for copies, want := range map[string]int{"1": 2960, "2": 180, "5": 0} {
			if got := b.hashes(21, []string{"--min-copies", copies}, "contigs.fa"); got[0] != want {
				b.Errorf("%s copies: %v", copies, got)
			}
		}
		_, warn := b.run(0, "sketch", "--min-copies", "2", "-s", "5000", "-o", "o.msh", "contigs.fa")
		b.contains(warn, "180 of 2960")
	})
	t.Run("35", func(t *testing.T) {
		b := faults(t, "35")
		for _, c := range []struct {
			file, copies string
			want         string
		}{{"small.fa", "1", "2980"}, {"reads.fq", "2", "715"}} {
			cmd := exec.Command("gsketch", "sketch", "-q", "--force", "-s", "10000000", "--min-copies", c.copies, "-o", "o.msh", c.file)
			cmd.Dir = b.dir
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
			if kib := maxRSS(cmd); kib > 100<<10 && !underRace {
				b.Errorf("%s: %d KiB", c.file, kib)
			}
			out, _ := b.run(0, "info", "o.msh")
			if r := table(out); r[0]["hashes"] != c.want {
				b.Errorf("%s: %v", c.file, r)
			}
		}
	})
	t.Run("36", func(t *testing.T) {
		b := faults(t, "36")
		b.wantEqual("fwd.fa", "rev.fa")
		b.wantHashes(380, "fwd.fa", "rev.fa")
		b.run(0, "sketch", "-q", "-p", "k=21,scaled=1,abund", "-o", "h.sig", "hairpin.fa")
		out, _ := b.run(0, "info", "--hashes", "h.sig")
		rows := table(out)
		for _, r := range rows {
			if r["abundance"] != "2" {
				b.Errorf("%v", r)
			}
		}
		if len(rows) != 390 {
			b.Errorf("%d hashes", len(rows))
		}
		b.run(0, "sketch", "-q", "-p", "k=20,scaled=1,abund", "-o", "p.sig", "pal20.fa")
		out, _ = b.run(0, "info", "--hashes", "p.sig")
		b.contains(out, "9627202514162658760\t1\n")
		if n := len(table(out)); n != 121 {
			b.Errorf("%d hashes", n)
		}
	})
	t.Run("37", func(t *testing.T) {
		b := faults(t, "37")
		b.run(0, "sketch", "-q", "-p", "k=21,scaled=1,abund", "-o", "o.sig", "poly.fa", "tandem.fa")
		for _, f := range []string{"o.sig", "abund.sig"} {
			out, _ := b.run(0, "info", "--hashes", f)
			sums, counts := map[string]int{}, map[string]int{}
			for _, r := range table(out) {
				n, _ := strconv.Atoi(r["abundance"])
				sums[r["name"]] += n
				counts[r["name"]]++
			}
			if sums["poly.fa"] != 981 || counts["poly.fa"] != 1 || sums["tandem.fa"] != 26980 || counts["tandem.fa"] != 30 {
				b.Errorf("%s: %v %v", f, sums, counts)
			}
		}
	})
	t.Run("45", func(t *testing.T) {
		b := faults(t, "45")
		b.run(0, "sketch", "-q", "--per-record", "-o", "h.msh", "h.fa")
		out, _ := b.run(0, "info", "h.msh")
		rows := table(out)
		for i, want := range []string{"s1", "s2", "", "s4", "s5"} {
			if rows[i]["name"] != want || rows[i]["hashes"] != "280" || rows[i]["beyond"] != "" || len(rows[i]) != 10 {
				b.Errorf("record %d: %.80v", i, rows[i])
			}
		}
	})
	t.Run("49", func(t *testing.T) {
		b := faults(t, "49")
		for _, g := range []string{"5.14E+06", "5.14m", "5140000"} {
			_, note := b.run(0, "sketch", "--force", "--reads", "--genome-size", g, "-o", "o.msh", "reads.fq")
			b.contains(note, "5140000 (given)")
			out, _ := b.run(0, "info", "o.msh")
			if r := table(out); r[0]["length"] != "5140000" {
				b.Errorf("%v", r)
			}
		}
		for _, g := range []string{"5x", "-3", "0", "1e400"} {
			_, bad := b.run(2, "sketch", "--reads", "--genome-size="+g, "-o", "p.msh", "reads.fq")
			b.contains(bad, "--genome-size")
		}
	})
	t.Run("50", func(t *testing.T) {
		b := faults(t, "50")
		b.run(2, "sketch", "--per-record", "--name", "S", "-o", "o.msh", "three.fa")
	})
	t.Run("56", func(t *testing.T) {
		b := faults(t, "56")
		if got := b.hashes(21, []string{"--merge", "S"}, "R1.fq", "R2.fq"); got[0] != 700 {
			b.Errorf("%v", got)
		}
		b.run(0, "sketch", "-q", "--merge", "S", "-o", "o.parquet", "R1.fq", "R2.fq")
		out, _ := b.run(0, "info", "o.parquet")
		if r := table(out); r[0]["elements"] != "1800" || r[0]["records"] != "50" {
			b.Errorf("%v", r)
		}
	})
}

func TestFaultsInComparing(t *testing.T) {
	t.Run("22", func(t *testing.T) {
		b := faults(t, "22")
		out, _ := b.run(0, "dist", "-r", "y_s50.sig", "x_s10.sig")
		r := table(out)[0]
		b.near(r["jaccard"], 0.668024, 5)
		b.near(r["containment"], 0.790361, 5)
		if r["shared"] != "328" {
			b.Errorf("%v", r)
		}
		_, bad := b.run(2, "dist", "x_n500.sig", "y_s50.sig")
		b.contains(bad, "bottomk", "fracminhash")
	})
	t.Run("24", func(t *testing.T) {
		b := faults(t, "24")
		for _, order := range [][]string{{"x1000.msh", "y400.msh"}, {"y400.msh", "x1000.msh"}} {
			out, _ := b.run(0, "dist", "--format", "mash", "-r", order[0], order[1])
			b.contains(out, "\t0.0281797\t", "\t153/400\n")
		}
	})
	t.Run("27", func(t *testing.T) {
		b := faults(t, "27")
		for measure, want := range map[string]string{"mash": "\nx.fa\t0\t1\ny.fa\t1\t0\n", "jaccard": "\nx.fa\t1\t0\ny.fa\t0\t1\n"} {
			out, _ := b.run(0, "dist", "--format", "matrix", "--measure", measure, "x.fa", "y.fa")
			b.contains(out, want)
		}
		out, _ := b.run(0, "dist", "--format", "mash", "x.fa", "y.fa")
		b.contains(out, "x.fa\ty.fa\t1\t1\t0/1000", "x.fa\tx.fa\t0\t")
		for _, r := range b.pairs("-s", "1000000", "x.fa", "y.fa") {
			if r["distance"] != "1" || r["jaccard"] != "0" {
				b.Errorf("%v", r)
			}
		}
	})
	t.Run("28", func(t *testing.T) {
		b := faults(t, "28")
		if r := b.pairs("-k", "6", "-s", "5000", "x.fa", "y.fa")["x.fa y.fa"]; r["distance"] != "1" || r["shared"] != "1" || r["of"] != "1014" {
			b.Errorf("%v", r)
		}
	})
	t.Run("29", func(t *testing.T) {
		b := faults(t, "29")
		p := b.pairs("x.fa", "y.fa", "z.fa")
		b.near(p["x.fa y.fa"]["log10_p"], -3989.28, 6)
		b.near(p["x.fa z.fa"]["log10_p"], -25.343, 5)
	})
	t.Run("30", func(t *testing.T) {
		b := faults(t, "30")
		out, warn := b.run(0, "dist", "--format", "mash-triangle", "g1.fa", "g2.fa", "g3.fa", "g1.fa", "./g2.fa")
		b.contains(warn, "g1.fa is given twice", "./g2.fa is the same file as g2.fa")
		b.contains(out, "\t5\n", "g2.fa\t0.0298988\n", "g3.fa\t0.0374354\t")
	})
	t.Run("38", func(t *testing.T) {
		b := faults(t, "38")
		out, _ := b.run(0, "contain", "--all", "-r", "refs.msh", "mix.fa")
		rows := table(out)
		if rows[0]["shared"] != "1000" || rows[1]["shared"] != "1000" || rows[2]["shared"] != "0" || rows[0]["ani"] != "1" {
			b.Errorf("%v", rows)
		}
		out, _ = b.run(0, "contain", "--winner-take-all", "-r", "refs.msh", "mix.fa")
		rows = table(out)
		if len(rows) != 2 || rows[0]["shared"] != "1000" || rows[1]["shared"] != "0" || rows[1]["equal_to"] != "refA.fa" {
			b.Errorf("%v", rows)
		}
	})
	t.Run("41", func(t *testing.T) {
		b := faults(t, "41")
		b.run(0, "contain", "-r", "ref.fa", "-o", "out.tsv", "reads.fq")
		if got := string(readFile(t, filepath.Join(b.dir, "out.tsv"))); !strings.HasPrefix(got, "query\treference\t") || strings.Count(got, "\n") != 1 {
			b.Errorf("%q", got)
		}
	})
	t.Run("57", func(t *testing.T) {
		b := faults(t, "57")
		files, err := filepath.Glob(filepath.Join(b.dir, "g0?.fa"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range files {
			files[i] = filepath.Base(files[i])
		}
		out, _ := b.run(0, append([]string{"dist", "--format", "matrix"}, files...)...)
		got, want := strings.Fields(out), strings.Fields(string(readFile(t, filepath.Join(b.dir, "expected.tsv"))))
		if len(got) != len(want) {
			t.Fatalf("%d cells, want %d", len(got), len(want))
		}
		for i, w := range want {
			if v, err := strconv.ParseFloat(w, 64); err == nil {
				b.near(got[i], v, 5)
			} else if i > 0 && got[i] != w {
				b.Errorf("%s, want %s", got[i], w)
			}
		}
		out, _ = b.run(0, append([]string{"dist", "--format", "phylip"}, files...)...)
		b.contains(out, "10\ng00.fa 0 ")
	})
}
