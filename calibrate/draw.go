// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bytes"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// DrawOptions say how pairs are drawn.
type DrawOptions struct {
	Elements   sketch.Elements // of texts
	Hash       sketch.Hash
	Each       int     // pairs of a stratum, at least 1
	Threshold  float64 // T, in (0, 1]
	Frequent   float64 // an element is boilerplate if more than this share of documents have it, in (0, 1), and more than 10
	Documents  int     // drawn, among which pairs are looked for, at least 2
	Characters int     // of a text that are shown; 0 is all
}

// A Drawing is a stratified sample of pairs.
type Drawing struct {
	Pairs       []Pair // in an order that says nothing
	Documents   int    // of the corpus
	Drawn       int    // of those with elements, among which pairs were looked for
	Boilerplate int    // elements that many documents have
}

// Draw draws pairs of documents for people to label. It reads the corpus twice:
// once for keys by which pairs of each stratum are likely to meet, and once for
// the texts of those that do. The result depends on documents, names and seed,
// not on the order of documents.
func Draw(ctx context.Context, c Corpus, o DrawOptions) (*Drawing, error) {
	if slices.Contains(c.Paths, "-") {
		return nil, sketch.BadInput("-", errors.New("the corpus is read twice: standard input cannot be"))
	}
	o.Hash = ingest.Base(o.Hash)
	o.Hash.Permutation = ""
	k, err := readKeys(ctx, c, o)
	if err != nil {
		return nil, err
	}
	candidates := k.candidates(c.Seed, o)
	views, err := k.views(ctx, c, o, candidates)
	if err != nil {
		return nil, err
	}
	d := &Drawing{Documents: k.all, Drawn: len(k.docs), Boilerplate: k.boilerplate.Len()}
	return d, d.choose(candidates, views, c.Seed, o)
}

// A keyed document is what the first reading keeps of it.
type keyed struct {
	document          // without its text
	bytes    uint64   // hash of the text
	strong   uint64   // of the normalised characters
	marked   []uint64 // keys by marks
	sampled  []uint64 // sampled elements, ascending
}

// keys are what the first reading keeps.
type keys struct {
	all         int
	docs        []keyed // by rank
	boilerplate elementSet
}

// elementSet is an ascending list of hashes.
type elementSet []uint64

func (s elementSet) Len() int { return len(s) }

// without are the hashes that are not in the set.
func (s elementSet) without(hashes []uint64) []uint64 {
	var rest []uint64
	for _, h := range hashes {
		if _, found := slices.BinarySearch(s, h); !found {
			rest = append(rest, h)
		}
	}
	return rest
}

func readKeys(ctx context.Context, c Corpus, o DrawOptions) (*keys, error) {
	if _, err := newViewer(o.Elements, o.Hash); err != nil {
		return nil, err
	}
	type made struct {
		keyed
		elements []uint64
	}
	k := &keys{}
	counts := shingle.NewFrequencies(128 << 20)
	var kept keyedLottery
	err := scan(ctx, c, func() func(*corpus.Document) (made, error) {
		v, _ := newViewer(o.Elements, o.Hash) // one was made
		return func(d *corpus.Document) (made, error) {
			x := view{document: document{id: d.ID, text: d.Text}}
			if err := v.look(&x); err != nil {
				return made{}, err
			}
			return made{keyed{document{id: d.ID, rank: xxh3.HashStringSeed(d.ID, c.Seed)}, x.bytes, x.strong, markedKeys(x.marks), sampled(x.all)}, x.all}, nil
		}
	}, func(m made) error {
		m.row = k.all
		k.all++
		if len(m.elements) == 0 {
			return nil // like no other
		}
		heap.Push(&kept, m.keyed)
		if len(kept) > o.Documents {
			heap.Pop(&kept)
		}
		return counts.Add(m.elements)
	})
	if err != nil {
		return nil, err
	}
	if len(kept) < 2 {
		return nil, sketch.BadInput(c.Paths[0], fmt.Errorf("%d documents with elements: there is no pair", len(kept)))
	}
	frequent, err := counts.Frequent(max(10, uint64(o.Frequent*float64(k.all))))
	slices.Sort(frequent)
	k.boilerplate = frequent
	k.docs = kept
	slices.SortFunc(k.docs, func(a, b keyed) int {
		if a.before(b.document) {
			return -1
		}
		return 1
	})
	for i := 1; i < len(k.docs); i++ {
		if k.docs[i].id == k.docs[i-1].id {
			return nil, sketch.BadInput(c.Paths[0], fmt.Errorf("two documents are called %q: labels need names that differ", k.docs[i].id))
		}
	}
	return k, err
}

// sampled are the elements that a document is known by: one in sampledScaled,
// as in a FracMinHash sketch, and at least two.
func sampled(all []uint64) []uint64 {
	n, found := slices.BinarySearch(all, sketch.MaxHash(sampledScaled))
	if found {
		n++
	}
	return slices.Clone(all[:min(max(n, 2), len(all))])
}

// markedKeys are keys that documents with the same marks share, and those with
// similar marks likely: six bands of two minima.
func markedKeys(marks []uint64) []uint64 {
	if len(marks) < fewestMarks {
		return nil
	}
	var keys []uint64
	for band := range uint64(6) {
		var least [2]uint64
		for row := range least {
			least[row] = ^uint64(0)
			for _, m := range marks {
				least[row] = min(least[row], xxh3.HashSeed(little(m), 2*band+uint64(row)))
			}
		}
		keys = append(keys, xxh3.HashSeed(little(least[0]), least[1]))
	}
	return keys
}

// A keyedLottery is a heap with the last winner on top.
type keyedLottery []keyed

func (l keyedLottery) Len() int           { return len(l) }
func (l keyedLottery) Less(i, j int) bool { return l[j].before(l[i].document) }
func (l keyedLottery) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *keyedLottery) Push(x any)        { *l = append(*l, x.(keyed)) }
func (l *keyedLottery) Pop() any {
	old := *l
	x := old[len(old)-1]
	old[len(old)-1] = keyed{}
	*l = old[:len(old)-1]
	return x
}

// views reads the texts of the documents of candidates.
func (k *keys) views(ctx context.Context, c Corpus, o DrawOptions, candidates []candidate) (map[int]*view, error) {
	wanted, ids := map[int]int{}, map[string]bool{} // row of the corpus: place in docs
	for _, p := range candidates {
		for _, i := range []int{p.a, p.b} {
			wanted[k.docs[i].row] = i
			ids[k.docs[i].id] = true
		}
	}
	views := map[int]*view{}
	row := 0
	err := scan(ctx, c, func() func(*corpus.Document) (*view, error) {
		v, _ := newViewer(o.Elements, o.Hash)
		return func(d *corpus.Document) (*view, error) {
			if !ids[d.ID] {
				return nil, nil
			}
			x := &view{document: document{id: d.ID, text: bytes.Clone(d.Text)}}
			if err := v.look(x); err != nil {
				return nil, err
			}
			x.rest = k.boilerplate.without(x.all)
			var err error
			x.words, err = v.set(v.words, x.text)
			return x, err
		}
	}, func(x *view) error {
		if i, ok := wanted[row]; ok && x != nil {
			views[i] = x
		}
		row++
		return nil
	})
	if err == nil && (row != k.all || len(views) != len(wanted)) {
		err = sketch.BadInput(c.Paths[0], errors.New("the corpus changed while it was read"))
	}
	return views, err
}

// choose takes of each stratum the pairs that are first in a lottery, so that no
// document is in more than two of them.
func (d *Drawing) choose(candidates []candidate, views map[int]*view, seed uint64, o DrawOptions) error {
	type ticket struct {
		Pair
		rank uint64
		a, b *view
	}
	of := map[string][]ticket{}
	for _, c := range candidates {
		a, b := views[c.a], views[c.b]
		if b.id < a.id {
			a, b = b, a
		}
		p := classify(a, b, o.Threshold)
		if p.Stratum == "" && c.random {
			p.Stratum = Unlike
		}
		if p.Stratum != "" {
			of[p.Stratum] = append(of[p.Stratum], ticket{p, lot(a.id, b.id, seed), a, b})
		}
	}
	var chosen []ticket
	for _, stratum := range Strata {
		list := of[stratum]
		slices.SortFunc(list, func(x, y ticket) int { return compareLots(x.rank, y.rank, x.A+x.B, y.A+y.B) })
		used := map[string]int{}
		n := 0
		for _, t := range list {
			if n == o.Each {
				break
			}
			if used[t.A] > 1 || used[t.B] > 1 {
				continue
			}
			used[t.A]++
			used[t.B]++
			n++
			chosen = append(chosen, t)
		}
	}
	slices.SortFunc(chosen, func(x, y ticket) int { return compareLots(x.rank, y.rank, x.A+x.B, y.A+y.B) })
	v, err := newViewer(o.Elements, o.Hash)
	if err != nil {
		return err
	}
	for _, t := range chosen {
		if t.TextA, err = v.excerpt(t.a, t.b, o.Characters); err != nil {
			return err
		}
		if t.TextB, err = v.excerpt(t.b, t.a, o.Characters); err != nil {
			return err
		}
		d.Pairs = append(d.Pairs, t.Pair)
	}
	return nil
}

// lot is the place of a pair in the lottery.
func lot(a, b string, seed uint64) uint64 {
	return xxh3.HashStringSeed(b, xxh3.HashStringSeed(a, seed))
}

func compareLots(a, b uint64, x, y string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case x < y:
		return -1
	}
	return 1
}

// source is that of random pairs.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }
