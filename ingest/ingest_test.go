// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/kmer"
	"github.com/gsketch/gsketch/sketch"
	"github.com/gsketch/gsketch/sketch/sketchtest"
)

func bottom(k, s int, weighted bool) sketch.Params {
	e := sketch.DNAElements(k)
	return sketch.Params{Family: sketch.BottomK, Elements: e, Hash: sketch.Murmur3(e.MashBits(), 42), Size: s, Weighted: weighted}
}

func frac(k int, scaled uint64, weighted bool) sketch.Params {
	return sketch.Params{Family: sketch.FracMinHash, Elements: sketch.DNAElements(k), Hash: sketch.Murmur3(64, 42), Scaled: scaled, Weighted: weighted}
}

func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func run(t testing.TB, plan Plan, o Options, paths ...string) []Result {
	t.Helper()
	var samples []Sample
	for _, p := range paths {
		samples = append(samples, Sample{Paths: []string{p}})
	}
	var out []Result
	if err := Run(context.Background(), plan, o, samples, func(r Result) error { out = append(out, r); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

// windows are the hashes of all k-mers of a record, the plain way.
func windows(seq string, p sketch.Params) []uint64 {
	var hs []uint64
	canonical := make([]byte, p.Elements.K)
	for i := 0; i+p.Elements.K <= len(seq); i++ {
		w := bytes.ToUpper([]byte(seq[i : i+p.Elements.K]))
		if strings.Trim(string(w), "ACGT") != "" {
			continue
		}
		kmer.Canonical(canonical, w)
		h := kmer.Hash(canonical, uint32(p.Hash.Seed))
		if p.Hash.Bits == 32 {
			h = uint64(uint32(h))
		}
		hs = append(hs, h)
	}
	return hs
}

// Whatever the number of threads and the place of block ends, sketches are
// those of all windows of all records, several k and families at once.
func TestSketchesAreThoseOfAllWindows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		var text strings.Builder
		var seqs []string
		for i := range rapid.IntRange(1, 5).Draw(rt, "records") {
			n := rapid.SampledFrom([]int{1, 20, 21, 22, 500, 3000}).Draw(rt, "length")
			seq := make([]byte, n)
			for j := range seq {
				seq[j] = "ACGTacgtN"[r.IntN(9)]
				if r.IntN(4) > 0 {
					seq[j] = "ACGT"[r.IntN(4)]
				}
			}
			fmt.Fprintf(&text, ">r%d\n", i)
			for line := range slices.Chunk(seq, 60) {
				text.Write(append(line, '\n'))
			}
			seqs = append(seqs, string(seq))
		}
		path := write(t, "x.fa", text.String())
		plan := Plan{Params: []sketch.Params{bottom(21, 50, false), frac(21, 2, false), bottom(5, 1000, true), frac(33, 1, true), bottom(64, 10, false)}}
		threads := rapid.IntRange(1, 4).Draw(rt, "threads")
		res := run(t, plan, Options{Threads: threads}, path)[0]
		for i, p := range plan.Params {
			var hs []uint64
			var length, records uint64
			for _, s := range seqs {
				hs = append(hs, windows(s, p)...)
				if len(s) >= p.Elements.K {
					length += uint64(len(s))
					records++
				}
			}
			below := func(h uint64) bool { return p.Family == sketch.BottomK || h <= sketch.MaxHash(p.Scaled) && h != 0 }
			want := sketchtest.Select(hs, 1, p.Size, p.Weighted, below)
			got := sketchtest.Of(res.Items[i].Sketch)
			if !slices.Equal(got.Hashes, want.Hashes) || !slices.Equal(got.Counts, want.Counts) {
				rt.Fatalf("%s: %d hashes, want %d", p, len(got.Hashes), len(want.Hashes))
			}
			if m := res.Items[i].Meta; m.Count != uint64(len(hs)) || m.Length != length || m.Records != records || m.Source != path {
				rt.Fatalf("%s: %+v; want %d windows, length %d, %d records", p, m, len(hs), length, records)
			}
		}
	})
}

// One large record is split among threads; small ones go to a thread each.
func TestThreadsDoNotChangeSketches(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	seq := make([]byte, 5*blockBases)
	for i := range seq {
		seq[i] = "ACGT"[r.IntN(4)]
	}
	paths := []string{write(t, "large.fa", ">x\n"+string(seq)+"\n")}
	for i := range 20 {
		paths = append(paths, write(t, "small.fa", fmt.Sprintf(">s%d\n%s\n", i, seq[i*1000:i*1000+900])))
	}
	plan := Plan{Params: []sketch.Params{bottom(21, 1000, false), frac(31, 100, true)}}
	want := run(t, plan, Options{Threads: 1}, paths...)
	for _, threads := range []int{2, 3, 8} {
		got := run(t, plan, Options{Threads: threads}, paths...)
		for i := range want {
			for j := range want[i].Items {
				w, g := want[i].Items[j], got[i].Items[j]
				if w.Meta != g.Meta || !slices.Equal(sketchtest.Of(w.Sketch).Hashes, sketchtest.Of(g.Sketch).Hashes) || !slices.Equal(sketchtest.Of(w.Sketch).Counts, sketchtest.Of(g.Sketch).Counts) {
					t.Fatalf("%d threads: sample %d, sketch %d differs", threads, i, j)
				}
			}
		}
	}
}

// A guess of the bound of a large sketch must not change it: neither where it
// serves nor where the genome is all repeats and it is too low.
func TestGuessedBound(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	random := make([]byte, 100_000)
	for i := range random {
		random[i] = "ACGT"[r.IntN(4)]
	}
	p := bottom(21, 5000, false)
	for name, seq := range map[string]string{"random": string(random), "repeats": strings.Repeat(string(random[:10_000]), 10), "tiny": string(random[:6000])} {
		path := write(t, name+".fa", ">x\n"+seq+"\n")
		if n := expectedLetters([]string{path}).letters; n < uint64(len(seq)) {
			t.Errorf("%s: %d letters expected", name, n)
		}
		want := sketchtest.Select(windows(seq, p), 1, p.Size, false, func(uint64) bool { return true })
		for _, threads := range []int{1, 3} {
			res := run(t, Plan{Params: []sketch.Params{p}}, Options{Threads: threads}, path)[0]
			if got := sketchtest.Of(res.Items[0].Sketch); !slices.Equal(got.Hashes, want.Hashes) {
				t.Errorf("%s, %d threads: %d hashes, want %d", name, threads, len(got.Hashes), len(want.Hashes))
			}
		}
	}
}

// The same of reads whose copies are counted: of a genome for which the guess
// serves, and of one so small that it is too low.
func TestGuessedBoundOfReads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	p := bottom(21, 500, true)
	for name, genome := range map[string]int{"serves": 200_000, "too low": 600} {
		seq := make([]byte, genome)
		for i := range seq {
			seq[i] = "ACGT"[r.IntN(4)]
		}
		var reads strings.Builder
		quality := strings.Repeat("I", 100)
		var all []string
		for range 26_000 {
			at := r.IntN(genome - 100)
			read := string(seq[at : at+100])
			fmt.Fprintf(&reads, "@r\n%s\n+\n%s\n", read, quality)
			all = append(all, read)
		}
		path := write(t, "reads.fq", reads.String())
		if e := expectedLetters([]string{path}); !e.reads || e.letters < 2_600_000 {
			t.Errorf("%s: %+v expected", name, e)
		}
		want := sketchtest.Select(windows(strings.Join(all, "N"), p), 2, p.Size, true, func(uint64) bool { return true })
		for _, threads := range []int{1, 3} {
			plan := Plan{Params: []sketch.Params{p}, Counting: sketch.Counting{MinCopies: 2}}
			res := run(t, plan, Options{Threads: threads}, path)[0]
			got := sketchtest.Of(res.Items[0].Sketch)
			if !slices.Equal(got.Hashes, want.Hashes) || !slices.Equal(got.Counts, want.Counts) {
				t.Errorf("%s, %d threads: %d hashes, want %d", name, threads, len(got.Hashes), len(want.Hashes))
			}
		}
	}
}

func TestFirstFailureInOrderWins(t *testing.T) {
	good, bad := write(t, "good.fa", ">a\nACGT\n"), write(t, "bad.fq", "@r\nACGT\n+\nII")
	var samples []Sample
	for i := range 50 {
		path := good
		if i >= 30 {
			path = bad
		}
		if i == 29 {
			path = "missing"
		}
		samples = append(samples, Sample{Paths: []string{path}})
	}
	plan := Plan{Params: []sketch.Params{bottom(3, 10, false)}}
	for range 20 {
		n := 0
		err := Run(context.Background(), plan, Options{Threads: 4}, samples, func(Result) error { n++; return nil })
		var in *sketch.InputError
		if !errors.As(err, &in) || in.Path != "missing" || n != 29 {
			t.Fatalf("%d results, then %v", n, err)
		}
	}
	failed := 0
	err := Run(context.Background(), plan, Options{Threads: 4, KeepGoing: true}, samples, func(r Result) error {
		if r.Err != nil {
			failed++
		}
		return nil
	})
	if err != nil || failed != 21 {
		t.Fatalf("%d failed, %v", failed, err)
	}
}

func TestErrorOfEmitEndsTheRun(t *testing.T) {
	path := write(t, "a.fa", ">a\nACGT\n")
	samples := make([]Sample, 100)
	for i := range samples {
		samples[i] = Sample{Paths: []string{path}}
	}
	full := errors.New("disk full")
	err := Run(context.Background(), Plan{Params: []sketch.Params{bottom(3, 10, false)}}, Options{Threads: 3}, samples, func(Result) error { return full })
	if err != full {
		t.Fatal(err)
	}
}

func TestCancelEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := write(t, "a.fa", ">a\n"+strings.Repeat("ACGT", blockBases)+"\n")
	err := Run(ctx, Plan{Params: []sketch.Params{bottom(3, 10, false)}}, Options{Threads: 2}, []Sample{{Paths: []string{path}}}, func(Result) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// A record, a sketch: the k-mers of one must not leak into the next, and each
// counts its own.
func TestPerRecord(t *testing.T) {
	path := write(t, "x.fa", ">a one\nACGTA\n>b\nAC\n>c\tthree\nTTTTGGGG\n")
	p := bottom(4, 10, false)
	res := run(t, Plan{Params: []sketch.Params{p}}, Options{Threads: 2, PerRecord: true}, path)[0]
	if len(res.Items) != 3 {
		t.Fatalf("%d sketches", len(res.Items))
	}
	for i, want := range []struct {
		id, comment, seq string
	}{{"a", "one", "ACGTA"}, {"b", "", "AC"}, {"c", "three", "TTTTGGGG"}} {
		it := res.Items[i]
		hs := windows(want.seq, p)
		v := sketchtest.Select(hs, 1, 0, false, func(uint64) bool { return true })
		if it.Meta.ID != want.id || it.Meta.Comment != want.comment || it.Meta.Count != uint64(len(hs)) || !it.Meta.PerRecord || !slices.Equal(sketchtest.Of(it.Sketch).Hashes, v.Hashes) {
			t.Errorf("record %d: %+v", i, it.Meta)
		}
	}
	if len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "1 of 3 records are shorter than k = 4") {
		t.Errorf("%q", res.Warnings)
	}
}

func TestPlanRefuses(t *testing.T) {
	protein := bottom(9, 10, false)
	protein.Elements = sketch.Elements{Molecule: sketch.Protein, K: 9}
	sha := bottom(9, 10, false)
	sha.Hash.Algorithm = "sha1"
	for name, ps := range map[string][]sketch.Params{
		"nothing": nil, "k = 65": {bottom(65, 10, false)}, "size 0": {bottom(21, 0, false)},
		"protein and dna": {protein, bottom(21, 10, false)}, "another hash": {sha}, "the same twice": {bottom(21, 10, false), bottom(21, 10, false)},
	} {
		if err := (Plan{Params: ps}).Validate(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	seq := make([]byte, 5_000_000)
	for i := range seq {
		seq[i] = "ACGT"[r.IntN(4)]
	}
	var text bytes.Buffer
	text.WriteString(">x\n")
	for line := range slices.Chunk(seq, 80) {
		text.Write(line)
		text.WriteByte('\n')
	}
	path := write(b, "x.fa", text.String())
	for _, c := range []struct {
		name   string
		params []sketch.Params
	}{
		{"bottomk", []sketch.Params{bottom(21, 1000, false)}},
		{"bottomk_s=100000", []sketch.Params{bottom(21, 100000, false)}},
		{"fracminhash", []sketch.Params{frac(21, 1000, false)}},
		{"both", []sketch.Params{bottom(21, 1000, false), frac(21, 1000, false)}},
		{"k=21,31,51", []sketch.Params{frac(21, 1000, false), frac(31, 1000, false), frac(51, 1000, false)}},
		{"abundance", []sketch.Params{frac(21, 1000, true)}},
	} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", c.name, threads), func(b *testing.B) {
				b.SetBytes(int64(len(seq)))
				b.ReportAllocs()
				for b.Loop() {
					run(b, Plan{Params: c.params}, Options{Threads: threads}, path)
				}
			})
		}
	}
}
