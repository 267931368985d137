// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestForest(t *testing.T) {
	f, err := NewForest(params(6), 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range []slots{signature(1, 2, 3, 4, 5, 6), signature(1, 2, 9, 9, 9, 9), signature(9, 9, 9, 4, 5, 6), signature(8, 8, 8, 8, 8, 8)} {
		if err := f.Insert(uint32(i), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Insert(0, signature(1, 1, 1, 1, 1, 1)); err == nil {
		t.Error("a row twice")
	}
	f.Index()
	q := signature(1, 2, 3, 4, 5, 6)
	hits, err := f.TopK(q, 2, 4, 0.95)
	if err != nil || len(hits) != 2 || hits[0].Row != 0 || hits[0].Similarity != 1 || hits[1].Row != 2 || hits[1].Similarity != 0.5 {
		t.Errorf("%v, %v", hits, err)
	}
	rows, err := f.Nearest(q, 10)
	if err != nil || !slices.Equal(rows, []uint32{0, 2, 1}) {
		t.Errorf("%v, %v", rows, err)
	}
}

func TestEnsembleFindsItself(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var sets []SizedSet
	for i, s := range random(r, 50, 64, 1000) {
		sets = append(sets, SizedSet{uint32(i), 1 + r.IntN(500), s})
	}
	e, err := NewEnsemble(params(64), sets, 0.5, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sets {
		got, err := e.Query(s.Signature, s.Size)
		if err != nil || !slices.Contains(got, s.Row) {
			t.Fatalf("row %d of size %d: %v, %v", s.Row, s.Size, got, err)
		}
	}
	if _, err := e.Query(sets[0].Signature, 0); err == nil {
		t.Error("a query of size 0")
	}
}
