// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
)

func expected(t testing.TB, parts ...string) string {
	t.Helper()
	return shared.Path(t, append([]string{"golden", "genomics", "expected"}, parts...)...)
}

// mashDump reads what `mash info -d` wrote about a .msh.
func mashDump(t testing.TB, name string) []sketch.Item {
	t.Helper()
	b, err := os.ReadFile(expected(t, "mash", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Kmer, SketchSize, HashBits int
		HashSeed                   uint32
		Alphabet                   string
		PreserveCase, Canonical    bool
		Sketches                   []struct {
			Name, Comment string
			Length        uint64
			Hashes        []uint64
		}
	}
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatal(err)
	}
	e := sketch.DNAElements(d.Kmer)
	if d.Alphabet != "ACGT" {
		e = sketch.Elements{Molecule: sketch.Letters, K: d.Kmer, Alphabet: d.Alphabet, PreserveCase: d.PreserveCase}
	}
	e.Canonical = d.Canonical
	p := sketch.Params{Family: sketch.BottomK, Elements: e, Hash: sketch.Murmur3(d.HashBits, d.HashSeed), Size: d.SketchSize}
	var items []sketch.Item
	for _, s := range d.Sketches {
		items = append(items, item(t, sketch.Meta{ID: s.Name, Length: s.Length, Comment: s.Comment}, p, s.Hashes, nil))
	}
	return items
}

func item(t testing.TB, m sketch.Meta, p sketch.Params, hashes, counts []uint64) sketch.Item {
	t.Helper()
	bound := uint64(math.MaxUint64)
	switch {
	case p.Scaled != 0:
		bound = sketch.MaxHash(p.Scaled)
	case len(hashes) == p.Size:
		bound = hashes[len(hashes)-1]
	}
	s, err := sketch.NewSet(p, hashes, counts, bound)
	if err != nil {
		t.Fatal(err)
	}
	return sketch.Item{Meta: m, Sketch: s}
}

// signatures reads the sketches with this k of sourmash files.
func signatures(t testing.TB, k int, paths ...string) []sketch.Item {
	t.Helper()
	var items []sketch.Item
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, ".gz") {
			z, err := gzip.NewReader(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			if b, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		var file []struct {
			Name, Filename string
			Signatures     []struct {
				Num, Ksize       int
				Seed             uint32
				MaxHash          uint64 `json:"max_hash"`
				Mins, Abundances []uint64
				Molecule         string
			}
		}
		if err := json.Unmarshal(b, &file); err != nil {
			t.Fatal(err)
		}
		for _, f := range file {
			for _, s := range f.Signatures {
				if s.Ksize != k || s.Molecule != "DNA" {
					continue
				}
				p := sketch.Params{
					Family: sketch.FracMinHash, Elements: sketch.DNAElements(k), Hash: sketch.Murmur3(64, s.Seed),
					Scaled: sketch.ScaledOf(s.MaxHash), Weighted: s.Abundances != nil,
				}
				if s.Num != 0 {
					p.Family, p.Size, p.Scaled = sketch.BottomK, s.Num, 0
				}
				items = append(items, item(t, sketch.Meta{ID: f.Name, Source: f.Filename}, p, s.Mins, s.Abundances))
			}
		}
	}
	return items
}

// c6 is C's %g.
func c6(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// mash's queries loop outside, its references inside.
func TestDistAsMash(t *testing.T) {
	for _, c := range []struct{ golden, refs, queries string }{
		{"m_dist", "m_multi3", "m_multi3"},
		{"m_dist_k16", "m_multi3_k16", "m_multi3_k16"},
		{"m_dist_small_ref", "m_stdin", "m_multi3"}, // s = 200 and 1000
		{"m_dist_prot", "m_prot_real", "m_prot_real"},
		{"m_dist_prot_i", "m_prot_k8", "m_prot_k8"},
		{"m_dist_reads", "m_multi3", "m_r_m2"},
		{"m_dist_reads2", "m_r1", "m_r_m2"},
		{"m_dist_tiny", "m_short_i", "m_short_i"},
		{"m_dist_empty", "m_nrun_i", "m_nrun_i"}, // 0/0 too
	} {
		t.Run(c.golden, func(t *testing.T) {
			want, err := os.ReadFile(expected(t, "mash", c.golden+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			refs, queries := mashDump(t, c.refs), mashDump(t, c.queries)
			lines := strings.Split(strings.TrimSuffix(string(want), "\n"), "\n")
			if len(lines) != len(refs)*len(queries) {
				t.Fatalf("%d lines for %d pairs", len(lines), len(refs)*len(queries))
			}
			for _, q := range queries {
				for _, r := range refs {
					got := mashColumns(Compare(r, q))
					_, want, _ := strings.Cut(lines[0], "\t")
					if _, want, _ = strings.Cut(want, "\t"); got != want {
						t.Errorf("%s %s: %s, want %s", r.Meta.ID, q.Meta.ID, got, want)
					}
					if swapped := mashColumns(Compare(q, r)); swapped != got {
						t.Errorf("%s %s: %s, the other way round %s", r.Meta.ID, q.Meta.ID, got, swapped)
					}
					lines = lines[1:]
				}
			}
		})
	}
}

func mashColumns(p Pair) string {
	d, v := p.PeerMash()
	return c6(d) + "\t" + c6(v) + "\t" + strconv.FormatUint(p.Shared, 10) + "/" + strconv.FormatUint(p.Of, 10)
}

func TestTriangleAsMash(t *testing.T) {
	want, err := os.ReadFile(expected(t, "mash", "m_tri.txt"))
	if err != nil {
		t.Fatal(err)
	}
	items := mashDump(t, "m_multi3")
	var got strings.Builder
	got.WriteString("\t" + strconv.Itoa(len(items)) + "\n")
	for i, a := range items {
		got.WriteString(a.Meta.ID)
		for _, b := range items[:i] {
			got.WriteString("\t" + c6(Compare(a, b).Mash()))
		}
		got.WriteString("\n")
	}
	if got.String() != string(want) {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

func TestCompareAsSourmash(t *testing.T) {
	genomes := []string{"s_g_s10.sig.gz", "s_g_s11.sig.gz", "s_g_s12.sig.gz", "s_g_s10mut.sig.gz", "s_mix.sig.gz"}
	angular := func(a, b sketch.Item) float64 {
		return Angular(a.Sketch.(sketch.Abundant), b.Sketch.(sketch.Abundant))
	}
	of := func(f func(Pair) float64) func(a, b sketch.Item) float64 {
		return func(a, b sketch.Item) float64 { return f(Compare(a, b)) }
	}
	for _, c := range []struct {
		golden string
		k      int
		files  []string
		scaled uint64
		value  func(a, b sketch.Item) float64 // a is the column: sourmash prints the containment of j in i
	}{
		{"s_cmp_jac", 31, genomes, 0, of(Pair.Jaccard)},
		{"s_cmp_dist", 31, genomes, 0, of(func(p Pair) float64 { return 1 - p.Jaccard() })},
		{"s_cmp_ignab", 21, genomes, 0, of(Pair.Jaccard)},
		{"s_cmp_scaled", 31, genomes, 5000, of(Pair.Jaccard)},
		{"s_cmp_num", 31, []string{"s_num500.sig", "s_num500_b.sig"}, 0, of(Pair.Jaccard)},
		{"s_cmp_cont", 31, genomes, 0, of(Pair.Containment)},
		{"s_cmp_max", 31, genomes, 0, of(Pair.MaxContainment)},
		{"s_cmp_avg", 31, genomes, 0, of(Pair.AvgContainment)},
		{"s_cmp_ani", 31, genomes, 0, of(Pair.JaccardANI)},
		{"s_cmp_cont_ani", 31, genomes, 0, of(Pair.ContainmentANI)},
		{"s_cmp_max_ani", 31, genomes, 0, of(Pair.MaxContainmentANI)},
		{"s_cmp_avg_ani", 31, genomes, 0, of(Pair.AvgContainmentANI)},
		{"s_cmp_angular", 21, genomes, 0, angular},
		{"s_cmp_small_cont", 21, []string{"s_singleton.sig"}, 0, of(Pair.Containment)},
		{"s_cmp_small_ani", 21, []string{"s_singleton.sig"}, 0, of(Pair.ContainmentANI)},
	} {
		t.Run(c.golden, func(t *testing.T) {
			f, err := os.Open(expected(t, "sourmash", c.golden+".csv"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			rows, err := csv.NewReader(f).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			var paths []string
			for _, name := range c.files {
				paths = append(paths, expected(t, "sourmash", name))
			}
			items := signatures(t, c.k, paths...)
			if len(items) != len(rows)-1 {
				t.Fatalf("%d sketches for %d rows", len(items), len(rows)-1)
			}
			for i := range items {
				for j := range items {
					want, err := strconv.ParseFloat(rows[i+1][j], 64)
					if err != nil {
						t.Fatal(err)
					}
					a, b := coarser(t, items[j], c.scaled), coarser(t, items[i], c.scaled)
					got := c.value(a, b)
					if math.IsNaN(got) && (want == 0 || i == j && want == 1) {
						continue // undefined, which sourmash calls 0, and 1 on the diagonal
					}
					if !near(got, want, 1e-9) {
						t.Errorf("cell %d %d: %v, want %v", i, j, got, want)
					}
				}
			}
		})
	}
}

// coarser downsamples a FracMinHash sketch; scaled = 0 leaves it.
func coarser(t *testing.T, it sketch.Item, scaled uint64) sketch.Item {
	t.Helper()
	if scaled == 0 {
		return it
	}
	s := it.Sketch.(sketch.HashSet)
	p := s.Params()
	p.Scaled = scaled
	return item(t, it.Meta, p, viewOf(s).upTo(sketch.MaxHash(scaled)).hashes, nil)
}

// Row order of the golden: by descending similarity; ours by name.
func TestSearchIntervalAsSourmash(t *testing.T) {
	query := signatures(t, 31, expected(t, "sourmash", "s_mix.sig.gz"))[0]
	f, err := os.Open(expected(t, "sourmash", "s_search_contci.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows[1:] {
		match := signatures(t, 31, expected(t, "sourmash", "s_g_"+r[3]+".sig.gz"))[0]
		p := Compare(query, match)
		low, high := p.ANIInterval(0.95)
		for i, got := range map[int]float64{0: p.PlainContainment(), 7: p.ContainmentANI(), 8: low, 9: high} {
			want, err := strconv.ParseFloat(r[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			if !near(got, want, 1e-9) {
				t.Errorf("%s: %s = %v, want %v", r[3], rows[0][i], got, want)
			}
		}
	}
}

// sourmash sketches with scaled = 10 and 50: the finer one is downsampled.
func TestScaledReconciled(t *testing.T) {
	dir := shared.Path(t, "cases", "genomics", "22-different-scaled-or-num")
	x := signatures(t, 21, filepath.Join(dir, "x_s10.sig"))[0]
	y := signatures(t, 21, filepath.Join(dir, "y_s50.sig"))[0]
	p := Compare(x, y)
	if p.Shared != 328 || p.A != 415 || p.B != 404 || p.Scaled != 50 {
		t.Errorf("%+v, want 328 shared of 415 and 404 at scaled 50", p)
	}
	if !near(p.Jaccard(), 0.668024, 1e-6) || !near(p.Containment(), 0.790361, 1e-6) {
		t.Errorf("Jaccard %v, containment %v", p.Jaccard(), p.Containment())
	}
	num := signatures(t, 21, filepath.Join(dir, "x_n500.sig"))[0]
	for _, name := range Names {
		e, err := ByName(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Accepts(num.Sketch.Params(), y.Sketch.Params()); err == nil {
			t.Errorf("%s accepts num against scaled", name)
		}
	}
}
