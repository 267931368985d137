// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// A fault is what users of other tools reported, with the right values.
type fault struct {
	lines []json.RawMessage
}

func readFault(t *testing.T, name string, expected any) fault {
	t.Helper()
	data, err := os.ReadFile(shared.Path(t, "cases", "text", name, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, expected); err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(shared.Path(t, "cases", "text", name, "input.jsonl")); err != nil {
		t.Fatal(err)
	}
	var f fault
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		if len(sc.Bytes()) > 0 {
			f.lines = append(f.lines, slices.Clone(sc.Bytes()))
		}
	}
	return f
}

// A document is a line of a fault: a text, or the members of a set.
type document struct {
	ID, Text, Set string
	Tokens, Query []string
}

// documents returns them with the hashes of their elements; texts are runs of
// five words.
func (f fault) documents(t *testing.T) (docs []document, hashes [][]uint64) {
	t.Helper()
	s, err := shingle.New(params(1).Elements, sketch.Hash{Algorithm: shingle.XXH3, Bits: 64}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range f.lines {
		var d document
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		var set []uint64
		for _, token := range append(d.Tokens, d.Query...) {
			set = append(set, xxh3.HashString(token))
		}
		if d.Text != "" {
			s.Reset([]byte(d.Text))
			if set, err = shingle.AppendAll(nil, s); err != nil {
				t.Fatal(err)
			}
		}
		docs, hashes = append(docs, d), append(hashes, set)
	}
	return docs, hashes
}

func signatures(t *testing.T, p sketch.Params, hashes [][]uint64) []sketch.Estimable {
	t.Helper()
	build, err := minhash.NewBuilder(p)
	if err != nil {
		t.Fatal(err)
	}
	var all []sketch.Estimable
	for _, h := range hashes {
		all = append(all, finish(t, build, h))
	}
	return all
}

func banding(t *testing.T, p sketch.Params, b, r int) *Banding {
	t.Helper()
	x, err := NewBanding(p, b, r, NewMemStore())
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func insert(t *testing.T, x Index, row int, s sketch.Signature) {
	t.Helper()
	if err := x.Insert(uint32(row), s); err != nil {
		t.Fatal(err)
	}
}

func candidates(t *testing.T, x Index, s sketch.Signature) []uint32 {
	t.Helper()
	got, err := x.Candidates(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Bands chosen for a threshold alone miss pairs above it; those chosen for a
// recall find them all.
func TestFaultLowRecall(t *testing.T) {
	var want struct {
		Threshold, J float64
		Pairs        [][2]string
		P5x25        float64 `json:"P_candidate_b5_r25"`
		P16x8        float64 `json:"P_candidate_b16_r8"`
	}
	docs, hashes := readFault(t, "02-default-threshold-low-recall", &want).documents(t)
	b, r, err := Optimal(want.Threshold, 128, 0.5, 0.5)
	if p := Probability(want.J, b, r); err != nil || b != 5 || r != 25 || math.Abs(p-want.P5x25) > 1e-12 {
		t.Errorf("%d x %d: %v, %v", b, r, p, err)
	}
	if p := Probability(want.J, 16, 8); math.Abs(p-want.P16x8) > 1e-12 {
		t.Errorf("16 x 8: %v", p)
	}
	if b, r, err = ForRecall(want.Threshold, 0.999, 128); err != nil || Probability(want.J, b, r) < 0.999 {
		t.Fatalf("%d x %d, %v", b, r, err)
	}
	all := signatures(t, params(128), hashes)
	x := banding(t, params(128), b, r)
	var got [][2]string
	for i, d := range docs {
		for _, row := range candidates(t, x, all[i]) {
			got = append(got, [2]string{docs[row].ID, d.ID})
		}
		insert(t, x, i, all[i])
	}
	for _, pair := range want.Pairs {
		if !slices.Contains(got, pair) && !slices.Contains(got, [2]string{pair[1], pair[0]}) {
			t.Errorf("%d x %d: %v is missed", b, r, pair)
		}
	}
}

// A signature made otherwise is refused, by the name of what differs.
func TestFaultIncompatible(t *testing.T) {
	fields := map[string]string{"scheme": "hash", "seed": "hash", "num_perm": "size", "hash": "hash", "shingle": "elements"}
	f := readFault(t, "17-incompatible-sketches-refused", &struct{}{})
	for _, line := range f.lines {
		type made struct {
			Scheme, Hash, Shingle string
			Seed                  uint64
			Slots                 int `json:"num_perm"`
		}
		var c struct {
			A, B    made
			Differs string
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		of := func(m made) sketch.Signature {
			p := params(m.Slots)
			p.Hash = sketch.Hash{Algorithm: "sha1", Bits: 64, Seed: m.Seed, Permutation: m.Scheme}
			if m.Hash != "" {
				p.Hash.Algorithm = "xxh3-64"
			}
			if m.Shingle != "" {
				p.Elements.Recipe = "chars=5/norm=1"
			}
			return signatures(t, p, [][]uint64{{1, 2, 3}})[0]
		}
		a, b := of(c.A), of(c.B)
		x, y := banding(t, a.Params(), 4, 4), banding(t, b.Params(), 4, 4)
		forest, err := NewForest(a.Params(), 4)
		if err != nil {
			t.Fatal(err)
		}
		_, queried := x.Candidates(nil, b)
		_, searched := forest.Nearest(b, 1)
		for what, err := range map[string]error{"insert": x.Insert(0, b), "query": queried, "merge": x.Merge(y),
			"insert into a forest": forest.Insert(0, b), "search of a forest": searched} {
			var mismatch *sketch.MismatchError
			if !errors.As(err, &mismatch) || mismatch.Field != fields[c.Differs] || !errors.Is(err, sketch.ErrIncompatible) {
				t.Errorf("%s, %s differs: %v", what, c.Differs, err)
			}
		}
	}
}

// The best are ranked, each with its similarity, and as many as asked for.
func TestFaultTopK(t *testing.T) {
	var want struct {
		J    []float64
		Top3 []string
		Full []string `json:"full_order"`
	}
	docs, hashes := readFault(t, "20-topk-must-be-ranked", &want).documents(t)
	p := params(1024)
	all := signatures(t, p, hashes)
	f, err := NewForest(p, 8)
	if err != nil {
		t.Fatal(err)
	}
	query := -1
	for i, d := range docs {
		if d.Query != nil {
			query = i
		} else if err := f.Insert(uint32(i), all[i]); err != nil {
			t.Fatal(err)
		}
	}
	f.Index()
	for k, order := range map[int][]string{3: want.Top3, 100: want.Full} {
		hits, err := f.TopK(all[query], k, 10, 0.999)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range hits {
			got = append(got, docs[h.Row].ID)
			i := slices.IndexFunc(docs, func(d document) bool { return d.ID == docs[h.Row].ID })
			if j := want.J[i]; h.Low > j || h.High < j || math.Abs(h.Similarity-j) > 0.05 {
				t.Errorf("%s: %v in [%v, %v], want %v", docs[h.Row].ID, h.Similarity, h.Low, h.High, j)
			}
		}
		if !slices.Equal(got, order) {
			t.Errorf("the %d best: %v, want %v", k, got, order)
		}
	}
}

// Any number of bands; a value in two bands is two values.
func TestFaultManyBands(t *testing.T) {
	var want struct {
		Params [][2]int
		J      map[string]float64 `json:"word5_J"`
	}
	_, hashes := readFault(t, "26-more-than-256-bands", &want).documents(t)
	for _, cut := range want.Params {
		p := params(cut[0] * cut[1])
		all := signatures(t, p, hashes)
		x := banding(t, p, cut[0], cut[1])
		for i, s := range all {
			insert(t, x, i, s)
		}
		for i, s := range all {
			slots := s.AppendSlots(nil)
			var meet []uint32
			for j, o := range all {
				for at, v := range o.AppendSlots(nil) {
					if (cut[1] == 1 && v == slots[at]) || i == j {
						meet = append(meet, uint32(j))
						break
					}
				}
			}
			if got := candidates(t, x, s); !slices.Equal(got, meet) {
				t.Errorf("%v: document %d meets %v, want %v", cut, i, got, meet)
			}
		}
		found := slices.Contains(candidates(t, x, all[0]), 1)
		if want := cut[1] == 1; found != want { // J = 0.3: certain in 300 bands, impossible in 512 rows
			t.Errorf("%v: documents 0 and 1 meet: %t", cut, found)
		}
	}
	same := make([]uint64, 300)
	x := banding(t, params(300), 300, 1)
	keys, err := x.Keys(nil, signature(same...))
	if err != nil {
		t.Fatal(err)
	}
	hashed := map[uint64]bool{}
	for i, k := range keys {
		hashed[k.Hash] = true
		if k.Band != uint32(i) {
			t.Fatalf("band %d is numbered %d", i, k.Band)
		}
	}
	if len(hashed) != 300 {
		t.Errorf("one value has %d keys in 300 bands", len(hashed))
	}
}

// What is looked up in an index of references is a row of it, and nothing else.
func TestFaultReferences(t *testing.T) {
	var want struct {
		T float64
		J map[string]float64 `json:"word5_J_ref_new"`
	}
	docs, hashes := readFault(t, "31-reference-index-sentinel", &want).documents(t)
	p := params(256)
	all := signatures(t, p, hashes)
	b, r, err := ForRecall(want.T, 0.9999, p.Size)
	if err != nil {
		t.Fatal(err)
	}
	x := banding(t, p, b, r)
	for i, d := range docs {
		if d.Set == "reference" {
			insert(t, x, i, all[i])
		}
	}
	got := map[string]float64{}
	for i, d := range docs {
		if d.Set == "reference" {
			continue
		}
		hits, err := Rank(all[i], candidates(t, x, all[i]), func(row uint32) sketch.Signature { return all[row] }, 0.99)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			if h.Similarity >= want.T {
				got[docs[h.Row].ID+","+d.ID] = h.Similarity
			}
		}
	}
	for pair, j := range want.J {
		if math.Abs(got[pair]-j) > 0.05 {
			t.Errorf("%s: %v, want %v", pair, got[pair], j)
		}
	}
	if len(got) != len(want.J) {
		t.Errorf("pairs %v, want %v", got, want.J)
	}
}

// A family of n near copies costs n candidates with a cap, not n(n-1)/2.
func TestFaultHotBucket(t *testing.T) {
	var want struct {
		Pairs int `json:"pairs_at_0.8"`
		Size  int
	}
	_, hashes := readFault(t, "34-hot-bucket-quadratic-output", &want).documents(t)
	all := signatures(t, params(128), hashes)
	for most, check := range map[int]func(pairs int) bool{
		0:  func(pairs int) bool { return pairs == want.Pairs },
		20: func(pairs int) bool { return pairs < 30*want.Size },
	} {
		x := banding(t, params(128), 16, 8)
		x.Cap(most)
		pairs, reached := 0, 1
		for i, s := range all {
			found := candidates(t, x, s)
			pairs += len(found)
			if len(found) > 0 { // joined to the family that row 0 began
				reached++
			}
			insert(t, x, i, s)
		}
		if !check(pairs) || reached != want.Size || (len(x.Hot()) > 0) != (most > 0) {
			t.Errorf("cap %d: %d pairs, %d documents in the family, %d hot buckets", most, pairs, reached, len(x.Hot()))
		}
	}
}

// Bands and rows the wrong way round are another S-curve.
func TestFaultSwapped(t *testing.T) {
	var want struct {
		P    [][2]json.RawMessage
		Half [][3]float64 `json:"threshold_half"`
	}
	f := readFault(t, "38-bands-and-rows-swapped", &want)
	type cut struct{ Bands, Rows int }
	var cuts []cut
	for _, line := range f.lines {
		var c cut
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		cuts = append(cuts, c)
	}
	for _, row := range want.P {
		var s float64
		var ps []float64
		if err := errors.Join(json.Unmarshal(row[0], &s), json.Unmarshal(row[1], &ps)); err != nil || len(ps) != len(cuts) {
			t.Fatal(len(ps), err)
		}
		for i, c := range cuts {
			if got := Probability(s, c.Bands, c.Rows); math.Abs(got-ps[i]) > 1e-12 {
				t.Errorf("similarity %v, %d bands of %d rows: %v, want %v", s, c.Bands, c.Rows, got, ps[i])
			}
		}
	}
	for _, h := range want.Half {
		if p := Probability(h[2], int(h[0]), int(h[1])); math.Abs(p-0.5) > 1e-9 {
			t.Errorf("%v: %v, want one half", h, p)
		}
	}
}
