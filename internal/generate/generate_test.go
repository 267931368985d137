// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGoldenInputs: the committed inputs, from which the peers' answers were
// made, are what the generator makes.
func TestGoldenInputs(t *testing.T) {
	const dir = "../../testdata/inputs"
	for name, want := range Golden() {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s/%s is not what the generator makes", dir, name)
		}
	}
}

// TestSameBytes pins one output of each generator, so that a release of Go or
// another processor that changes them is noticed. The digests are of a first
// run; they say that nothing changed, not that it is right.
func TestSameBytes(t *testing.T) {
	dir := t.TempDir()
	if err := WriteClusters(dir, Clusters{Seed: 7, Number: 2, Length: 1000, IndelShare: 0.2}); err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	for _, name := range []string{"truth.tsv", "c000_m05.fa", "c001_m19.fa"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(data)
	}
	if err := WriteReads(sum, sum, mixture(500)); err != nil {
		t.Fatal(err)
	}
	const want = "b96fefda1776d40bd0d7a4933ce3e9620e55bda6447aa516503f0c0914eeba02"
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

func TestEvolve(t *testing.T) {
	r := NewRand(1)
	ancestor := r.DNA(20_000)
	same := Descendant{Seq: ancestor, sites: ancestor}
	for _, n := range []struct{ substitutions, indels int }{{0, 0}, {1, 0}, {500, 0}, {0, 40}, {500, 40}} {
		x, y := r.Evolve(ancestor, n.substitutions, n.indels), r.Evolve(ancestor, n.substitutions, n.indels)
		if n.indels == 0 {
			if got := (Alignment{Matches: 20_000 - n.substitutions, Mismatches: n.substitutions}); Align(same, x) != got {
				t.Errorf("%v: %v, want %v", n, Align(same, x), got)
			}
			different := 0
			for i := range x.Seq {
				if x.Seq[i] != y.Seq[i] {
					different++
				}
			}
			if a := Align(x, y); a.Mismatches != different || a.Identity() != 1-float64(different)/20_000 {
				t.Errorf("%v: %v, but %d bases differ", n, a, different)
			}
		}
		// Each base stands in one column, with a base or a gap of the other.
		if a := Align(x, y); 2*(a.Matches+a.Mismatches)+a.Gaps != len(x.Seq)+len(y.Seq) {
			t.Errorf("%v: %v does not account for %d + %d bases", n, a, len(x.Seq), len(y.Seq))
		}
		if back := Align(y, x); back != Align(x, y) {
			t.Errorf("%v: not symmetric", n)
		}
	}
	if x := r.Evolve(ancestor, 0, 40); Align(same, x).Gaps < 40 {
		t.Errorf("40 indels gave %d gaps", Align(same, x).Gaps)
	}
}

// Columns and gaps counted by hand:
//
//	x: A C - - G T A - - C
//	y: A - T T G A - - - C, and what both lost is no column
func TestAlign(t *testing.T) {
	x := Descendant{sites: []byte("ACGTA-C")}
	y := Descendant{sites: []byte("A-GA--C"), insertions: map[int][]byte{1: []byte("TT")}}
	want := Alignment{Matches: 3, Mismatches: 1, Gaps: 4, Openings: 3}
	if got := Align(x, y); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := want.Identity(); got != 3./4 {
		t.Errorf("identity %v", got)
	}
	if got := want.EventIdentity(); got != 3./7 {
		t.Errorf("event identity %v", got)
	}
}

// TestClusterTruth: two members at rates a and b, without indels, agree where
// neither changed or both changed alike: 1 - a - b + 4/3 ab of the sites.
// The bound is 6 standard deviations, a false alarm in 10^8 per pair.
func TestClusterTruth(t *testing.T) {
	const length = 50_000
	r := NewRand(5)
	ancestor := r.DNA(length)
	for _, a := range Rates {
		for _, b := range []float64{0.01, 0.15} {
			x := r.Evolve(ancestor, int(math.Round(a*length)), 0)
			y := r.Evolve(ancestor, int(math.Round(b*length)), 0)
			want := 1 - a - b + 4*a*b/3
			if got := Align(x, y).Identity(); math.Abs(got-want) > 6*math.Sqrt(a*b/length)+1e-4 {
				t.Errorf("rates %g and %g: identity %g, want about %g", a, b, got, want)
			}
		}
	}
}

func TestClustersFromSources(t *testing.T) {
	source := slices.Concat(NewRand(3).DNA(3000), bytes.Repeat([]byte("N"), 3000))
	dir := t.TempDir()
	c := Clusters{Number: 1, Length: 800, Sources: [][][]byte{{source, []byte("ACGT")}}}
	if err := WriteClusters(dir, c); err != nil {
		t.Fatal(err)
	}
	member, err := ReadRecords(filepath.Join(dir, "c000_m00.fa"))
	if err != nil {
		t.Fatal(err)
	}
	if len(member) != 1 || len(member[0]) != 800 || !bytes.Contains(source, member[0]) {
		t.Errorf("the member at rate 0 is not a piece of its source")
	}
	c.Length = 3001
	if err := WriteClusters(t.TempDir(), c); err == nil || !strings.Contains(err.Error(), "no piece of 3001") {
		t.Errorf("no piece is that long, got %v", err)
	}
}

func mixture(reads int) Mixture {
	r := NewRand(11)
	return Mixture{Seed: 2, Reads: reads, Genomes: []MixedGenome{
		{Name: "a", Depth: 3, Records: [][]byte{r.DNA(4000), r.DNA(100), r.DNA(1000)}},
		{Name: "b", Depth: 1, Records: [][]byte{r.DNA(5000)}},
	}}
}

func TestReads(t *testing.T) {
	m := mixture(4000)
	var fastq, truth bytes.Buffer
	if err := WriteReads(&fastq, &truth, m); err != nil {
		t.Fatal(err)
	}
	if want := "genome\tbases\treads\tdepth\tshare\na\t5000\t3000\t90.0000\t0.750000\nb\t5000\t1000\t30.0000\t0.250000\n"; truth.String() != want {
		t.Errorf("truth:\n%s\nwant:\n%s", &truth, want)
	}
	places := map[string]string{} // the first 20 bases of every possible read -> the read
	for _, g := range m.Genomes {
		for _, s := range g.Records {
			for _, strand := range [][]byte{s, ReverseComplement(s)} {
				for i := 0; i+ReadLength <= len(strand); i++ {
					places[string(strand[i:i+20])] = string(strand[i : i+ReadLength])
				}
			}
		}
	}
	var reads, placed, errors int
	var expected float64
	lines := strings.Split(strings.TrimSpace(fastq.String()), "\n")
	for rec := range slices.Chunk(lines, 4) {
		reads++
		seq, quality := rec[1], rec[3]
		if len(seq) != ReadLength || len(quality) != ReadLength {
			t.Fatalf("a read of %d bases and %d qualities", len(seq), len(quality))
		}
		truth, ok := places[seq[:20]]
		if !ok {
			continue // an error in its first bases
		}
		placed++
		for i := 20; i < ReadLength; i++ {
			if seq[i] != truth[i] {
				errors++
			}
			expected += math.Pow(10, -float64(quality[i]-'!')/10)
		}
	}
	if reads != m.Reads || placed < reads*95/100 {
		t.Errorf("%d reads, %d of them at a place of their genomes; want %d, nearly all", reads, placed, m.Reads)
	}
	// Errors are Poisson with the sum of their probabilities as mean; 6 standard deviations.
	if math.Abs(float64(errors)-expected) > 6*math.Sqrt(expected) {
		t.Errorf("%d errors, the qualities say %.0f", errors, expected)
	}
}

func TestReadsRefuses(t *testing.T) {
	m := Mixture{Reads: 10, Genomes: []MixedGenome{{Name: "short", Depth: 1, Records: [][]byte{[]byte("ACGT")}}}}
	if err := WriteReads(io.Discard, io.Discard, m); err == nil || !strings.Contains(err.Error(), "short") {
		t.Errorf("a genome without room for a read: %v", err)
	}
}

func TestChoose(t *testing.T) {
	r := NewRand(9)
	for _, c := range []struct{ n, k int }{{1, 0}, {1, 1}, {10, 10}, {1000, 37}} {
		got := r.Choose(c.n, c.k)
		slices.Sort(got)
		if len(got) != c.k || len(slices.Compact(got)) != c.k || c.k > 0 && (got[0] < 0 || got[c.k-1] >= c.n) {
			t.Errorf("%d of %d: %v", c.k, c.n, got)
		}
	}
}

// A corpus has the documents asked for, numbered on, and its page as often as
// asked for.
func TestDocuments(t *testing.T) {
	var b bytes.Buffer
	if err := (Documents{Number: 10_000, First: 500, Words: 20, Page: 0.1, Seed: 3}).Write(&b); err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(b.Bytes()), []byte("\n"))
	pages := bytes.Count(b.Bytes(), []byte(`"kind": "page"`))
	if len(lines) != 10_000 || !bytes.Contains(lines[9_999], []byte(`"id": "d00010499"`)) {
		t.Errorf("%d documents, the last %s", len(lines), lines[len(lines)-1])
	}
	if pages < 998 || pages > 1000 {
		t.Errorf("%d pages", pages)
	}
}
