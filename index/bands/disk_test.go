// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/internal/sealed"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/lsh/storetest"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

func config(slots, b, r int) Config {
	return Config{Bands: b, Rows: r, Params: sketch.Params{
		Family:   sketch.KPerm,
		Elements: sketch.DNAElements(21),
		Hash:     sketch.Hash{Algorithm: "xxh3-64", Bits: 64, Permutation: sketch.Affine32, Seed: 1},
		Size:     slots,
	}}
}

// signature makes one of few values, so that bands are shared.
func signature(t testing.TB, p sketch.Params, r *rand.Rand, values uint32) sketch.Estimable {
	t.Helper()
	slots := make([]uint64, p.Size)
	for i := range slots {
		slots[i] = uint64(r.Uint32N(values))
	}
	s, err := minhash.New(p, slots)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func item(t testing.TB, p sketch.Params, r *rand.Rand, name string, values uint32) sketch.Item {
	return sketch.Item{Meta: sketch.Meta{ID: name, Source: name + ".txt", Length: 7}, Sketch: signature(t, p, r, values)}
}

func create(t testing.TB, c Config) (*Index, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "db")
	d, err := Create(dir, c, 2)
	if err != nil {
		t.Fatal(err)
	}
	_, commit := d.Batches()
	if err := commit(); err != nil {
		t.Fatal(err)
	}
	x, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	return x, dir
}

func reopen(dir string) (*Index, error) {
	d, err := Change(dir, 2)
	if err != nil {
		return nil, err
	}
	return New(d)
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(rt *rapid.T) (lsh.Store, func() (lsh.Store, error)) {
		x, dir := create(t, config(4, 2, 2))
		d := x.Backend.(*Disk)
		return d, func() (lsh.Store, error) {
			var err error
			switch rapid.SampledFrom([]string{"close", "compact", "reader", "crash"}).Draw(rt, "how") {
			case "compact":
				return d, d.Compact()
			case "reader": // sees all that has returned
				r, err := Open(dir)
				if err != nil {
					return nil, err
				}
				defer r.Close()
				for _, k := range []lsh.Key{{Band: 0, Hash: 1}, {Band: 256, Hash: 1 << 63}} {
					a, _ := r.Get(nil, []lsh.Key{k})
					b, _ := d.Get(nil, []lsh.Key{k})
					slices.Sort(a)
					slices.Sort(b)
					if !slices.Equal(a, b) {
						return nil, fmt.Errorf("a reader sees %v, the writer %v", a, b)
					}
				}
				return d, nil
			case "crash": // the log is not sealed
				d.lock.Close()
			default:
				if err = d.Close(); err != nil {
					return nil, err
				}
			}
			d, err = Change(dir, 1)
			return d, err
		}
	})
}

func TestStoreAtOnce(t *testing.T) {
	x, _ := create(t, config(4, 2, 2))
	storetest.RunConcurrent(t, x)
}

// scan is what searching must find: the documents that agree in all slots of a
// band.
func scan(q sketch.Item, items map[string]sketch.Item, c Config) map[string]float64 {
	want := map[string]float64{}
	a := q.Sketch.(sketch.Signature).AppendSlots(nil)
	for name, it := range items {
		b := it.Sketch.(sketch.Signature).AppendSlots(nil)
		same := 0
		for i := range a {
			if a[i] == b[i] {
				same++
			}
		}
		for band := range c.Bands {
			if slices.Equal(a[band*c.Rows:(band+1)*c.Rows], b[band*c.Rows:(band+1)*c.Rows]) {
				want[name] = float64(same) / float64(len(a))
			}
		}
	}
	return want
}

// Whatever is added, removed, compacted, closed and left by a crash, searching
// finds what a scan of the signatures that are left finds.
func TestSearchIsTheScan(t *testing.T) {
	c := config(13, 4, 3)
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		x, dir := create(t, c)
		left := map[string]sketch.Item{}
		for n := range rapid.IntRange(1, 8).Draw(rt, "steps") {
			var err error
			switch rapid.SampledFrom([]string{"add", "add", "unless", "remove", "compact", "close", "crash"}).Draw(rt, "step") {
			case "add":
				var items []sketch.Item
				for i := range r.IntN(30) {
					it := item(t, c.Params, r, fmt.Sprintf("%d.%d", n, i), 3)
					items = append(items, it)
					left[it.Meta.ID] = it
				}
				if r.IntN(2) == 0 {
					_, err = x.Add(items)
					break
				}
				_, _, err = x.AddAll(func(yield func(sketch.Item) error) error {
					for _, it := range items {
						if err := yield(it); err != nil {
							return err
						}
					}
					return nil
				}, 2000)
			case "unless":
				it := item(t, c.Params, r, fmt.Sprint(n), 2)
				like := scan(it, left, c)
				for name, s := range like {
					if s < 0.5 {
						delete(like, name)
					}
				}
				var hits []Hit
				hits, err = x.AddUnless(it, 0.5, 0.95)
				if len(hits) != len(like) && err == nil {
					rt.Fatalf("present: %d, want %d", len(hits), len(like))
				}
				if len(like) == 0 {
					left[it.Meta.ID] = it
				}
			case "remove":
				drop := func(m sketch.Meta) bool { return m.ID[len(m.ID)-1] == '3' }
				for name, it := range left {
					if drop(it.Meta) {
						delete(left, name)
					}
				}
				_, err = x.Remove(drop)
			case "compact":
				err = x.Backend.(*Disk).Compact()
			case "close":
				if err = x.Close(); err == nil {
					x, err = reopen(dir)
				}
			case "crash":
				x.Backend.(*Disk).lock.Close()
				x, err = reopen(dir)
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		if err := Check(dir); err != nil {
			rt.Fatal(err)
		}
		if n, err := x.Len(); err != nil || n != len(left) {
			rt.Fatalf("%d documents, want %d; %v", n, len(left), err)
		}
		q := item(t, c.Params, r, "q", 3)
		hits, err := x.Search(q.Sketch.(sketch.Signature), 0, 0.95)
		if err != nil {
			rt.Fatal(err)
		}
		got := map[string]float64{}
		for _, h := range hits {
			got[h.Item.Meta.ID] = h.Similarity.Value
			if h.Item.Meta != left[h.Item.Meta.ID].Meta {
				rt.Fatalf("%+v came back as %+v", left[h.Item.Meta.ID].Meta, h.Item.Meta)
			}
		}
		if want := scan(q, left, c); fmt.Sprint(got) != fmt.Sprint(want) {
			rt.Fatalf("\n got %v\nwant %v", got, want)
		}
	})
}

func TestOtherParametersAreRefused(t *testing.T) {
	c := config(12, 4, 3)
	x, dir := create(t, c)
	r := rand.New(rand.NewPCG(1, 1))
	other := c.Params
	other.Hash.Seed = 2
	for _, p := range []sketch.Params{other, config(13, 4, 3).Params} {
		it := item(t, p, r, "x", 3)
		if _, err := x.Add([]sketch.Item{it}); !errors.Is(err, sketch.ErrIncompatible) {
			t.Errorf("%s added: %v", p, err)
		}
		if _, err := x.Search(it.Sketch.(sketch.Signature), 0, 0.95); !errors.Is(err, sketch.ErrIncompatible) {
			t.Errorf("%s searched: %v", p, err)
		}
	}
	if _, err := Change(dir, 1); !errors.Is(err, sealed.ErrLocked) {
		t.Errorf("a second writer: %v", err)
	}
	if _, err := Create(dir, c, 1); !errors.Is(err, sealed.ErrLocked) {
		t.Errorf("an index over one that is written: %v", err)
	}
	x.Close()
	if _, err := Create(dir, c, 1); !errors.Is(err, os.ErrExist) {
		t.Errorf("an index over another: %v", err)
	}
	for _, bad := range []Config{{c.Params, 4, 4}, {c.Params, 0, 1}, {sketch.Params{Family: sketch.BottomK}, 1, 1}} {
		if _, err := Create(filepath.Join(t.TempDir(), "x"), bad, 1); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put([]lsh.Key{{}}, []uint32{1}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a reader writes: %v", err)
	}
	d.Close()
	if _, err := d.Get(nil, []lsh.Key{{}}); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed index answers: %v", err)
	}
}

// An empty set is like no other.
func TestEmptySets(t *testing.T) {
	c := config(12, 4, 3)
	x, _ := create(t, c)
	b, err := minhash.NewBuilder(c.Params)
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	it := sketch.Item{Meta: sketch.Meta{ID: "empty"}, Sketch: s}
	if empty, err := x.Add([]sketch.Item{it, it}); err != nil || empty != 2 {
		t.Errorf("%d empty, want 2; %v", empty, err)
	}
	if _, err := x.AddUnless(it, 0, 0.95); !errors.Is(err, lsh.ErrEmpty) {
		t.Error(err)
	}
	if hits, err := x.Search(s.(sketch.Signature), 0, 0.95); err != nil || len(hits) > 0 {
		t.Errorf("%v, %v", hits, err)
	}
}
