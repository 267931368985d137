// SPDX-License-Identifier: Apache-2.0

package bands

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// An Index finds signatures that share a band with a given one. It is safe for
// concurrent use.
type Index struct {
	Backend
	bandings sync.Pool // of *lsh.Banding, which belong to one goroutine each
}

// New returns the index over a backend.
func New(b Backend) (*Index, error) {
	c := b.Config()
	if err := c.Validate(); err != nil {
		return nil, err
	}
	x := &Index{Backend: b}
	x.bandings.New = func() any {
		banding, _ := lsh.NewBanding(c.Params, c.Bands, c.Rows, b) // validated above
		return banding
	}
	return x, nil
}

// Params are those of all signatures.
func (x *Index) Params() sketch.Params { return x.Config().Params }

func (x *Index) document(it sketch.Item) (Document, error) {
	sig, ok := it.Sketch.(sketch.Signature)
	if !ok {
		return Document{}, fmt.Errorf("%s: %w: a %s sketch has no slots to band", it.Meta.Label(), sketch.ErrIncompatible, it.Sketch.Params().Family)
	}
	banding := x.bandings.Get().(*lsh.Banding)
	defer x.bandings.Put(banding)
	keys, err := banding.Keys(nil, sig)
	if err != nil {
		return Document{}, fmt.Errorf("%s: %w", it.Meta.Label(), err)
	}
	return Document{Keys: keys, Record: appendItem(nil, it.Meta, sig)}, nil
}

// Add adds signatures, which must have the parameters of the index. Those of
// empty sets are like no other: they are left out and counted.
func (x *Index) Add(items []sketch.Item) (empty int, err error) {
	docs := make([]Document, 0, len(items))
	for _, it := range items {
		d, err := x.document(it)
		if errors.Is(err, lsh.ErrEmpty) {
			empty++
			continue
		} else if err != nil {
			return 0, err
		}
		docs = append(docs, d)
	}
	if len(docs) == 0 {
		return empty, nil
	}
	return empty, x.Insert(docs)
}

// AddAll adds the signatures that each yields, all of them or none where the
// backend can; memory bounds what is held of them. It counts those that were
// added and, left out, those of empty sets.
func (x *Index) AddAll(each func(yield func(sketch.Item) error) error, memory uint64) (n, empty int, err error) {
	const perKey, perDocument = 48, 256 // with rows and their sorting; without the record
	insert, commit := x.Insert, func() error { return nil }
	if b, ok := x.Backend.(interface {
		Batches() (func([]Document) error, func() error)
	}); ok {
		insert, commit = b.Batches()
	}
	var docs []Document
	size := uint64(0)
	flush := func() error {
		n += len(docs)
		err := insert(docs)
		docs, size = nil, 0
		return err
	}
	if err := each(func(it sketch.Item) error {
		d, err := x.document(it)
		if errors.Is(err, lsh.ErrEmpty) {
			empty++
			return nil
		} else if err != nil {
			return err
		}
		docs = append(docs, d)
		if size += uint64(perKey*len(d.Keys) + perDocument + len(d.Record)); size > memory {
			return flush()
		}
		return nil
	}); err != nil {
		return 0, 0, err
	}
	if err := flush(); err != nil {
		return 0, 0, err
	}
	return n, empty, commit()
}

// A Hit is a document that shares a band with a query.
type Hit struct {
	ID         uint32
	Item       sketch.Item
	Similarity sketch.Similarity // of the signatures, with its interval
}

// Shared is the number of slots that the document and a signature have in common.
func (h Hit) Shared(with sketch.Signature) (n uint64) {
	a, b, stride := h.Item.Sketch.(sketch.Signature).AppendSlots(nil), with.AppendSlots(nil), with.Stride()
	for i := 0; i+stride <= min(len(a), len(b)); i += stride {
		if slices.Equal(a[i:i+stride], b[i:i+stride]) {
			n++
		}
	}
	return n
}

// Search returns the documents that share a band with a signature and whose
// estimated similarity is at least a threshold, the most similar first, then by
// id. An empty set is like no other.
func (x *Index) Search(query sketch.Signature, threshold, confidence float64) ([]Hit, error) {
	banding := x.bandings.Get().(*lsh.Banding)
	ids, err := banding.Candidates(nil, query)
	x.bandings.Put(banding)
	if err != nil {
		return nil, err
	}
	return x.verify(query, ids, threshold, confidence)
}

// verify compares a signature with documents.
func (x *Index) verify(query sketch.Signature, ids []uint32, threshold, confidence float64) ([]Hit, error) {
	records, err := x.Records(ids)
	if err != nil {
		return nil, err
	}
	p := x.Params()
	var hits []Hit
	for i, r := range records {
		if r == nil {
			continue // removed in the meantime
		}
		it, err := parseItem(p, r)
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", ids[i], err)
		}
		s, err := it.Sketch.(sketch.Estimable).Similarity(query, confidence)
		if err != nil {
			return nil, err
		}
		if s.Value >= threshold {
			hits = append(hits, Hit{ids[i], it, s})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Similarity.Value, a.Similarity.Value), cmp.Compare(a.ID, b.ID))
	})
	return hits, nil
}

// AddUnless adds a signature unless there is a document that shares a band with
// it and whose estimated similarity is at least a threshold; such documents it
// returns. Of documents that are added at the same moment and are like each
// other, one is added. ErrEmpty (package lsh) says that the set is empty.
func (x *Index) AddUnless(it sketch.Item, threshold, confidence float64) ([]Hit, error) {
	d, err := x.document(it)
	if err != nil {
		return nil, err
	}
	var known []uint32 // shares a band and is not similar enough
	for {
		others, err := x.InsertUnless(&d, known)
		if err != nil || len(others) == 0 {
			return nil, err
		}
		hits, err := x.verify(it.Sketch.(sketch.Signature), others, threshold, confidence)
		if err != nil || len(hits) > 0 {
			return hits, err
		}
		known = append(known, others...)
		slices.Sort(known)
	}
}

// Remove removes the documents for which drop is true and returns how many.
func (x *Index) Remove(drop func(sketch.Meta) bool) (int, error) {
	var docs []Document
	err := x.EachItem(func(id uint32, it sketch.Item) error {
		if drop(it.Meta) {
			d, err := x.document(it)
			if err != nil {
				return err
			}
			docs = append(docs, Document{ID: id, Keys: d.Keys})
		}
		return nil
	})
	if err != nil || len(docs) == 0 {
		return 0, err
	}
	return len(docs), x.Drop(docs)
}

// EachItem calls yield for each document, in no order that is promised.
func (x *Index) EachItem(yield func(id uint32, it sketch.Item) error) error {
	p := x.Params()
	return x.Each(func(id uint32, record []byte) error {
		it, err := parseItem(p, record)
		if err != nil {
			return fmt.Errorf("document %d: %w", id, err)
		}
		return yield(id, it)
	})
}
