// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"context"
	"fmt"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/internal/radix"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// MostItems bounds the documents, or units of documents, of which all pairs are
// compared: 4 bytes a pair.
const MostItems = 10_000

// items are what is compared: documents or their units, as exact sets.
type items struct {
	params sketch.Params // of the exact sets: FracMinHash with scaled 1
	docs   []int         // of each item its document
	texts  [][]byte      // of each item; nil of sets
	sets   [][]uint64    // distinct, ascending
	drawn  int           // items of the documents that were drawn; the others were asked for
	empty  int           // units of the drawn documents that have no element
	units  int           // units of the drawn documents
	names  []string      // of documents
	shared []uint32      // elements in common of items i < j, at j(j-1)/2 + i
}

// newItems cuts documents into units and these into elements. Items of the drawn
// documents come first. Units without an element are like no other and are left
// out.
func newItems(ctx context.Context, docs []document, drawn int, units shingle.Units, e sketch.Elements, h sketch.Hash, threads int) (*items, error) {
	x := &items{params: exactParams(e, h)}
	var all []shingle.Unit
	var of []int
	for i := range docs {
		d := &docs[i]
		x.names = append(x.names, d.id)
		cut := []shingle.Unit{{Text: d.text}}
		if d.members == nil {
			cut = units.Split(d.text)
		}
		for range cut {
			of = append(of, i)
		}
		all = append(all, cut...)
	}
	var at int
	err := distance.Rows(ctx, len(all), threads, func(i int, _ []uint64) ([]uint64, error) {
		return elements(&docs[of[i]], all[i].Text, e, x.params.Hash)
	}, func(set []uint64) error {
		i := at
		at++
		inSample := of[i] < drawn
		if inSample {
			x.units++
		}
		if len(set) == 0 {
			if inSample {
				x.empty++
			}
			return nil
		}
		if inSample {
			x.drawn++
		}
		x.docs, x.texts, x.sets = append(x.docs, of[i]), append(x.texts, all[i].Text), append(x.sets, append([]uint64(nil), set...))
		if len(x.sets) > MostItems {
			return fmt.Errorf("more than %d texts in the sample: draw fewer documents", MostItems)
		}
		return nil
	})
	return x, err
}

// exactParams are those of the sets of all elements.
func exactParams(e sketch.Elements, h sketch.Hash) sketch.Params {
	h = ingest.Base(h)
	h.Permutation, h.Seed = "", 0
	return sketch.Params{Family: sketch.FracMinHash, Elements: e, Hash: h, Scaled: 1}
}

// elements are the distinct hashes of a text or set.
func elements(d *document, text []byte, e sketch.Elements, h sketch.Hash) ([]uint64, error) {
	hashes, err := allHashes(d, text, e, h)
	if err != nil {
		return nil, err
	}
	hashes = radix.SortUnique(hashes)
	if len(hashes) > 0 && hashes[0] == 0 { // what a FracMinHash sketch drops
		hashes = hashes[1:]
	}
	return hashes, nil
}

// allHashes are the hashes of the elements of a text or set, in order.
func allHashes(d *document, text []byte, e sketch.Elements, h sketch.Hash) ([]uint64, error) {
	if d.members != nil {
		hasher, err := shingle.NewHasher(h)
		if err != nil {
			return nil, err
		}
		var all []uint64
		for _, m := range d.members {
			all = append(all, hasher.Sum(m))
		}
		return all, nil
	}
	s, err := shingle.New(e, h, nil)
	if err != nil {
		return nil, err
	}
	s.Reset(text)
	return shingle.AppendAll(nil, s)
}

// compare counts what all pairs have in common.
func (x *items) compare(ctx context.Context, threads int) error {
	n := len(x.sets)
	x.shared = make([]uint32, n*(n-1)/2)
	sets := make([]sketch.HashSet, n)
	for i, hashes := range x.sets {
		set, err := fracminhash.New(x.params, hashes, nil)
		if err != nil {
			return err
		}
		sets[i] = set
	}
	return distance.Triangle(ctx, sets, distance.Options{Threads: threads, Sparse: true},
		func(i int, counts []distance.Count, _ struct{}) (struct{}, error) {
			for _, c := range counts { // each pair is met once, so that no two goroutines write to one place
				x.shared[place(i, int(c.Col))] = c.Shared
			}
			return struct{}{}, nil
		}, func(struct{}) error { return nil })
}

// place is where a pair stands in what is kept of all pairs: by its larger
// item, so that the pairs of the first items come first.
func place(i, j int) int {
	if i > j {
		i, j = j, i
	}
	return j*(j-1)/2 + i
}

// jaccard is the exact Jaccard index of two items; of one with itself 1.
func (x *items) jaccard(i, j int) float64 {
	if i == j {
		return 1
	}
	return index(int(x.shared[place(i, j)]), len(x.sets[i]), len(x.sets[j]))
}

// index is the Jaccard index of sets of a and b elements.
func index(shared, a, b int) float64 { return float64(shared) / float64(a+b-shared) }
