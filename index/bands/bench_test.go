// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// corpus makes n signatures of random slots; each tenth is like the one before
// it in 4 of 5 slots.
func corpus(b testing.TB, p sketch.Params, n int, yield func([]sketch.Item)) {
	r := rand.New(rand.NewPCG(1, 2))
	slots := make([]uint64, p.Size)
	var part []sketch.Item
	for i := range n {
		for j := range slots {
			if i%10 != 9 || r.IntN(5) == 0 {
				slots[j] = uint64(r.Uint32())
			}
		}
		s, err := minhash.New(p, slots)
		if err != nil {
			b.Fatal(err)
		}
		part = append(part, sketch.Item{Meta: sketch.Meta{ID: fmt.Sprintf("document-%d", i), Source: "corpus.jsonl"}, Sketch: s})
		if len(part) == 100_000 || i == n-1 {
			yield(part)
			part = part[:0]
		}
	}
}

// BenchmarkLookup is of an index of GSKETCH_DOCUMENTS documents (20,000) of 20
// bands of 6: the median time of Candidates, and the bytes of a band row.
func BenchmarkLookup(b *testing.B) {
	n := 20_000
	if s := os.Getenv("GSKETCH_DOCUMENTS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	c := config(128, 20, 6)
	x, dir := create(b, c)
	d := x.Backend.(*Disk)
	start := time.Now()
	var queries []sketch.Estimable
	corpus(b, c.Params, n, func(items []sketch.Item) {
		if _, err := x.Add(items); err != nil {
			b.Fatal(err)
		}
		for i := 0; i < len(items); i += 50 {
			queries = append(queries, items[i].Sketch.(sketch.Estimable))
		}
	})
	if err := d.Compact(); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d documents added and compacted in %v", n, time.Since(start))
	x.Close()
	start = time.Now()
	d, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	b.Logf("opened in %v", time.Since(start))
	x, err = New(d)
	if err != nil {
		b.Fatal(err)
	}
	banding := x.bandings.New().(interface {
		Candidates([]uint32, sketch.Signature) ([]uint32, error)
	})
	times := make([]time.Duration, 0, 1<<20)
	var ids []uint32
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(queries), func(i, j int) { queries[i], queries[j] = queries[j], queries[i] })
	i := 0
	lookup := func() {
		if ids, err = banding.Candidates(ids[:0], queries[i%len(queries)]); err != nil || len(ids) == 0 {
			b.Fatal(len(ids), err)
		}
		i++
	}
	for range queries { // warm
		lookup()
	}
	b.ReportAllocs()
	for b.Loop() {
		t := time.Now()
		lookup()
		times = append(times, time.Since(t))
	}
	slices.Sort(times)
	rows, _ := d.Bytes()
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "p50-ns")
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds()), "p99-ns")
	b.ReportMetric(float64(rows)/float64(n*c.Bands), "bytes/row")
}

// BenchmarkInsert is of documents of 20 bands of 6, each durable: one in a call
// that looks first, or 1,000 in a call.
func BenchmarkInsert(b *testing.B) {
	c := config(128, 20, 6)
	for _, atOnce := range []int{1, 1000} {
		b.Run(fmt.Sprint(atOnce), func(b *testing.B) {
			x, _ := create(b, c)
			defer x.Close()
			var items []sketch.Item
			corpus(b, c.Params, 50_000, func(part []sketch.Item) { items = append(items, part...) })
			n := 0
			for b.Loop() {
				part := items[n%len(items):][:atOnce]
				var err error
				if n += atOnce; atOnce == 1 {
					_, err = x.AddUnless(part[0], 0.9, 0.95)
				} else {
					_, err = x.Add(part)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "documents/s")
		})
	}
}
