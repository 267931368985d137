// SPDX-License-Identifier: Apache-2.0

package index

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

func params(family string, n int) sketch.Params {
	p := sketch.Params{Family: family, Elements: sketch.DNAElements(21), Hash: sketch.Murmur3(64, 42)}
	if family == sketch.BottomK {
		p.Size = n
	} else {
		p.Scaled = uint64(n)
	}
	return p
}

// item makes a sketch of random hashes from a small pool, so that sketches share
// some.
func item(t testing.TB, r *rand.Rand, p sketch.Params, name string, n int) sketch.Item {
	t.Helper()
	var hashes []uint64
	for range n {
		hashes = append(hashes, (1+r.Uint64N(300))<<40)
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	var s sketch.Sketch
	var err error
	if p.Family == sketch.BottomK {
		s, err = bottomk.New(p, hashes[:min(len(hashes), p.Size)], nil)
	} else {
		s, err = fracminhash.New(p, upTo(hashes, sketch.MaxHash(p.Scaled)), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return sketch.Item{Meta: sketch.Meta{ID: name, Source: name + ".fa", Length: uint64(n)}, Sketch: s}
}

// scan is what searching must find.
func scan(q sketch.Item, items []sketch.Item) (hits []Hit) {
	for _, it := range items {
		if p := distance.Compare(q, it); p.Shared > 0 {
			hits = append(hits, Hit{Meta: it.Meta, Pair: p})
		}
	}
	return hits
}

func sameHits(a, b []Hit) bool {
	return slices.EqualFunc(a, b, func(x, y Hit) bool {
		x.Meta.Row, y.Meta.Row = 0, 0
		return x.Meta == y.Meta && x.Pair == y.Pair
	})
}

// Whatever is added, removed and compacted, searching finds what a scan of the
// sketches that are left finds, with the same counts.
func TestSearchIsTheScan(t *testing.T) {
	for _, c := range []struct {
		family string
		own    int
		query  []int
	}{{sketch.BottomK, 40, []int{10, 40, 100}}, {sketch.FracMinHash, 60_000, []int{1, 60_000, 100_000}}} {
		t.Run(c.family, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
				dir := filepath.Join(t.TempDir(), fmt.Sprint(r.Uint64()))
				p := params(c.family, c.own)
				w, err := Create(dir, p, 2)
				if err != nil {
					rt.Fatal(err)
				}
				defer w.Close()
				var left []sketch.Item
				for n := range rapid.IntRange(1, 5).Draw(rt, "steps") {
					switch rapid.IntRange(0, 3).Draw(rt, "step") {
					case 0:
						if err := w.Compact(); err != nil {
							rt.Fatal(err)
						}
					case 1:
						drop := func(m sketch.Meta) bool { return m.Length%3 == 0 }
						if _, err := w.Remove(drop); err != nil {
							rt.Fatal(err)
						}
						left = slices.DeleteFunc(left, func(it sketch.Item) bool { return drop(it.Meta) })
					default:
						var add []sketch.Item
						for i := range r.IntN(8) {
							add = append(add, item(t, r, p, fmt.Sprintf("%d.%d", n, i), r.IntN(200)))
						}
						if err := w.Add(add); err != nil {
							rt.Fatal(err)
						}
						left = append(left, add...)
						if rapid.Bool().Draw(rt, "commit") {
							if err := w.Commit(); err != nil {
								rt.Fatal(err)
							}
						}
					}
				}
				if err := w.Commit(); err != nil {
					rt.Fatal(err)
				}
				if err := Check(dir); err != nil {
					rt.Fatal(err)
				}
				x, err := Open(dir)
				if err != nil {
					rt.Fatal(err)
				}
				defer x.Close()
				if x.Len() != len(left) {
					rt.Fatalf("%d sketches, want %d", x.Len(), len(left))
				}
				for _, size := range c.query {
					q := item(t, r, params(c.family, size), "q", r.IntN(300))
					got, err := x.Search(q)
					if err != nil {
						rt.Fatal(err)
					}
					if want := scan(q, left); !sameHits(got, want) {
						rt.Fatalf("size %d:\n got %+v\nwant %+v", size, got, want)
					}
					sketches, err := x.Sketches(got)
					if err != nil {
						rt.Fatal(err)
					}
					for i, s := range sketches {
						if p := distance.Compare(q, sketch.Item{Meta: got[i].Meta, Sketch: s}); p != got[i].Pair {
							rt.Fatalf("the sketch read again of hit %d: %+v, want %+v", i, p, got[i].Pair)
						}
					}
				}
			})
		})
	}
}

func filled(t testing.TB, dir string) []sketch.Item {
	t.Helper()
	p := params(sketch.FracMinHash, 1)
	r := rand.New(rand.NewPCG(1, 1))
	w, err := Create(dir, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var items []sketch.Item
	for i := range 20 {
		items = append(items, item(t, r, p, fmt.Sprint(i), 100))
	}
	if err := errors.Join(w.Add(items), w.Commit()); err != nil {
		t.Fatal(err)
	}
	return items
}

func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	w, err := Change(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Change(dir, 1); !errors.Is(err, ErrLocked) {
		t.Errorf("a second writer: %v", err)
	}
	if x, err := Open(dir); err != nil {
		t.Errorf("a reader beside a writer: %v", err)
	} else {
		x.Close()
	}
	w.Close()
	if w, err = Change(dir, 1); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if _, err := Create(dir, params(sketch.BottomK, 10), 1); !errors.Is(err, os.ErrExist) {
		t.Errorf("an index over another: %v", err)
	}
}

func TestOtherParametersAreRefused(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	w, err := Change(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r := rand.New(rand.NewPCG(1, 1))
	k31 := params(sketch.FracMinHash, 1)
	k31.Elements.K = 31
	for _, p := range []sketch.Params{params(sketch.FracMinHash, 2), params(sketch.BottomK, 5), k31} {
		if err := w.Add([]sketch.Item{item(t, r, p, "x", 10)}); !errors.Is(err, sketch.ErrIncompatible) {
			t.Errorf("%s: %v", p, err)
		}
	}
	x, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := x.Search(item(t, r, k31, "q", 10)); !errors.Is(err, sketch.ErrIncompatible) {
		t.Error(err)
	}
}

// What an interrupted writer leaves behind changes nothing and is removed by
// the next one; what is not ours stays.
func TestLeftoversAreSwept(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	for _, name := range []string{"2.sketches", "2.postings", ".3.postings123456", "MANIFEST99", "notes.txt", "MY-MANIFEST"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Check(dir); err != nil {
		t.Fatal(err)
	}
	w, err := Change(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"1.postings", "1.sketches", "LOCK", "MANIFEST", "MY-MANIFEST", "notes.txt"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}

// What was added and not committed is gone, files and all; of a new index
// nothing is left.
func TestOnlyWhatIsCommitted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	p := params(sketch.FracMinHash, 1)
	r := rand.New(rand.NewPCG(1, 1))
	w, err := Create(dir, p, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Add([]sketch.Item{item(t, r, p, "a", 100)}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("something is left of a new index: %v", err)
	}
	items := filled(t, dir)
	if w, err = Change(dir, 1); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Add([]sketch.Item{item(t, r, p, "a", 100)}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 4 {
		t.Errorf("%v, %v", entries, err)
	}
	x, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if x.Len() != len(items) {
		t.Errorf("%d sketches, want %d", x.Len(), len(items))
	}
}

// Every flipped bit is noticed by Check, and no search gives other counts.
func TestFlippedBits(t *testing.T) {
	dir := t.TempDir()
	items := filled(t, dir)
	r := rand.New(rand.NewPCG(7, 7))
	for _, name := range []string{"1.postings", "1.sketches", "MANIFEST"} {
		path := filepath.Join(dir, name)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			bad := slices.Clone(good)
			bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := Check(dir); err == nil {
				t.Fatalf("%s: a flipped bit passes", name)
			}
			x, err := Open(dir)
			if err != nil {
				continue
			}
			for _, q := range items[:3] {
				if got, err := x.Search(q); err == nil && name == "1.postings" && !sameHits(got, scan(q, items)) {
					t.Fatalf("%s: a search finds something else", name)
				}
			}
			x.Close()
		}
		if err := os.WriteFile(path, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTruncation(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	path := filepath.Join(dir, "1.postings")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(good) {
		if _, err := openPostings(bytes.NewReader(good[:n]), int64(n)); err == nil {
			t.Fatalf("%d of %d bytes are opened", n, len(good))
		}
	}
}

func FuzzPostings(f *testing.F) {
	var b bytes.Buffer
	p := newPostingsWriter(&b, true)
	for h := range uint64(600) {
		if err := p.add(h*h, []posting{{0, uint32(h)}, {1, uint32(h)}}); err != nil {
			f.Fatal(err)
		}
	}
	if err := p.close([]uint32{600, 600}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(postingsMagic + postingsMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := openPostings(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		_ = p.each(func(uint64, []posting) error { return nil })
		_ = p.find([]uint64{0, 1, 4, math.MaxUint64}, func(int, []byte) bool { return true })
	})
}

func BenchmarkSearch(b *testing.B) {
	dir := b.TempDir()
	r := rand.New(rand.NewPCG(1, 1))
	p := params(sketch.FracMinHash, 1000)
	w, err := Create(dir, p, 2)
	if err != nil {
		b.Fatal(err)
	}
	var items []sketch.Item
	for i := range 400 {
		hashes := make([]uint64, 5000)
		for j := range hashes {
			hashes[j] = r.Uint64N(sketch.MaxHash(1000))
		}
		slices.Sort(hashes)
		s, err := fracminhash.New(p, slices.Compact(hashes), nil)
		if err != nil {
			b.Fatal(err)
		}
		items = append(items, sketch.Item{Meta: sketch.Meta{ID: fmt.Sprint(i)}, Sketch: s})
	}
	if err := errors.Join(w.Add(items), w.Commit()); err != nil {
		b.Fatal(err)
	}
	w.Close()
	x, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.Search(items[0]); err != nil {
			b.Fatal(err)
		}
	}
}
