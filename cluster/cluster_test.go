// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func matrixOf(t testing.TB, lower []float64) *Matrix {
	t.Helper()
	n := 1
	for n*(n-1)/2 < len(lower) {
		n++
	}
	m, err := NewMatrix(n)
	if err != nil {
		t.Fatal(err)
	}
	copy(m.d, lower)
	return m
}

// samePartition says whether two labellings put the same items together.
func samePartition(a, b []int) bool {
	return slices.Equal(Number(a), Number(b))
}

func TestLinkageIsScipys(t *testing.T) {
	data, err := os.ReadFile("testdata/scipy.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	get := func(key string, v any) {
		if err := json.Unmarshal(want[key], v); err != nil {
			t.Fatal(key, err)
		}
	}
	var lower []float64
	get("lower", &lower)
	m := matrixOf(t, lower)
	for _, method := range []Method{Single, Complete, Average} {
		var z [][4]float64
		get(string(method), &z)
		var cut []int
		get(string(method)+"_cut", &cut)
		got, err := Linkage(m, method)
		if err != nil || len(got) != len(z) {
			t.Fatal(err, got)
		}
		for i, g := range got {
			if float64(g.A) != z[i][0] || float64(g.B) != z[i][1] || math.Abs(g.Height-z[i][2]) > 1e-12 || float64(g.Size) != z[i][3] {
				t.Errorf("%s, merge %d: %v, want %v", method, i, g, z[i])
			}
		}
		if c := Cut(got, m.Len(), 0.4); !samePartition(c, cut) {
			t.Errorf("%s: clusters %v, want %v", method, c, cut)
		}
	}
}

// plainLinkage looks at all pairs of clusters in every step, and at all pairs
// of their members for the distance.
func plainLinkage(m *Matrix, method Method) []float64 {
	clusters := make([][]int, m.n)
	for i := range clusters {
		clusters[i] = []int{i}
	}
	far := func(a, b []int) float64 {
		var ds []float64
		for _, i := range a {
			for _, j := range b {
				ds = append(ds, m.At(i, j))
			}
		}
		switch method {
		case Single:
			return slices.Min(ds)
		case Complete:
			return slices.Max(ds)
		}
		var sum float64
		for _, d := range ds {
			sum += d
		}
		return sum / float64(len(ds))
	}
	var heights []float64
	for len(clusters) > 1 {
		x, y, best := 0, 0, math.Inf(1)
		for i := range clusters {
			for j := range i {
				if d := far(clusters[i], clusters[j]); d < best {
					x, y, best = j, i, d
				}
			}
		}
		heights = append(heights, best)
		clusters[x] = append(clusters[x], clusters[y]...)
		clusters = slices.Delete(clusters, y, y+1)
	}
	return heights
}

func randomMatrix(t testing.TB, r *rand.Rand, n int) *Matrix {
	lower := make([]float64, n*(n-1)/2)
	for i := range lower {
		lower[i] = r.Float64()
	}
	return matrixOf(t, lower)
}

func TestLinkageIsThePlainOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		m := randomMatrix(t, r, rapid.IntRange(2, 14).Draw(rt, "n"))
		for _, method := range []Method{Single, Complete, Average} {
			got, err := Linkage(m, method)
			if err != nil {
				rt.Fatal(err)
			}
			for i, h := range plainLinkage(m, method) {
				if math.Abs(got[i].Height-h) > 1e-12 {
					rt.Fatalf("%s, merge %d at %v, want %v", method, i, got[i].Height, h)
				}
			}
		}
	})
}

// Single linkage cut at a height is connected components.
func TestSingleLinkageIsComponents(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		n := rapid.IntRange(1, 20).Draw(rt, "n")
		m := randomMatrix(t, r, n)
		at := rapid.Float64Range(0, 0.3).Draw(rt, "height")
		u := NewUnionFind(n)
		for i := range n {
			for j := range i {
				if m.At(i, j) <= at {
					u.Union(uint32(i), uint32(j))
				}
			}
		}
		merges, err := Linkage(m, Single)
		if err != nil {
			rt.Fatal(err)
		}
		if got, want := Cut(merges, n, at), u.Labels(); !slices.Equal(got, want) {
			rt.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestGreedyContract(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		n := rapid.IntRange(1, 25).Draw(rt, "n")
		m := randomMatrix(t, r, n)
		const reach = 0.3
		near := make([][]Neighbour, n)
		for i := range n {
			for j := range n {
				if i != j && m.At(i, j) <= reach {
					near[i] = append(near[i], Neighbour{j, m.At(i, j)})
				}
			}
		}
		order := r.Perm(n)
		rep := Greedy(near, order)
		for i, a := range rep {
			if rep[a] != a {
				rt.Fatalf("the representative %d of %d is none", a, i)
			}
			if m.At(i, a) > reach {
				rt.Fatalf("%d is %v from its representative", i, m.At(i, a))
			}
			for _, b := range rep[:i] {
				if a != b && m.At(a, b) <= reach {
					rt.Fatalf("representatives %d and %d are near", a, b)
				}
			}
		}
	})
}

func TestMedoids(t *testing.T) {
	m := matrixOf(t, []float64{1, 5, 1, 9, 9, 9})
	if got := Medoids([]int{0, 0, 0, 1}, m); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("%v", got)
	}
}

// The example of Wikipedia's article on neighbour joining (five taxa).
func TestNeighborJoiningPublished(t *testing.T) {
	m := matrixOf(t, []float64{5, 9, 10, 9, 10, 8, 8, 9, 7, 3})
	tree, err := NeighborJoining(m)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tree.Newick([]string{"a", "b", "c", "d", "e"}), "(((a:2,b:3):3,c:4):2,d:2,e:1);"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// distances are those between the leaves of a tree.
func distances(t *Tree, d map[[2]int]float64) map[int]float64 {
	if len(t.Children) == 0 {
		return map[int]float64{t.Item: 0}
	}
	all := map[int]float64{}
	for _, c := range t.Children {
		below := distances(c.To, d)
		for i, x := range below {
			below[i] = x + c.Length
		}
		for i, x := range below {
			for j, y := range all {
				d[[2]int{max(i, j), min(i, j)}] = x + y
			}
		}
		for i, x := range below {
			all[i] = x
		}
	}
	return all
}

// Distances that come from a tree give that tree's distances back.
func TestNeighborJoiningOfAdditiveDistances(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		n := rapid.IntRange(2, 20).Draw(rt, "n")
		nodes := make([]*Tree, n)
		for i := range nodes {
			nodes[i] = &Tree{Item: i}
		}
		for len(nodes) > 1 {
			i := r.IntN(len(nodes) - 1)
			nodes[i] = &Tree{Item: -1, Children: []Branch{{nodes[i], 0.01 + r.Float64()}, {nodes[len(nodes)-1], 0.01 + r.Float64()}}}
			nodes = nodes[:len(nodes)-1]
		}
		want, got := map[[2]int]float64{}, map[[2]int]float64{}
		distances(nodes[0], want)
		m, err := NewMatrix(n)
		if err != nil {
			rt.Fatal(err)
		}
		for p, d := range want {
			m.set(p[0], p[1], d)
		}
		tree, err := NeighborJoining(m)
		if err != nil {
			rt.Fatal(err)
		}
		distances(tree, got)
		for p, d := range want {
			if math.Abs(got[p]-d) > 1e-9 {
				rt.Fatalf("%v: %v, want %v", p, got[p], d)
			}
		}
	})
}

func TestUPGMA(t *testing.T) {
	tree, err := UPGMA(matrixOf(t, []float64{2, 6, 8}))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tree.Newick([]string{"a", "b c", "it's"}), "('it''s':3.5,(a:1,'b c':1):2.5);"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestUndefinedDistancesAreRefused(t *testing.T) {
	m := matrixOf(t, []float64{1, math.NaN(), 2})
	if _, err := Linkage(m, Average); err == nil {
		t.Error("Linkage")
	}
	if _, err := NeighborJoining(m); err == nil {
		t.Error("NeighborJoining")
	}
}

func BenchmarkLinkage(b *testing.B) {
	m := randomMatrix(b, rand.New(rand.NewPCG(1, 1)), 2000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Linkage(m, Average); err != nil {
			b.Fatal(err)
		}
	}
}
