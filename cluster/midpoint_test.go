// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// leafDepths are the distances of the leaves from the top of a tree.
func leafDepths(t *Tree, depth float64, into map[int]float64) {
	if len(t.Children) == 0 {
		into[t.Item] = depth
	}
	for _, b := range t.Children {
		leafDepths(b.To, depth+b.Length, into)
	}
}

// leafDistances are the distances of the leaves from one another.
func leafDistances(t *Tree, into map[[2]int]float64) map[int]float64 {
	below := map[int]float64{}
	if len(t.Children) == 0 {
		below[t.Item] = 0
	}
	for _, b := range t.Children {
		other := leafDistances(b.To, into)
		for i, d := range below {
			for j, e := range other {
				into[[2]int{min(i, j), max(i, j)}] = d + b.Length + e
			}
		}
		for j, e := range other {
			below[j] = b.Length + e
		}
	}
	return below
}

// TestMidpoint: the two leaves that are farthest from one another are both half
// of that from the root, and no distance has changed.
func TestMidpoint(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		nodes := []*Tree{}
		n := rapid.IntRange(3, 40).Draw(rt, "leaves")
		for i := range n {
			nodes = append(nodes, &Tree{Item: i})
		}
		for len(nodes) > 3 {
			r.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
			joined := &Tree{Item: -1, Children: []Branch{{nodes[0], r.Float64()}, {nodes[1], r.Float64()}}}
			nodes = append(nodes[2:], joined)
		}
		top := &Tree{Item: -1, Children: []Branch{{nodes[0], r.Float64()}, {nodes[1], r.Float64()}, {nodes[2], r.Float64()}}}
		before, after, depths := map[[2]int]float64{}, map[[2]int]float64{}, map[int]float64{}
		leafDistances(top, before)
		rooted := Midpoint(top)
		leafDistances(rooted, after)
		leafDepths(rooted, 0, depths)
		if len(rooted.Children) != 2 || len(after) != n*(n-1)/2 {
			rt.Fatalf("%d children, %d pairs of %d leaves", len(rooted.Children), len(after), n)
		}
		var longest, deepest float64
		for pair, d := range before {
			longest = max(longest, d)
			if math.Abs(after[pair]-d) > 1e-9 {
				rt.Fatalf("leaves %v: %v, then %v", pair, d, after[pair])
			}
		}
		for _, d := range depths {
			deepest = max(deepest, d)
		}
		if math.Abs(deepest-longest/2) > 1e-9 {
			rt.Fatalf("deepest leaf at %v, longest way %v", deepest, longest)
		}
	})
}
