// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"math"
	"slices"

	"github.com/gsketch/gsketch/internal/radix"
)

// neighbours are the sets that share hashes with one of them, the leader.
type neighbours struct {
	sample *index
	leader int
	step   int      // the sample has 1 hash in step
	shared []uint32 // by set
	found  []uint32 // sets with shared > 0 that are not done, ascending

	rarest []uint32 // scratch of rarePairs, by set
}

func newNeighbours(sample *index, step int) *neighbours {
	n := &neighbours{sample: sample, step: step, shared: make([]uint32, len(sample.sets))}
	n.rarest = make([]uint32, len(sample.sets))
	return n
}

// look finds the neighbours of another leader, itself included, among the sets
// that are not done.
func (n *neighbours) look(leader int, done []bool) {
	for _, m := range n.found {
		n.shared[m] = 0
	}
	n.leader, n.found = leader, n.found[:0]
	x := n.sample
	for _, start := range x.starts[x.offsets[leader]:x.offsets[leader+1]] {
		if start == 0 {
			continue
		}
		size, _ := x.postings[start-1].run() // without groups there is one run
		for _, e := range x.postings[start:][:size] {
			if done[e.col] {
				continue
			}
			if n.shared[e.col] == 0 {
				n.found = append(n.found, e.col)
			}
			n.shared[e.col]++
		}
	}
	slices.Sort(n.found)
}

// sharing returns the neighbours that share at least this part of the smaller
// set, in ascending order.
func (n *neighbours) sharing(part float64) []uint32 {
	var members []uint32
	hashes := len(n.sample.sets[n.leader].hashes)
	for _, m := range n.found {
		smaller := min(hashes, len(n.sample.sets[m].hashes))
		if float64(n.shared[m]) >= part*float64(smaller) {
			members = append(members, m)
		}
	}
	return members
}

// Costs in nanoseconds, measured: of a posting, of a word of a bitmap, of the
// word in which a bottom-k union is cut, and of a full merge per hash.
const (
	costPosting = 1.4
	costWord    = 0.7
	costCut     = 30
	costMerge   = 3.0
)

// plan returns from how many sets on a hash should be common, in a group of
// these members, for its pairs to cost least; 0 if the index alone is cheaper.
func (n *neighbours) plan(members []uint32, ranked bool) (common int) {
	sets := n.sample.sets
	var all []uint64
	for _, m := range members {
		all = append(all, sets[m].hashes...)
	}
	radix.Sort(all)
	size := float64(len(members))
	scale := float64(n.step)
	// By the power of two that is not above the number of sets with a hash:
	// how many such hashes, and how many postings they cost a pair.
	var hashes, postings [32]float64
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j] == all[i] {
			j++
		}
		df, class := float64(j-i), int(math.Log2(float64(j-i)))
		hashes[class] += scale
		postings[class] += scale * df * (df - 1) / size / (size - 1)
		i = j
	}
	var words, index float64
	for class := 1; class < len(hashes); class++ {
		words += hashes[class] / 64
		index += postings[class]
	}
	best, rare := costPosting*index, 0.0
	rarePairs := n.rarePairs(members)
	for class := 1; 1<<class <= len(members); class++ {
		cost := costWord*words + costPosting*rare
		if ranked {
			cost += costCut + costMerge*scale*float64(len(all))/size*rarePairs[class]
		}
		if cost < best {
			best, common = cost, 1<<class
		}
		words -= hashes[class] / 64
		rare += postings[class]
	}
	return common
}

// rarePairs estimates from some of the members, for each power of two, the part
// of the pairs that share a hash which fewer sets than that have.
func (n *neighbours) rarePairs(members []uint32) (part [32]float64) {
	const tries = 16
	x := n.sample
	step := max(1, len(members)/tries)
	pairs := 0.0
	for i := 0; i < len(members); i += step {
		for _, m := range members {
			n.rarest[m] = math.MaxUint32
		}
		row := int(members[i])
		for _, start := range x.starts[x.offsets[row]:x.offsets[row+1]] {
			if start == 0 {
				continue
			}
			size, _ := x.postings[start-1].run()
			for _, e := range x.postings[start:][:size] {
				n.rarest[e.col] = min(n.rarest[e.col], uint32(size))
			}
		}
		n.rarest[row] = math.MaxUint32
		for _, m := range members {
			for class := range part {
				if uint64(n.rarest[m]) < 1<<class {
					part[class]++
				}
			}
		}
		pairs += float64(len(members) - 1)
	}
	for class := range part {
		part[class] /= pairs
	}
	return part
}
