// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"errors"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// An Order says which of two rows comes first where a choice is between equals:
// the one with the smaller rank. Nil ranks rows by number.
type Order []uint32

func (o Order) of(row uint32) uint32 {
	if o == nil {
		return row
	}
	return o[row]
}

// Pairs calls pair for each two rows of a bucket, the smaller row first. A hot
// bucket, of more than most rows, becomes a star: each row with the one that
// comes first in order, and hot is true. most 0 is no cap.
func Pairs(bucket []uint32, most int, order Order, pair func(a, b uint32) error) (hot bool, err error) {
	if most > 0 && len(bucket) > most {
		return true, star(bucket, order, pair)
	}
	for i, a := range bucket {
		for _, b := range bucket[i+1:] {
			if err := pair(min(a, b), max(a, b)); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

func star(bucket []uint32, order Order, pair func(a, b uint32) error) error {
	hub := bucket[0]
	for _, row := range bucket {
		if order.of(row) < order.of(hub) {
			hub = row
		}
	}
	for _, row := range bucket {
		if row != hub {
			if err := pair(min(hub, row), max(hub, row)); err != nil {
				return err
			}
		}
	}
	return nil
}

// A banding collects the band rows of documents and makes candidates of them.
type banding struct {
	keys  *lsh.Banding
	bands *sorter
	buf   []lsh.Key
}

func newBanding(p sketch.Params, b, r int, memory int64, threads int) (*banding, error) {
	keys, err := lsh.NewBanding(p, b, r, nil)
	return &banding{keys: keys, bands: newSorter(memory, threads)}, err
}

// add enters the bands of a document; an empty one has none.
func (x *banding) add(row uint32, s sketch.Signature) error {
	return x.each(s, func(t triple) error { t.row = row; return x.bands.add(t) })
}

// each calls do with the band and key of each band of s.
func (x *banding) each(s sketch.Signature, do func(triple) error) error {
	var err error
	if x.buf, err = x.keys.Keys(x.buf[:0], s); errors.Is(err, lsh.ErrEmpty) {
		return nil
	} else if err != nil {
		return err
	}
	for _, k := range x.buf {
		if err := do(triple{key: k.Hash, band: k.Band}); err != nil {
			return err
		}
	}
	return nil
}

// Buckets says what became of the buckets of a banding.
type Buckets struct {
	Shared  int    `json:"with_two_or_more"` // buckets of at least two documents
	Hot     int    `json:"hot"`              // of these, above the cap
	HotRows int    `json:"documents_in_hot"` // documents in them, each counted once a bucket
	Largest int    `json:"largest"`
	Cap     int    `json:"cap"`
	Left    uint64 `json:"pairs_not_listed"` // pairs of hot buckets that the star leaves out
}

// candidates gives the pairs of all buckets to pairs.
func (x *banding) candidates(most int, order Order, pairs *sorter) (Buckets, error) {
	found := Buckets{Cap: most}
	var bucket []uint32
	var at triple
	flush := func() error {
		if len(bucket) < 2 {
			return nil
		}
		hot, err := Pairs(bucket, most, order, func(a, b uint32) error {
			return pairs.add(triple{key: uint64(a)<<32 | uint64(b)})
		})
		n := len(bucket)
		found.Shared++
		found.Largest = max(found.Largest, n)
		if hot {
			found.Hot++
			found.HotRows += n
			found.Left += uint64(n-1) * uint64(n-2) / 2
		}
		return err
	}
	for t, err := range x.bands.sorted() {
		if err != nil {
			return found, err
		}
		if t.band != at.band || t.key != at.key {
			if err := flush(); err != nil {
				return found, err
			}
			bucket, at = bucket[:0], t
		}
		bucket = append(bucket, t.row)
	}
	return found, flush()
}
