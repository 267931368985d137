// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"iter"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/formats/steps"
)

// Clusters are those that walking the edges finds, whatever the rows are
// numbered by.
func TestClusterRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		row := rapid.OneOf(rapid.Int64Range(0, 40), rapid.Int64Range(500, 530), rapid.Int64Range(1<<40, 1<<40+9), rapid.Int64Range(1<<63-5, 1<<63-1))
		var edges []steps.Edge
		next := map[int64][]int64{}
		for range rapid.IntRange(0, 60).Draw(t, "edges") {
			a, b := row.Draw(t, "a"), row.Draw(t, "b")
			if a == b {
				continue
			}
			j := rapid.SampledFrom([]float64{0.5, 0.79, 0.8, 1}).Draw(t, "jaccard")
			edges = append(edges, steps.Edge{A: min(a, b), B: max(a, b), Jaccard: &j})
			if j >= 0.8 {
				next[a], next[b] = append(next[a], b), append(next[b], a)
			}
		}
		want := map[int64]int64{}
		for _, start := range slices.Sorted(maps.Keys(next)) { // the smallest row of a component comes first
			for todo := []int64{start}; len(todo) > 0; todo = todo[1:] {
				if _, done := want[todo[0]]; !done {
					want[todo[0]] = start
					todo = append(todo, next[todo[0]]...)
				}
			}
		}
		got, last := map[int64]int64{}, int64(-1)
		all := func() iter.Seq2[steps.Edge, error] {
			return func(yield func(steps.Edge, error) bool) {
				for _, e := range edges {
					if !yield(e, nil) {
						return
					}
				}
			}
		}
		for c, err := range ClusterRows(0.8, all) {
			if err != nil || c.Row <= last {
				t.Fatal(c, last, err)
			}
			got[c.Row], last = c.Cluster, c.Row
		}
		if !maps.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
