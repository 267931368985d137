// SPDX-License-Identifier: Apache-2.0

package lsh_test

import (
	"fmt"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// words are single words.
var words = sketch.Params{
	Family: sketch.KPerm, Size: 128,
	Elements: sketch.Elements{Molecule: "text", Recipe: "words=1/norm=1"},
	Hash:     sketch.Hash{Algorithm: "xxh3-64", Bits: 64, Seed: 1, Permutation: sketch.Affine64},
}

func hashes(text string) (out []uint64) {
	for _, w := range strings.Fields(text) {
		out = append(out, xxh3.HashString(w))
	}
	return out
}

func sign(text string) sketch.Estimable {
	b, err := minhash.NewBuilder(words)
	if err != nil {
		panic(err)
	}
	if err := b.AddHashes(hashes(text)); err != nil {
		panic(err)
	}
	s, err := b.Finish()
	if err != nil {
		panic(err)
	}
	return s.(sketch.Estimable)
}

var texts = []string{
	"the quick brown fox jumps over the lazy dog",
	"the quick brown fox leaps over the lazy dog",
	"the quick red fox leaps over a sleeping dog",
	"colourless green ideas sleep furiously",
}

// The case of the classroom: four sets of 13 words, six hash functions (ax+b)
// mod 17, and what three ways to cut six rows into bands find. The Jaccard
// indices are 5/7 for A and B, 4/8 for A and C, 3/9 for B and C, 1/10 for D with A
// or B. A and B agree in all rows but the fourth, hence in bands 1 and 3 of 3x2.
// 6x1 finds three pairs too many, 1x6 none.
func ExampleBanding() {
	sets := []struct {
		name  string
		words []int
	}{
		{"A", []int{0, 1, 2, 3, 4, 5}},
		{"B", []int{1, 2, 3, 4, 5, 6}},
		{"C", []int{0, 1, 2, 3, 7, 8}},
		{"D", []int{4, 9, 10, 11, 12}},
	}
	functions := [][2]int{{2, 15}, {12, 9}, {4, 7}, {5, 0}, {13, 3}, {7, 5}}

	// The slots are our own, so only their number matters of the parameters.
	p := words
	p.Family, p.Size, p.Hash.Permutation = sketch.KPerm, len(functions), sketch.Affine32
	var signatures []*minhash.KPerm
	for _, set := range sets {
		slots := make([]uint64, len(functions))
		for i, f := range functions {
			slots[i] = 17
			for _, x := range set.words {
				slots[i] = min(slots[i], uint64((f[0]*x+f[1])%17))
			}
		}
		s, _ := minhash.NewKPerm(p, slots)
		signatures = append(signatures, s)
		fmt.Println(set.name, slots)
	}

	for _, cut := range [][2]int{{6, 1}, {3, 2}, {1, 6}} {
		index, _ := lsh.NewBanding(p, cut[0], cut[1], lsh.NewMemStore())
		fmt.Printf("%dx%d:", cut[0], cut[1])
		for row, s := range signatures {
			found, _ := index.Candidates(nil, s)
			for _, other := range found {
				estimate, _ := s.Similarity(signatures[other], 0.95)
				fmt.Printf(" %s%s %.2f", sets[other].name, sets[row].name, estimate.Value)
			}
			if err := index.Insert(uint32(row), s); err != nil {
				panic(err)
			}
		}
		fmt.Println()
	}
	// Output:
	// A [0 1 2 0 0 2]
	// B [0 1 2 3 0 2]
	// C [0 3 1 0 3 2]
	// D [1 0 0 3 1 0]
	// 6x1: AB 0.83 AC 0.50 BC 0.33 BD 0.17
	// 3x2: AB 0.83
	// 1x6:
}

// Candidates are compared before anything is said of them.
func ExampleRank() {
	b, r, err := lsh.ForRecall(0.5, 0.99, words.Size)
	if err != nil {
		panic(err)
	}
	index, err := lsh.NewBanding(words, b, r, lsh.NewMemStore())
	if err != nil {
		panic(err)
	}
	var all []sketch.Estimable
	for row, text := range texts {
		s := sign(text)
		all = append(all, s)
		if err := index.Insert(uint32(row), s); err != nil {
			panic(err)
		}
	}
	query := sign("the quick brown fox leaps over the lazy dogs")
	found, err := index.Candidates(nil, query)
	if err != nil {
		panic(err)
	}
	hits, err := lsh.Rank(query, found, func(row uint32) sketch.Signature { return all[row] }, 0.95)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d bands of %d rows\n", b, r)
	for _, h := range hits {
		fmt.Printf("%.2f [%.2f, %.2f] %s\n", h.Similarity, h.Low, h.High, texts[h.Row])
	}
	// Output:
	// 35 bands of 3 rows
	// 0.77 [0.69, 0.83] the quick brown fox leaps over the lazy dog
	// 0.63 [0.55, 0.71] the quick brown fox jumps over the lazy dog
}

// The two nearest, without a threshold.
func ExampleForest() {
	f, err := lsh.NewForest(words, 8)
	if err != nil {
		panic(err)
	}
	for row, text := range texts {
		if err := f.Insert(uint32(row), sign(text)); err != nil {
			panic(err)
		}
	}
	f.Index()
	hits, err := f.TopK(sign("the quick brown fox leaps over the lazy dogs"), 2, 4, 0.95)
	if err != nil {
		panic(err)
	}
	for _, h := range hits {
		fmt.Printf("%.2f %s\n", h.Similarity, texts[h.Row])
	}
	// Output:
	// 0.77 the quick brown fox leaps over the lazy dog
	// 0.63 the quick brown fox jumps over the lazy dog
}

// Texts that contain most of a query, however much else they have.
func ExampleEnsemble() {
	var sets []lsh.SizedSet
	for row, text := range texts {
		different := map[string]bool{}
		for _, w := range strings.Fields(text) {
			different[w] = true
		}
		sets = append(sets, lsh.SizedSet{Row: uint32(row), Size: len(different), Signature: sign(text)})
	}
	e, err := lsh.NewEnsemble(words, sets, 0.8, 32, 4)
	if err != nil {
		panic(err)
	}
	rows, err := e.Query(sign("brown fox lazy dog"), 4)
	if err != nil {
		panic(err)
	}
	for _, row := range rows {
		fmt.Println(texts[row])
	}
	// Output:
	// the quick brown fox jumps over the lazy dog
	// the quick brown fox leaps over the lazy dog
}

// A bucket that many share gives one candidate.
func ExampleHotBucket() {
	index, err := lsh.NewBanding(words, 1, 1, lsh.NewMemStore())
	if err != nil {
		panic(err)
	}
	index.Cap(3)
	for row := range uint32(1000) {
		if err := index.Insert(row, sign("all rights reserved")); err != nil {
			panic(err)
		}
	}
	found, err := index.Candidates(nil, sign("all rights reserved"))
	fmt.Println(found, index.Hot()[0].Members, err)
	// Output: [0] 1000 <nil>
}

// Few bands, each asked for more than its own bucket.
func ExampleBanding_Probe() {
	const b, r = 4, 4
	fmt.Printf("J = 0.6: %.2f, with probes %.2f\n", lsh.Probability(0.6, b, r), lsh.ProbedProbability(0.6, 0.2, b, r))
	index, err := lsh.NewBanding(words, b, r, lsh.NewMemStore())
	if err != nil {
		panic(err)
	}
	for row, text := range texts {
		if err := index.Insert(uint32(row), sign(text)); err != nil {
			panic(err)
		}
	}
	query := "the quick brown fox leaps over the lazy dogs"
	second, err := minhash.SecondMinima(words, hashes(query))
	if err != nil {
		panic(err)
	}
	plain, err := index.Candidates(nil, sign(query))
	if err != nil {
		panic(err)
	}
	probed, err := index.Probe(nil, sign(query), lsh.SecondMinima(second), r)
	fmt.Println(plain, probed, err)
	// Output:
	// J = 0.6: 0.43, with probes 0.65
	// [] [0 1 2] <nil>
}

// Bands for a threshold, and bands for a recall.
func ExampleOptimal() {
	b, r, err := lsh.Optimal(0.9, 128, 0.5, 0.5)
	fmt.Printf("%d x %d: %.2f at 0.94, %v\n", b, r, lsh.Probability(0.94, b, r), err)
	b, r, err = lsh.ForRecall(0.9, 0.99, 128)
	fmt.Printf("%d x %d: %.4f at 0.94, %v\n", b, r, lsh.Probability(0.94, b, r), err)
	// Output:
	// 5 x 25: 0.70 at 0.94, <nil>
	// 11 x 10: 0.9998 at 0.94, <nil>
}

// A store holds the rows of each band's bucket; of a key that is there, a second
// row is refused in the same step.
func ExampleMemStore() {
	store := lsh.NewMemStore()
	keys := []lsh.Key{{Band: 0, Hash: 42}, {Band: 1, Hash: 7}}
	if err := store.Put(keys, []uint32{0, 1}); err != nil {
		panic(err)
	}
	present, err := store.PutIfAbsent(keys[:1], 2)
	if err != nil {
		panic(err)
	}
	found, err := store.Get(nil, keys)
	if err != nil {
		panic(err)
	}
	fmt.Println(present, found)
	// Output: [0] [0 1]
}
