// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math/bits"
	"slices"

	"github.com/gsketch/gsketch/internal/radix"
)

// group is a number of sets that share much with one another. What two of them
// share of the common hashes, those that many of its columns have, is the AND
// of two bitmaps over these hashes in ascending order. What they share of rare
// hashes comes from the index: much, but in few pairs.
//
// For bottom-k the union is cut at its s-th hash. Before word w of the bitmaps
// lie ranks[w] hashes of each set, common or not, so ra+rb-c distinct ones of
// both if no rare one is shared; in the word in which that reaches s the shared
// hashes are tested one by one, as in the index. Pairs with a shared rare hash
// are merged as a whole.
type group struct {
	p       *problem
	members []uint32 // places in index.sets, ascending
	maps    []bitmap // by member
	common  int      // columns that make a hash common
}

type bitmap struct {
	set    *set
	words  []uint64
	ranks  []uint32 // by word, and at the end: the hashes of the set below it
	before []uint32 // by word: the common ones among them
	places []uint32 // of the common hashes in the set
}

// newGroup makes the bitmaps of the members.
func (x *index) newGroup(d dense) *group {
	var cols []set
	for _, m := range d.members {
		if int(m) < len(x.p.cols) {
			cols = append(cols, x.sets[m])
		}
	}
	common := commonHashes(cols, d.common)
	g := &group{p: x.p, members: d.members, maps: make([]bitmap, len(d.members)), common: d.common}
	for i, m := range d.members {
		g.maps[i] = newBitmap(&x.sets[m], common)
	}
	return g
}

// commonHashes returns the hashes that at least n sets have, ascending. It works
// on one range of values after the other, to keep within the cache.
func commonHashes(sets []set, n int) []uint64 {
	places := make([]int, len(sets))
	var common, all []uint64
	for _, last := range splitRanges(sets) {
		all = all[:0]
		for i := range sets {
			h, j := sets[i].hashes, places[i]
			for ; j < len(h) && h[j] <= last; j++ {
				all = append(all, h[j])
			}
			places[i] = j
		}
		radix.Sort(all)
		common = append(common, repeated(all, n)...)
	}
	return common
}

// repeated keeps one of each value that a sorted list has n times or more. It
// works in place.
func repeated(a []uint64, n int) []uint64 {
	out := a[:0]
	for i := 0; i < len(a); {
		j := i + 1
		for j < len(a) && a[j] == a[i] {
			j++
		}
		if v := a[i]; j-i >= n {
			out = append(out, v)
		}
		i = j
	}
	return out
}

func newBitmap(s *set, common []uint64) bitmap {
	n := (len(common) + 63) / 64
	b := bitmap{set: s, words: make([]uint64, n), ranks: make([]uint32, n+1), before: make([]uint32, n)}
	place := 0
	for i, h := range common {
		for place < len(s.hashes) && s.hashes[place] < h {
			place++
		}
		if i%64 == 0 {
			b.ranks[i/64] = uint32(place)
			b.before[i/64] = uint32(len(b.places))
		}
		if place < len(s.hashes) && s.hashes[place] == h {
			b.words[i/64] |= 1 << (i % 64)
			b.places = append(b.places, uint32(place))
		}
	}
	b.ranks[n] = uint32(len(s.hashes))
	return b
}

// count raises shared, the number of rare hashes, to that of all hashes for the
// columns in the group of one of its members.
func (g *group) count(member int, shared []uint32) {
	at, _ := slices.BinarySearch(g.members, uint32(member))
	a := &g.maps[at]
	for i, m := range g.members {
		if int(m) >= len(shared) {
			return
		}
		b := &g.maps[i]
		switch rare := shared[m]; {
		case !g.p.ranked:
			shared[m] = rare + a.and(b)
		case rare == 0:
			shared[m] = a.overlap(b)
		default:
			n, _ := overlap(a.set.hashes, b.set.hashes, int(min(a.set.limit, b.set.limit)))
			shared[m] = uint32(n)
		}
	}
}

// and is the number of common hashes in both.
func (a *bitmap) and(b *bitmap) uint32 {
	n := 0
	y := b.words[:len(a.words)]
	for i, w := range a.words {
		n += bits.OnesCount64(w & y[i])
	}
	return uint32(n)
}

// overlap is the number of hashes in both among the s smallest of the union, if
// they share no rare hash.
func (a *bitmap) overlap(b *bitmap) uint32 {
	s := min(a.set.limit, b.set.limit)
	c := uint32(0)
	y := b.words[:len(a.words)]
	ra, rb := a.ranks[1:len(a.words)+1], b.ranks[1:len(a.words)+1]
	for i, w := range a.words {
		next := c + uint32(bits.OnesCount64(w&y[i]))
		if ra[i]+rb[i]-next >= s {
			return a.overlapIn(i, b, c, s)
		}
		c = next
	}
	return c
}

// overlapIn is overlap for the word in which the union is cut, with c shared
// hashes before it.
func (a *bitmap) overlapIn(word int, b *bitmap, c, s uint32) uint32 {
	for both := a.words[word] & b.words[word]; both != 0; both &= both - 1 {
		below := both&-both - 1
		if a.placeOf(word, below)+b.placeOf(word, below)-c >= s {
			return c
		}
		c++
	}
	return c
}

// placeOf is the place of the common hash that has the bits below it.
func (a *bitmap) placeOf(word int, below uint64) uint32 {
	return a.places[int(a.before[word])+bits.OnesCount64(a.words[word]&below)]
}
