// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/sketch"
)

// collection draws sketches in clusters: each is a sample of one of a few
// pools, so that some share much, some little and some nothing. Sizes, scaled
// and fullness differ; some are empty.
func collection(family string, most int) *rapid.Generator[[]sketch.HashSet] {
	return rapid.Custom(func(t *rapid.T) []sketch.HashSet {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		pools := make([][]uint64, rapid.IntRange(1, 4).Draw(t, "pools"))
		for i := range pools {
			pools[i] = make([]uint64, rapid.IntRange(1, 200).Draw(t, "pool"))
			for j := range pools[i] {
				pools[i][j] = r.Uint64() >> (r.Uint32() % 2 * 60) // half of them small: shared by pools
			}
		}
		pools[0][0] = math.MaxUint64
		p := sketch.Params{Family: family, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42)}
		sameSize := rapid.Bool().Draw(t, "same size")
		sets := make([]sketch.HashSet, rapid.IntRange(0, most).Draw(t, "sets"))
		for i := range sets {
			if !sameSize || i == 0 {
				p.Size, p.Scaled = 1+r.IntN(120), 0
				if family == sketch.FracMinHash {
					p.Size, p.Scaled = 0, 1+r.Uint64N(4)
				}
			}
			keep := r.Float64() * 1.2
			var hashes []uint64
			for _, h := range pools[r.IntN(len(pools))] {
				if r.Float64() < keep {
					hashes = append(hashes, h)
				}
			}
			if r.IntN(8) == 0 {
				hashes = nil
			}
			sets[i] = makeSet(t, p, hashes)
		}
		return sets
	})
}

// makeSet is the sketch of a set of element hashes.
func makeSet(t rapid.TB, p sketch.Params, hashes []uint64) *sketch.Set {
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	bound := uint64(math.MaxUint64)
	if p.Family == sketch.BottomK {
		if len(hashes) >= p.Size {
			hashes = hashes[:p.Size]
			bound = hashes[p.Size-1]
		}
	} else {
		bound = sketch.MaxHash(p.Scaled)
		n, _ := slices.BinarySearchFunc(hashes, bound, func(h, bound uint64) int {
			if h <= bound {
				return -1
			}
			return 1
		})
		hashes = hashes[:n]
	}
	s, err := sketch.NewSet(p, hashes, nil, bound)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ways are all finders, each of which must find what Compare finds.
var ways = map[string]func(*problem, int) (finder, error){
	"merge": func(p *problem, _ int) (finder, error) { return merger{p}, nil },
	"index": func(p *problem, threads int) (finder, error) { return newIndex(context.Background(), p, threads) },
	"index without groups": func(p *problem, threads int) (finder, error) {
		x := newBareIndex(p)
		return x, x.build(context.Background(), threads)
	},
	"index with any groups": func(p *problem, threads int) (finder, error) {
		x := newBareIndex(p)
		found := []dense{{common: 1}, {common: 2}, {common: 4}}
		for i := range x.sets {
			if g := (i * 7 % 5) - 1; g >= 0 && g < len(found) { // some in none
				found[g].members = append(found[g].members, uint32(i))
			}
		}
		x.makeGroups(found, threads)
		return x, x.build(context.Background(), threads)
	},
}

func TestEveryWayCountsAsCompare(t *testing.T) {
	for _, family := range []string{sketch.BottomK, sketch.FracMinHash} {
		for name, way := range ways {
			t.Run(family+"/"+name, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					rows := collection(family, 30).Draw(t, "rows")
					var cols []sketch.HashSet
					triangle := rapid.Bool().Draw(t, "triangle")
					if !triangle {
						cols = append(collection(family, 30).Draw(t, "columns"), rows[:len(rows)/2]...)
					}
					p, err := newProblem(rows, cols, triangle)
					if err != nil {
						t.Fatal(err)
					}
					find, err := way(p, rapid.IntRange(1, 3).Draw(t, "threads"))
					if err != nil {
						t.Fatal(err)
					}
					w := find.worker()
					for row := range rows {
						counts := p.counts(row, w.shared(row), nil, false)
						others := cols
						if triangle {
							others = rows[:row]
						}
						if want := compareRow(rows[row], others); !slices.Equal(counts, want) {
							t.Fatalf("row %d: %v, want %v", row, counts, want)
						}
					}
				})
			})
		}
	}
}

func compareRow(row sketch.HashSet, cols []sketch.HashSet) []Count {
	var counts []Count
	for col, b := range cols {
		p := Compare(sketch.Item{Sketch: row}, sketch.Item{Sketch: b})
		counts = append(counts, Count{Col: uint32(col), Shared: uint32(p.Shared), Of: uint32(p.Of)})
	}
	return counts
}

// clustered makes n bottom-k sketches of size s in clusters of the given sizes
// (repeated as often as needed); two of a cluster share about half.
func clustered(t testing.TB, n, s int, sizes ...int) []sketch.HashSet {
	r := rand.New(rand.NewPCG(7, 7))
	p := sketch.Params{Family: sketch.BottomK, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: s}
	sets := make([]sketch.HashSet, 0, n)
	for c := 0; len(sets) < n; c++ {
		ancestor := make([]uint64, s)
		for i := range ancestor {
			ancestor[i] = r.Uint64() >> 12
		}
		for range min(sizes[c%len(sizes)], n-len(sets)) {
			own := slices.Clone(ancestor)
			for i := range own {
				if r.IntN(4) == 0 {
					own[i] = r.Uint64() >> 12
				}
			}
			sets = append(sets, makeSet(t, p, own))
		}
	}
	r.Shuffle(n, func(i, j int) { sets[i], sets[j] = sets[j], sets[i] })
	return sets
}

// nested makes n sets whose hashes come from one ancestor by way of branches of
// 10, so that some hashes are common, some are of a branch and some of one set.
func nested(t testing.TB, family string, n, hashes int) []sketch.HashSet {
	r := rand.New(rand.NewPCG(3, 5))
	p := sketch.Params{Family: family, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42), Size: hashes}
	if family == sketch.FracMinHash {
		p.Size, p.Scaled = 0, 2
	}
	mutate := func(from []uint64, rate float64) []uint64 {
		own := slices.Clone(from)
		for i := range own {
			if r.Float64() < rate {
				own[i] = r.Uint64() >> 1
			}
		}
		return own
	}
	ancestor := mutate(make([]uint64, hashes*3/2), 1)
	var branch []uint64
	sets := make([]sketch.HashSet, n)
	for i := range sets {
		if i%10 == 0 {
			branch = mutate(ancestor, 0.2)
		}
		if p.Size > 0 {
			p.Size = hashes - i%3*hashes/10
		}
		sets[i] = makeSet(t, p, mutate(branch, 0.1))
	}
	r.Shuffle(n, func(i, j int) { sets[i], sets[j] = sets[j], sets[i] })
	return sets
}

func TestDenseGroups(t *testing.T) {
	for _, family := range []string{sketch.BottomK, sketch.FracMinHash} {
		related := nested(t, family, 200, 300)
		for i := range 50 { // strangers
			related = slices.Insert(related, i*4, nested(t, family, 1, 20+i)[0])
		}
		for _, triangle := range []bool{true, false} {
			rows, cols := related, related
			if !triangle {
				rows, cols = related[:90], related[60:]
			}
			p, err := newProblem(rows, cols, triangle)
			if err != nil {
				t.Fatal(err)
			}
			x, err := newIndex(t.Context(), p, 2)
			if err != nil {
				t.Fatal(err)
			}
			if len(x.groups) < 2 {
				t.Errorf("%s: no dense group found", family)
			}
			w := x.worker()
			for row := range rows {
				others := cols
				if triangle {
					others = rows[:row]
				}
				counts := p.counts(row, w.shared(row), nil, false)
				if want := compareRow(rows[row], others); !slices.Equal(counts, want) {
					t.Fatalf("%s, row %d: %v, want %v", family, row, counts, want)
				}
			}
		}
	}
}

func collect(row int, counts []Count, reuse []Count) ([]Count, error) {
	return append(reuse[:0], counts...), nil
}

func TestTriangleInOrderForAnyThreads(t *testing.T) {
	sets := clustered(t, 150, 50, 10)
	for _, sparse := range []bool{false, true} {
		for _, threads := range []int{1, 2, 7} {
			row := 0
			err := Triangle(t.Context(), sets, Options{Threads: threads, Sparse: sparse}, collect, func(got []Count) error {
				want := compareRow(sets[row], sets[:row])
				if sparse {
					want = slices.DeleteFunc(want, func(c Count) bool { return c.Shared == 0 })
				}
				if !slices.Equal(got, want) {
					return fmt.Errorf("row %d: %v, want %v", row, got, want)
				}
				row++
				return nil
			})
			if err != nil || row != len(sets) {
				t.Fatalf("%d threads, sparse %t: %d rows, %v", threads, sparse, row, err)
			}
		}
	}
}

func TestRectangle(t *testing.T) {
	sets := clustered(t, 60, 50, 10)
	rows, cols := sets[:20], sets[10:]
	row := 0
	err := Rectangle(t.Context(), rows, cols, Options{Threads: 2}, collect, func(got []Count) error {
		if want := compareRow(rows[row], cols); !slices.Equal(got, want) {
			return fmt.Errorf("row %d: %v, want %v", row, got, want)
		}
		row++
		return nil
	})
	if err != nil || row != len(rows) {
		t.Fatalf("%d rows, %v", row, err)
	}
	row = 0
	if err := Rectangle(t.Context(), rows, nil, Options{}, collect, func(got []Count) error {
		if len(got) != 0 {
			return fmt.Errorf("no columns, yet %v", got)
		}
		row++
		return nil
	}); err != nil || row != len(rows) {
		t.Fatalf("no columns: %d rows, %v", row, err)
	}
}

func TestNothingToCompare(t *testing.T) {
	rows := 0
	emit := func(got []Count) error { rows += 1 + len(got); return nil }
	if err := Triangle(t.Context(), nil, Options{Threads: 2}, collect, emit); err != nil || rows != 0 {
		t.Errorf("no sets: %d rows, %v", rows, err)
	}
	if err := Triangle(t.Context(), clustered(t, 1, 5, 1), Options{Threads: 2}, collect, emit); err != nil || rows != 1 {
		t.Errorf("one set: %d rows, %v", rows, err)
	}
}

func TestAllPairsStops(t *testing.T) {
	sets := clustered(t, 100, 20, 10)
	stop := errors.New("stop")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		do   func(int, []Count, []Count) ([]Count, error)
		emit func([]Count) error
		want error
	}{
		{"do", t.Context(), func(row int, c, reuse []Count) ([]Count, error) {
			if row == 50 {
				return nil, stop
			}
			return collect(row, c, reuse)
		}, func([]Count) error { return nil }, stop},
		{"emit", t.Context(), collect, func(c []Count) error {
			if len(c) == 50 {
				return stop
			}
			return nil
		}, stop},
		{"context", ctx, collect, func([]Count) error { return nil }, context.Canceled},
	} {
		if err := Triangle(c.ctx, sets, Options{Threads: 2}, c.do, c.emit); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	other := sets[0].Params()
	other.Elements.K = 31
	mixed := append(slices.Clone(sets), makeSet(t, other, []uint64{1}))
	if err := Triangle(t.Context(), mixed, Options{}, collect, func([]Count) error { return nil }); !errors.Is(err, sketch.ErrIncompatible) {
		t.Errorf("k = 21 and 31: %v", err)
	}
}

// pairs/s is what to compare: `mash triangle` does about 62,000 a second.
func BenchmarkTriangle(b *testing.B) {
	for _, c := range []struct {
		name  string
		n     int
		sizes []int
	}{
		{"3000/clusters=20", 3000, []int{20}},
		{"2000/clusters=1000", 2000, []int{1000}},
	} {
		sets := clustered(b, c.n, 1000, c.sizes...)
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/threads=%d", c.name, threads), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					pairs := 0
					err := Triangle(b.Context(), sets, Options{Threads: threads},
						func(_ int, c []Count, _ int) (int, error) { return len(c), nil },
						func(n int) error { pairs += n; return nil })
					if err != nil || pairs != c.n*(c.n-1)/2 {
						b.Fatal(pairs, err)
					}
				}
				b.ReportMetric(float64(c.n*(c.n-1)/2)*float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
			})
		}
	}
}
