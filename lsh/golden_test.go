// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

func TestOptimalIsDatasketchs(t *testing.T) {
	var golden struct {
		Columns []string     `json:"columns"`
		Grid    [][6]float64 `json:"grid"`
	}
	readGolden(t, &golden, "lsh_params.json")
	if len(golden.Grid) != 660 {
		t.Fatalf("%d rows", len(golden.Grid))
	}
	var wg sync.WaitGroup
	for part := range slices.Chunk(golden.Grid, 330) {
		wg.Go(func() {
			for _, g := range part {
				b, r, err := Optimal(g[1], int(g[0]), g[2], g[3])
				if err != nil || b != int(g[4]) || r != int(g[5]) {
					t.Errorf("%v: %d x %d, %v", g, b, r, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestEnsembleIsDatasketchs(t *testing.T) {
	var golden struct {
		Params []struct {
			Threshold float64      `json:"threshold"`
			Slots     int          `json:"num_perm"`
			MaxRows   int          `json:"m"`
			Rows      [][3]float64 `json:"rows"`
		} `json:"optimal_param"`
		Partitions []struct {
			Sizes, Counts []int
			Parts         int      `json:"num_part"`
			Want          [][2]int `json:"partitions"`
		} `json:"optimal_partitions"`
	}
	readGolden(t, &golden, "lshensemble.json")
	if len(golden.Params) == 0 || len(golden.Partitions) == 0 {
		t.Fatal("nothing in it")
	}
	for _, g := range golden.Params {
		for i, c := range choices(g.Threshold, g.Slots, g.MaxRows, 0.5, 0.5) {
			if w := g.Rows[i]; math.Abs(c.ratio-w[0]) > 1e-9*w[0] || c.b != int(w[1]) || c.r != int(w[2]) {
				t.Errorf("threshold %v, %d slots, ratio %v: %d x %d, want %v", g.Threshold, g.Slots, c.ratio, c.b, c.r, w)
			}
		}
	}
	for _, g := range golden.Partitions {
		counts := map[int]int{}
		for i, s := range g.Sizes {
			counts[s] = g.Counts[i]
		}
		got := partitions(counts, g.Parts)
		if len(g.Want) > 3 && g.Parts < len(g.Sizes) {
			// datasketch 2.0 follows the wrong row of its table back from the
			// fourth partition on; its partitions are not the cheapest.
			if a, b := partitionCost(counts, got), partitionCost(counts, g.Want); len(got) != len(g.Want) || a >= b {
				t.Errorf("%v in %d: cost %v, datasketch's is %v", g.Sizes, g.Parts, a, b)
			}
		} else if !slices.Equal(got, g.Want) {
			t.Errorf("%v in %d: %v, want %v", g.Sizes, g.Parts, got, g.Want)
		}
	}
}

// partitionCost is the expected number of false positives, from the definition.
func partitionCost(counts map[int]int, parts [][2]int) (sum float64) {
	for _, p := range parts {
		for size, n := range counts {
			if size >= p[0] && size <= p[1] {
				sum += float64(n) * float64(p[1]-size) / float64(p[1])
			}
		}
	}
	return sum
}

// readGolden decodes a file that datasketch 2.0 made.
func readGolden(t *testing.T, into any, name string) {
	t.Helper()
	data, err := os.ReadFile(shared.Path(t, "golden", "datasketch", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// goldenIndex is what three indexes of datasketch answer over 120 sets.
type goldenIndex struct {
	Scheme string
	Docs   [][]int
	Slots  int `json:"num_perm"`
	Seed   uint64
	LSH    []struct {
		Threshold float64
		B, R      int
		Results   [][]uint32
	}
	Forest []struct {
		L, K    int
		Depth   int        `json:"k_depth"`
		Results [][]uint32 `json:"results_as_sets"`
	}
	Ensemble []struct {
		Threshold      float64
		Parts          int `json:"num_part"`
		MaxRows        int `json:"m"`
		Lowers, Uppers []int
		Params         [][3]float64 `json:"params_per_xq"`
		Results        [][]uint32
	}
}

// sets are the signatures of the documents, whose elements are numbers hashed
// as their decimal digits.
func (g *goldenIndex) sets(t *testing.T) (sketch.Params, []SizedSet) {
	t.Helper()
	p := params(g.Slots)
	p.Hash = sketch.Hash{Algorithm: "sha1", Bits: 64, Seed: g.Seed, Permutation: g.Scheme}
	build, err := minhash.NewBuilder(p)
	if err != nil {
		t.Fatal(err)
	}
	var out []SizedSet
	for row, doc := range g.Docs {
		for _, x := range doc {
			d := sha1.Sum([]byte(strconv.Itoa(x)))
			if err := build.AddHashes([]uint64{binary.LittleEndian.Uint64(d[:])}); err != nil {
				t.Fatal(err)
			}
		}
		s, err := build.Finish()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, SizedSet{uint32(row), len(doc), s.(sketch.Signature)})
	}
	return p, out
}

func TestIndexesAreDatasketchs(t *testing.T) {
	for _, name := range []string{"index_affine32.json", "index_legacy.json"} {
		t.Run(name, func(t *testing.T) {
			var g goldenIndex
			readGolden(t, &g, name)
			if len(g.Docs) != 120 || len(g.LSH) != 3 || len(g.Forest) != 6 || len(g.Ensemble) != 2 {
				t.Fatalf("%d documents, %d, %d and %d indexes", len(g.Docs), len(g.LSH), len(g.Forest), len(g.Ensemble))
			}
			p, sets := g.sets(t)
			g.checkBanding(t, p, sets)
			g.checkForest(t, p, sets)
			g.checkEnsemble(t, p, sets)
		})
	}
}

func (g *goldenIndex) checkBanding(t *testing.T, p sketch.Params, sets []SizedSet) {
	for _, want := range g.LSH {
		b, r, err := Optimal(want.Threshold, p.Size, 0.5, 0.5)
		if err != nil || b != want.B || r != want.R {
			t.Fatalf("threshold %v: %d x %d, %v", want.Threshold, b, r, err)
		}
		x, err := NewBanding(p, b, r, NewMemStore())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sets {
			if err := x.Insert(s.Row, s.Signature); err != nil {
				t.Fatal(err)
			}
		}
		for i, rows := range want.Results {
			got, err := x.Candidates(nil, sets[i].Signature)
			if err != nil || !slices.Equal(got, rows) {
				t.Errorf("%d x %d, set %d: %v, %v; want %v", b, r, i, got, err, rows)
			}
		}
	}
}

func (g *goldenIndex) checkForest(t *testing.T, p sketch.Params, sets []SizedSet) {
	for _, want := range g.Forest {
		f, err := NewForest(p, want.L)
		if err != nil || f.depth != want.Depth {
			t.Fatalf("%d trees: depth %d, %v", want.L, f.depth, err)
		}
		for _, s := range sets {
			if err := f.Insert(s.Row, s.Signature); err != nil {
				t.Fatal(err)
			}
		}
		f.Index()
		for i, rows := range want.Results {
			got, err := f.Nearest(sets[i].Signature, want.K)
			slices.Sort(got)
			slices.Sort(rows)
			if err != nil || !slices.Equal(got, rows) {
				t.Errorf("%d trees, %d best of set %d: %v, %v; want %v", want.L, want.K, i, got, err, rows)
			}
		}
	}
}

// The partitions are datasketch's, since ours are cheaper from the fourth one on.
func (g *goldenIndex) checkEnsemble(t *testing.T, p sketch.Params, sets []SizedSet) {
	for _, want := range g.Ensemble {
		e := &Ensemble{params: p, choices: choices(want.Threshold, p.Size, want.MaxRows, 0.5, 0.5)}
		for i, w := range want.Params {
			if c := e.choices[i]; c.b != int(w[1]) || c.r != int(w[2]) {
				t.Errorf("ratio %v: %d x %d", w, c.b, c.r)
			}
		}
		var parts [][2]int
		for i, l := range want.Lowers {
			parts = append(parts, [2]int{l, want.Uppers[i]})
		}
		if err := e.fill(sets, parts); err != nil {
			t.Fatal(err)
		}
		for i, rows := range want.Results {
			got, err := e.Query(sets[i].Signature, sets[i].Size)
			slices.Sort(rows)
			if err != nil || !slices.Equal(got, rows) {
				t.Errorf("threshold %v, set %d: %v, %v; want %v", want.Threshold, i, got, err, rows)
			}
		}
	}
}

// Our keys hash the same bands, in our byte order.
func TestBandsAreDatasketchs(t *testing.T) {
	var g struct {
		Cases []struct {
			Scheme string
			Slots  int `json:"num_perm"`
			B, R   int
			Values []string `json:"hashvalues"`
			Keys   []string `json:"band_keys_hex"`
			Sums   []string `json:"lshbloom_band_hash"` // mod 2^61-1, without hashing
		}
	}
	readGolden(t, &g, "lsh_band_keys.json")
	if len(g.Cases) != 3 {
		t.Fatalf("%d cases", len(g.Cases))
	}
	for _, c := range g.Cases {
		p := params(c.Slots)
		p.Hash.Permutation = c.Scheme
		var values []uint64
		for _, v := range c.Values {
			n, err := strconv.ParseUint(v, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, n)
		}
		x, err := NewBanding(p, c.B, c.R, NewMemStore())
		if err != nil {
			t.Fatal(err)
		}
		keys, err := x.Keys(nil, slots{p, values})
		if err != nil || len(keys) != len(c.Keys) {
			t.Fatalf("%d keys, %v", len(keys), err)
		}
		for band, key := range keys {
			theirs, err := hex.DecodeString(c.Keys[band])
			if err != nil {
				t.Fatal(err)
			}
			var ours []byte
			sum := uint64(0)
			for v := range slices.Chunk(theirs, len(theirs)/c.R) {
				slices.Reverse(v)
				ours = append(ours, v[:p.SlotBits()/8]...)
				sum += binary.LittleEndian.Uint64(append(slices.Clone(v), make([]byte, 8)...))
			}
			if want := (Key{uint32(band), xxh3.HashSeed(ours, uint64(band))}); key != want {
				t.Errorf("%s, band %d: %v, want %v", c.Scheme, band, key, want)
			}
			if strconv.FormatUint(sum%(1<<61-1), 10) != c.Sums[band] {
				t.Errorf("%s, band %d: the slots add up to %d, want %s", c.Scheme, band, sum, c.Sums[band])
			}
		}
	}
}
