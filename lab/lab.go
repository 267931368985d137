// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// Settings of an experiment.
type Settings struct {
	Drift       float64 `json:"drift"`       // share of the core's words that the near copy replaces, 0..1
	Boilerplate float64 `json:"boilerplate"` // share of a document that all share, 0..1
	Width       int     `json:"width"`       // words of a shingle, 1..50
	Bands       int     `json:"bands"`       // 1..1024
	Rows        int     `json:"rows"`        // rows of a band, 1..64
	Documents   int     `json:"documents"`   // of the corpus, 2..1e9
	Words       int     `json:"words"`       // of a document, Width..100000
	Seed        uint64  `json:"seed"`        // of the documents
}

// Defaults are the settings of a first look.
func Defaults() Settings {
	return Settings{Drift: 0.16, Boilerplate: 0.15, Width: 4, Bands: 20, Rows: 5, Documents: 2000, Words: 400, Seed: 1}
}

// Check says which setting is out of its range.
func (s Settings) Check() error {
	for _, c := range []struct {
		name      string
		v, lo, hi float64
	}{
		{"drift", s.Drift, 0, 1}, {"boilerplate", s.Boilerplate, 0, 1},
		{"width", float64(s.Width), 1, 50}, {"bands", float64(s.Bands), 1, 1024}, {"rows", float64(s.Rows), 1, 64},
		{"documents", float64(s.Documents), 2, 1e9}, {"words", float64(s.Words), float64(s.Width), 100_000},
	} {
		if !(c.v >= c.lo && c.v <= c.hi) {
			return fmt.Errorf("%s %v: %v to %v", c.name, c.v, c.lo, c.hi)
		}
	}
	return nil
}

// A Pair is what is known of two documents.
type Pair struct {
	ShinglesA     int     `json:"shingles_a"` // distinct shingles of each
	ShinglesB     int     `json:"shingles_b"`
	Shared        int     `json:"shared"`
	Union         int     `json:"union"`
	Jaccard       float64 `json:"jaccard"` // Shared / Union
	MatchingRows  int     `json:"matching_rows"`
	Estimate      float64 `json:"estimate"` // MatchingRows / (Bands Rows)
	MatchingBands int     `json:"matching_bands"`
	Probability   float64 `json:"probability"` // 1 - (1 - Jaccard^Rows)^Bands
	Candidate     bool    `json:"candidate"`
}

// A Result is what an experiment found.
type Result struct {
	Settings        Settings `json:"settings"`
	Replaced        int      `json:"words_replaced"`
	Head            int      `json:"words_of_boilerplate"`
	Near            Pair     `json:"near"`
	Background      Pair     `json:"background"`
	Threshold       float64  `json:"threshold"` // (1/Bands)^(1/Rows)
	PairsBefore     uint64   `json:"pairs_before"`
	NearPairs       uint64   `json:"near_pairs"`
	BackgroundPairs uint64   `json:"background_pairs"`
	PairsAfter      float64  `json:"expected_pairs_after"`
}

// An Experiment is a Result with all it came from, for the Contracts.
type Experiment struct {
	Result
	Texts    Documents
	original document
	near     document
	other    document
}

// A document with its elements and signature.
type document struct {
	hashes    []uint64 // distinct, ascending
	signature sketch.Signature
}

// params are those of the signatures: one slot for each row of each band.
func (s Settings) params() sketch.Params {
	return sketch.Params{
		Family:   sketch.KPerm,
		Elements: sketch.Elements{Molecule: "text", Recipe: fmt.Sprintf("words=%d/norm=1", s.Width)},
		Hash:     sketch.Hash{Algorithm: shingle.XXH3, Bits: 64, Permutation: sketch.Affine64, Seed: 1},
		Size:     s.Bands * s.Rows,
	}
}

// Run does an experiment.
func Run(s Settings) (*Experiment, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	x := &Experiment{Result: Result{Settings: s}, Texts: write(s)}
	x.Replaced, x.Head = x.Texts.Replaced, x.Texts.Head
	var err error
	for _, d := range []struct {
		to    *document
		words []string
	}{{&x.original, x.Texts.Original}, {&x.near, x.Texts.Near}, {&x.other, x.Texts.Background}} {
		if *d.to, err = read(s.params(), d.words); err != nil {
			return nil, err
		}
	}
	if x.Near, err = compare(s, x.original, x.near); err != nil {
		return nil, err
	}
	if x.Background, err = compare(s, x.original, x.other); err != nil {
		return nil, err
	}
	n := uint64(s.Documents)
	x.Threshold = lsh.Threshold(s.Bands, s.Rows)
	x.PairsBefore = n * (n - 1) / 2
	x.NearPairs = n / 2
	x.BackgroundPairs = x.PairsBefore - x.NearPairs
	x.PairsAfter = float64(x.NearPairs)*x.Near.Probability + float64(x.BackgroundPairs)*x.Background.Probability
	return x, nil
}

// Rows says of each row of signatures whether it agrees, for the near pair and
// for the background pair.
func (x *Experiment) Rows() (near, background []bool) {
	return agree(x.original, x.near), agree(x.original, x.other)
}

// read makes the elements and the signature of a document, as any corpus is
// read.
func read(p sketch.Params, words []string) (document, error) {
	sh, err := shingle.New(p.Elements, p.Hash, nil)
	if err != nil {
		return document{}, err
	}
	sh.Reset([]byte(strings.Join(words, " ")))
	var d document
	if d.hashes, err = shingle.AppendAll(nil, sh); err != nil {
		return d, err
	}
	slices.Sort(d.hashes)
	d.hashes = slices.Compact(d.hashes)
	b, err := minhash.NewBuilder(p)
	if err != nil {
		return d, err
	}
	if err := b.AddHashes(d.hashes); err != nil {
		return d, err
	}
	sk, err := b.Finish()
	if err != nil {
		return d, err
	}
	d.signature = sk.(sketch.Signature)
	return d, nil
}

// compare measures a pair.
func compare(s Settings, a, b document) (Pair, error) {
	p := Pair{ShinglesA: len(a.hashes), ShinglesB: len(b.hashes), Shared: shared(a.hashes, b.hashes)}
	p.Union = p.ShinglesA + p.ShinglesB - p.Shared
	p.Jaccard = float64(p.Shared) / float64(p.Union)
	p.Probability = lsh.Probability(p.Jaccard, s.Bands, s.Rows)
	x, y := a.signature.AppendSlots(nil), b.signature.AppendSlots(nil)
	for i := range x {
		if x[i] == y[i] {
			p.MatchingRows++
		}
	}
	p.Estimate = float64(p.MatchingRows) / float64(len(x))

	index, err := lsh.NewBanding(s.params(), s.Bands, s.Rows, lsh.NewMemStore())
	if err != nil {
		return p, err
	}
	ka, err := index.Keys(nil, a.signature)
	if err != nil {
		return p, err
	}
	kb, err := index.Keys(nil, b.signature)
	if err != nil {
		return p, err
	}
	for i := range ka {
		if ka[i] == kb[i] {
			p.MatchingBands++
		}
	}
	if err := index.Insert(0, a.signature); err != nil {
		return p, err
	}
	found, err := index.Candidates(nil, b.signature)
	p.Candidate = len(found) > 0
	return p, err
}

// shared counts what two ascending lists have in common.
func shared(a, b []uint64) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}
