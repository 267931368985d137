// SPDX-License-Identifier: Apache-2.0

package redisstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/internal/redistest"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/lsh/storetest"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

func config(slots, b, r int) bands.Config {
	return bands.Config{Bands: b, Rows: r, Params: sketch.Params{
		Family:   sketch.KPerm,
		Elements: sketch.DNAElements(21),
		Hash:     sketch.Hash{Algorithm: "sha1", Bits: 64, Permutation: sketch.Affine32, Seed: 1},
		Size:     slots,
	}}
}

func item(t testing.TB, p sketch.Params, r *rand.Rand, name string, values uint32) sketch.Item {
	t.Helper()
	slots := make([]uint64, p.Size)
	for i := range slots {
		slots[i] = uint64(r.Uint32N(values))
	}
	s, err := minhash.New(p, slots)
	if err != nil {
		t.Fatal(err)
	}
	return sketch.Item{Meta: sketch.Meta{ID: name, Length: 5}, Sketch: s}
}

func options(s *redistest.Server, prefix string) Options {
	return Options{Address: s.Address, Prefix: prefix, Patience: 10 * time.Second}
}

func make1(t testing.TB, s *redistest.Server, prefix string, c bands.Config) *bands.Index {
	t.Helper()
	r, err := Create(context.Background(), options(s, prefix), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	x, err := bands.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestStore(t *testing.T) {
	s := redistest.Start(t)
	var n int
	storetest.Run(t, func(*rapid.T) (lsh.Store, func() (lsh.Store, error)) {
		n++
		prefix := fmt.Sprint("p", n)
		return make1(t, s, prefix, config(4, 2, 2)), func() (lsh.Store, error) {
			return Open(context.Background(), options(s, prefix))
		}
	})
	storetest.RunConcurrent(t, make1(t, s, "at once", config(4, 2, 2)))
}

// What is in Redis is found as what is on disk.
func TestSameAsOnDisk(t *testing.T) {
	s := redistest.Start(t)
	c := config(13, 4, 3)
	there := make1(t, s, "x", c)
	d, err := bands.Create(t.TempDir()+"/db", c, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	here, err := bands.New(d)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 20 {
		var items []sketch.Item
		for i := range 40 {
			items = append(items, item(t, c.Params, r, fmt.Sprint(round, ".", i), 4))
		}
		drop := func(m sketch.Meta) bool { return m.ID[len(m.ID)-1] == '3' }
		var counts [2][3]int
		var hits [2]map[string]float64
		one := item(t, c.Params, r, fmt.Sprint(round), 3)
		for i, x := range []*bands.Index{here, there} {
			if _, err := x.Add(items); err != nil {
				t.Fatal(err)
			}
			like, err := x.AddUnless(one, 0.6, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			counts[i][0] = len(like)
			if counts[i][1], err = x.Remove(drop); err != nil {
				t.Fatal(err)
			}
			if counts[i][2], err = x.Len(); err != nil {
				t.Fatal(err)
			}
			found, err := x.Search(items[0].Sketch.(sketch.Signature), 0, 0.95)
			if err != nil || len(found) == 0 {
				t.Fatal(found, err)
			}
			hits[i] = map[string]float64{}
			for _, h := range found {
				hits[i][h.Item.Meta.ID] = h.Similarity.Value
			}
			if err := x.CheckBuckets(); err != nil {
				t.Fatal(err)
			}
		}
		if counts[0] != counts[1] || fmt.Sprint(hits[0]) != fmt.Sprint(hits[1]) {
			t.Fatalf("round %d: on disk %v %v, in Redis %v %v", round, counts[0], hits[0], counts[1], hits[1])
		}
	}
}

func TestParametersAreStored(t *testing.T) {
	s := redistest.Start(t)
	c := config(12, 4, 3)
	x := make1(t, s, "p", c)
	if _, err := Create(context.Background(), options(s, "p"), c); !errors.Is(err, os.ErrExist) {
		t.Errorf("an index over another: %v", err)
	}
	var input *sketch.InputError
	if _, err := Open(context.Background(), options(s, "other")); !errors.As(err, &input) {
		t.Errorf("no index: %v", err)
	}
	again, err := Open(context.Background(), options(s, "p"))
	if err != nil || again.Config() != c {
		t.Fatalf("%v, want %v; %v", again, c, err)
	}
	other := c.Params
	other.Hash.Seed = 2
	if _, err := x.Add([]sketch.Item{item(t, other, rand.New(rand.NewPCG(1, 1)), "x", 3)}); !errors.Is(err, sketch.ErrIncompatible) {
		t.Errorf("another seed: %v", err)
	}
}

// A server that is restarted with its data during a run: all that was
// acknowledged is there, once, and nothing is refused.
func TestRestart(t *testing.T) {
	s := redistest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
	c := config(12, 4, 3)
	x := make1(t, s, "p", c)
	stop := make(chan struct{})
	var added atomic.Int64
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 9))
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				it := item(t, c.Params, r, fmt.Sprintf("%d.%d", w, n), 1<<30)
				var err error
				if n%2 == 0 {
					_, err = x.AddUnless(it, 0.5, 0.95)
				} else {
					_, err = x.Add([]sketch.Item{it})
				}
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
				if hits, err := x.Search(it.Sketch.(sketch.Signature), 0, 0.95); err != nil || len(hits) != 1 || hits[0].Item.Meta.ID != it.Meta.ID {
					t.Errorf("%s is found as %v; %v", it.Meta.ID, hits, err)
				}
				added.Add(1)
			}
		})
	}
	for range 3 {
		time.Sleep(300 * time.Millisecond)
		s.Stop()
		time.Sleep(200 * time.Millisecond)
		s.Run()
	}
	time.Sleep(300 * time.Millisecond)
	close(stop)
	wg.Wait()
	names := map[string]int{}
	if err := x.EachItem(func(_ uint32, it sketch.Item) error { names[it.Meta.ID]++; return nil }); err != nil {
		t.Fatal(err)
	}
	if int64(len(names)) != added.Load() || len(names) < 50 {
		t.Errorf("%d documents, %d were acknowledged", len(names), added.Load())
	}
	for name, n := range names {
		if n != 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
	if err := x.CheckBuckets(); err != nil {
		t.Error(err)
	}
}

// A server that comes back empty is an error, not an index in which nothing is
// like anything; so is one that does not come back.
func TestLost(t *testing.T) {
	s := redistest.Start(t)
	c := config(12, 4, 3)
	r, err := Create(context.Background(), options(s, "p"), c)
	if err != nil {
		t.Fatal(err)
	}
	x, err := bands.New(r)
	if err != nil {
		t.Fatal(err)
	}
	it := item(t, c.Params, rand.New(rand.NewPCG(1, 1)), "x", 9)
	if _, err := x.Add([]sketch.Item{it}); err != nil {
		t.Fatal(err)
	}
	s.Stop()
	s.Run()
	check := func(when string) {
		_, search := x.Search(it.Sketch.(sketch.Signature), 0, 0.95)
		_, add := x.Add([]sketch.Item{it})
		_, unless := x.AddUnless(it, 0.5, 0.95)
		_, length := x.Len()
		for i, err := range []error{search, add, unless, length, x.Put([]lsh.Key{{}}, []uint32{0}), x.EachItem(func(uint32, sketch.Item) error { return nil })} {
			if !errors.Is(err, ErrBackend) {
				t.Errorf("%s, call %d: %v", when, i, err)
			}
		}
	}
	check("empty")
	s.Stop()
	r.o.Patience = 100 * time.Millisecond
	check("gone")
}

func TestURL(t *testing.T) {
	t.Setenv(PasswordVariable, "secret")
	o, err := ParseURL("redis://localhost/a/b?db=3&x=y&patience=1s")
	if err != nil || o.Address != "localhost:6379" || o.Prefix != "a/b" || o.Database != 3 || o.Password != "secret" || o.TLS != nil || o.Patience != time.Second || o.Query.Get("x") != "y" {
		t.Errorf("%+v, %v", o, err)
	}
	if o, err = ParseURL("rediss://[::1]:7/p"); err != nil || o.TLS == nil || o.Address != "[::1]:7" {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range []string{"redis://u:p@h/x", "redis://h", "redis:///x", "http://h/x", "redis://h/x?db=-1", "redis://h/x?patience=1", "redis://h/{x}"} {
		if _, err := ParseURL(bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

func TestPassword(t *testing.T) {
	s := redistest.Start(t, "--requirepass", "secret")
	o := options(s, "p")
	o.Patience = 0
	if _, err := Create(context.Background(), o, config(12, 4, 3)); !errors.Is(err, ErrBackend) {
		t.Errorf("without password: %v", err)
	}
	o.Password = "secret"
	if _, err := Create(context.Background(), o, config(12, 4, 3)); err != nil {
		t.Error(err)
	}
}

// TLS and password come from the environment; a certificate that nobody vouches
// for, no TLS and a wrong password are errors at once, and none of them says the
// password.
func TestTLS(t *testing.T) {
	s := redistest.StartTLS(t, "--requirepass", "secret")
	connect := func(scheme, ca, password string) error {
		t.Setenv(CAVariable, ca)
		t.Setenv(PasswordVariable, password)
		o, err := ParseURL(scheme + "://" + s.Address + "/p?patience=0s")
		if err != nil {
			t.Fatal(err)
		}
		r, err := Create(context.Background(), o, config(12, 4, 3))
		if err == nil {
			r.Close()
		}
		return err
	}
	for _, c := range []struct{ name, scheme, ca, password string }{
		{"a wrong password", "rediss", s.CA, "wrong secret"},
		{"no password", "rediss", s.CA, ""},
		{"an unknown certificate", "rediss", "", "secret"},
		{"no TLS", "redis", s.CA, "secret"},
	} {
		if err := connect(c.scheme, c.ca, c.password); !errors.Is(err, ErrBackend) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if err := connect("rediss", s.CA, "secret"); err != nil {
		t.Error(err)
	}
	if err := connect("rediss", s.CA, "secret"); !errors.Is(err, os.ErrExist) {
		t.Errorf("again: %v", err)
	}
}

// BenchmarkInsert is of documents of 20 bands, 1,000 in a call.
func BenchmarkInsert(b *testing.B) {
	s := redistest.Start(b)
	c := config(128, 20, 6)
	x := make1(b, s, "p", c)
	r := rand.New(rand.NewPCG(1, 1))
	var items []sketch.Item
	for i := range 20_000 {
		items = append(items, item(b, c.Params, r, fmt.Sprint("document-", i), 1<<31))
	}
	n := 0
	for b.Loop() {
		for part := range slices.Chunk(items, 1000) {
			if _, err := x.Add(part); err != nil {
				b.Fatal(err)
			}
			n += len(part)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "documents/s")
}
