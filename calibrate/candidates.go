// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// sign makes the signatures of all items.
func (x *items) sign(ctx context.Context, docs []document, p sketch.Params, threads int) ([]sketch.Estimable, error) {
	p.Elements = x.params.Elements
	all := make([]sketch.Estimable, 0, len(x.sets))
	base := ingest.Base(p.Hash) // the sets may be of other hashes
	base.Permutation = ""
	err := distance.Rows(ctx, len(x.sets), threads, func(i int, _ sketch.Estimable) (sketch.Estimable, error) {
		hashes := x.sets[i]
		if base != x.params.Hash {
			var err error
			if hashes, err = elements(&docs[x.docs[i]], x.texts[i], p.Elements, base); err != nil {
				return nil, err
			}
		}
		b, err := minhash.NewBuilder(p)
		if err == nil {
			err = b.AddHashes(hashes)
		}
		if err != nil {
			return nil, err
		}
		s, err := b.Finish()
		if err != nil {
			return nil, err
		}
		return s.(sketch.Estimable), nil
	}, func(s sketch.Estimable) error {
		all = append(all, s)
		return nil
	})
	return all, err
}

// A pairSet is a set of pairs of items, a bit each.
type pairSet []uint64

func newPairSet(n int) pairSet { return make(pairSet, (n*(n-1)/2+63)/64) }

func (s pairSet) add(i, j int)      { p := place(i, j); s[p/64] |= 1 << (p % 64) }
func (s pairSet) has(i, j int) bool { p := place(i, j); return s[p/64]>>(p%64)&1 != 0 }

// each calls do for the pairs i < j of the first n items.
func (s pairSet) each(n int, do func(i, j int)) {
	j, row := 1, 0 // row is the place of pair 0, j
	for w := 0; w*64 < n*(n-1)/2; w++ {
		for word := s[w]; word != 0; word &= word - 1 {
			p := w*64 + bits.TrailingZeros64(word)
			for p >= row+j {
				row += j
				j++
			}
			if j >= n {
				return
			}
			do(p-row, j)
		}
	}
}

// candidates are the pairs that share a band.
func candidates(signatures []sketch.Estimable, p sketch.Params, b Banding) (pairSet, error) {
	banding, err := lsh.NewBanding(p, b.Bands, b.Rows, nil)
	if err != nil {
		return nil, err
	}
	type entry struct {
		hash uint64
		item int
	}
	bands := make([][]entry, b.Bands)
	var keys []lsh.Key
	for i, s := range signatures {
		if keys, err = banding.Keys(keys[:0], s); errors.Is(err, lsh.ErrEmpty) {
			continue // low bits that are all ones, by chance
		} else if err != nil {
			return nil, err
		}
		for _, k := range keys {
			bands[k.Band] = append(bands[k.Band], entry{k.Hash, i})
		}
	}
	found := newPairSet(len(signatures))
	for _, entries := range bands {
		slices.SortFunc(entries, func(a, b entry) int {
			if a.hash < b.hash {
				return -1
			}
			if a.hash > b.hash {
				return 1
			}
			return 0
		})
		for first := 0; first < len(entries); {
			end := first + 1
			for end < len(entries) && entries[end].hash == entries[first].hash {
				end++
			}
			for i := first; i < end; i++ {
				for j := i + 1; j < end; j++ {
					found.add(entries[i].item, entries[j].item)
				}
			}
			first = end
		}
	}
	return found, nil
}
