// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/sketch"
)

func genome(seed uint64, mutated int) string {
	r := rand.New(rand.NewPCG(seed, 0))
	b := make([]byte, 20_000)
	for i := range b {
		b[i] = "ACGT"[r.IntN(4)]
	}
	r = rand.New(rand.NewPCG(seed, uint64(mutated)))
	for range mutated {
		b[r.IntN(len(b))] = "ACGT"[r.IntN(4)]
	}
	return fmt.Sprintf(">g%d.%d\n%s\n", seed, mutated, b)
}

// Genomes are found as the comparison of all pairs of sketches ranks them.
func TestGenomes(t *testing.T) {
	for _, p := range []sketch.Params{
		{Family: sketch.FracMinHash, Elements: sketch.DNAElements(21), Hash: sketch.Hash{Algorithm: "murmur3x64", Bits: 64, Seed: 42}, Scaled: 50},
		{Family: sketch.BottomK, Elements: sketch.DNAElements(21), Hash: sketch.Hash{Algorithm: "murmur3x64", Bits: 64, Seed: 42}, Size: 500},
	} {
		t.Run(p.Family, func(t *testing.T) {
			maker, err := ingest.NewMaker(p)
			if err != nil {
				t.Fatal(err)
			}
			made := func(name, fasta string) sketch.Item {
				it, _, err := maker.Sequence(context.Background(), name, "test", strings.NewReader(fasta))
				if err != nil {
					t.Fatal(err)
				}
				return it
			}
			dir := filepath.Join(t.TempDir(), "db")
			w, err := index.Create(dir, p, 1)
			if err != nil {
				t.Fatal(err)
			}
			var all []sketch.Item
			for i := range 12 {
				all = append(all, made(fmt.Sprint(i), genome(uint64(i%2), 40*i)))
			}
			if err := w.Add(all); err != nil {
				t.Fatal(err)
			}
			if err := w.Commit(); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			x, err := index.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			if _, err := Postings(x, limits()); err == nil {
				t.Error("an index of postings is said to be added to")
			}
			o := limits()
			o.Insert = false
			r := start(t, func(o Options) (*Server, error) { return Postings(x, o) }, o)
			for _, measure := range []string{"jaccard", "containment", "max-containment"} {
				q := genome(1, 7)
				status, text := r.post("/v1/search?id=q&top=1000&threshold=0.2&measure="+measure, "text/x-fasta", q)
				if p.Family == sketch.BottomK && measure != "jaccard" {
					r.refused(400, "measure=", status, text)
					continue
				}
				var a answer
				if err := json.Unmarshal([]byte(text), &a); err != nil || status != 200 {
					t.Fatalf("%d %s: %v", status, text, err)
				}
				want := map[string]float64{}
				for _, it := range all {
					pair := distance.Compare(made("q", q), it)
					score := map[string]float64{"jaccard": pair.Jaccard(), "containment": pair.PlainContainment(), "max-containment": pair.PlainMaxContainment()}[measure]
					if score >= 0.2 {
						want[it.Meta.ID] = score
					}
				}
				got := a.Results[0]
				if len(got.Hits) != len(want) || got.Found != len(want) || len(want) < 2 || got.Query != "q" {
					t.Errorf("%s: %d hits of %d, want %d", measure, len(got.Hits), got.Found, len(want))
				}
				last := number(1)
				for _, h := range got.Hits {
					if float64(h.Similarity) != want[h.Reference] || h.Similarity > last || h.ANI == nil {
						t.Errorf("%s: %+v, want %v", measure, h, want[h.Reference])
					}
					last = h.Similarity
				}
			}
			for _, c := range []struct {
				path, body string
				status     int
				why        string
			}{
				{"/v1/search", genome(1, 1), 400, "?id=NAME"},
				{"/v1/search?id=x", "", 400, "no sequence"},
				{"/v1/search?id=x", ">a\n", 400, "no sequence"},
				{"/v1/search?id=x", "ACGT", 400, "byte 0"},
				{"/v1/search?id=x", "@a\nACGT\n+\nII\n", 400, "quality"},
				{"/v1/search?id=x", ">p\n" + strings.Repeat("MKLEFPQ", 50), 400, "not DNA"},
				{"/v1/search?id=x", "\x1f\x8b\x08\x00", 400, "byte"},
				{"/v1/insert?id=x", genome(1, 1), 403, "without --insert"},
			} {
				status, text := r.post(c.path, "text/x-fasta", c.body)
				r.refused(c.status, c.why, status, text)
			}
			r.end()
		})
	}
}
