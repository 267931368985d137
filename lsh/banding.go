// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/sketch"
)

// ErrEmpty is returned for the signature of an empty set, which is like no
// other, though its slots are equal to those of every empty set.
var ErrEmpty = errors.New("lsh: an empty set is not indexed")

// An Index finds candidates: each once, ascending. Rows are below 2^31.
type Index interface {
	Params() sketch.Params
	Insert(row uint32, s sketch.Signature) error
	Remove(row uint32, s sketch.Signature) error
	Candidates(dst []uint32, s sketch.Signature) ([]uint32, error)
}

// A Banding is an Index by bands of rows. It belongs to one goroutine.
type Banding struct {
	params sketch.Params
	b, r   int
	store  Store
	most   int
	hot    map[Key]int
	slots  []uint64
	bytes  []byte
	keys   []Key
	ids    []uint32
	seen   []uint64 // a bit for each row, set within a query alone
}

// NewBanding returns a Banding of b bands of r rows over signatures made with p,
// on an empty store or one that was filled with the same p, b and r. b*r must
// not be above the number of slots; what is left of them is not used.
func NewBanding(p sketch.Params, b, r int, store Store) (*Banding, error) {
	if p.SlotBits() == 0 {
		return nil, fmt.Errorf("lsh: %s sketches have no slots to band; bin their hashes first", p.Family)
	}
	if full := p.Full(); full.Family == sketch.OPH && full.Densify == "" {
		return nil, errors.New("lsh: empty bins of one-permutation sketches agree with each other: fill them first")
	}
	if b < 1 || r < 1 || b > p.Size/r {
		return nil, fmt.Errorf("lsh: %d bands of %d rows in %d slots", b, r, p.Size)
	}
	return &Banding{params: p, b: b, r: r, store: store, hot: map[Key]int{}}, nil
}

// checkComparable says which parameter of a signature is not that of its index.
func checkComparable(index, signature sketch.Params) error {
	if index == signature {
		return nil
	}
	if err := index.Comparable(signature); err != nil {
		return fmt.Errorf("lsh: index and signature: %w", err)
	}
	return fmt.Errorf("lsh: %w: index of %s, signature of %s", sketch.ErrIncompatible, index, signature)
}

// Params are those of the signatures.
func (x *Banding) Params() sketch.Params { return x.params }

// Bands returns b and r.
func (x *Banding) Bands() (b, r int) { return x.b, x.r }

// Cap makes a star of each bucket with more than n members: of those it gives
// the smallest one alone as a candidate, and Hot reports it. 0, the default, is
// no cap. A page of boilerplate that a tenth of a corpus shares would otherwise
// make a candidate of each pair of them.
func (x *Banding) Cap(n int) { x.most = n }

// A HotBucket is one that Cap made a star of.
type HotBucket struct {
	Key     Key
	Members int
}

// Hot lists the hot buckets that queries have met, the largest first.
func (x *Banding) Hot() []HotBucket {
	var list []HotBucket
	for k, n := range x.hot {
		list = append(list, HotBucket{k, n})
	}
	slices.SortFunc(list, func(a, b HotBucket) int {
		switch {
		case a.Members != b.Members:
			return b.Members - a.Members
		case a.Key.Band != b.Key.Band:
			return int(a.Key.Band) - int(b.Key.Band)
		case a.Key.Hash < b.Key.Hash:
			return -1
		}
		return 1
	})
	return list
}

// Keys appends the key of each band: xxh3-64, with the number of the band as
// seed, of its r slots, little endian at the width of a slot.
func (x *Banding) Keys(dst []Key, s sketch.Signature) ([]Key, error) {
	if err := checkComparable(x.params, s.Params()); err != nil {
		return nil, err
	}
	if e, ok := s.(sketch.Estimable); ok && e.Empty() {
		return nil, ErrEmpty
	}
	x.slots = s.AppendSlots(x.slots[:0])
	width := x.r * s.Stride()
	if size := width * x.params.SlotBits(); size%8 == 0 { // bands begin with a byte: one pass for all
		x.bytes = x.params.AppendSlotBytes(x.bytes[:0], x.slots[:x.b*width])
		for band := range x.b {
			dst = append(dst, keyOf(band, x.bytes[band*size/8:(band+1)*size/8]))
		}
		return dst, nil
	}
	for band := range x.b {
		dst = append(dst, x.key(band, x.slots[band*width:(band+1)*width]))
	}
	return dst, nil
}

func keyOf(band int, rows []byte) Key { return Key{uint32(band), xxh3.HashSeed(rows, uint64(band))} }

func (x *Banding) key(band int, rows []uint64) Key {
	x.bytes = x.params.AppendSlotBytes(x.bytes[:0], rows)
	return keyOf(band, x.bytes)
}

// Insert adds a signature. ErrEmpty says that it is of an empty set.
func (x *Banding) Insert(row uint32, s sketch.Signature) error {
	return x.change(row, s, x.store.Put)
}

// Remove removes a signature that was inserted with this row.
func (x *Banding) Remove(row uint32, s sketch.Signature) error {
	return x.change(row, s, x.store.Delete)
}

func (x *Banding) change(row uint32, s sketch.Signature, do func([]Key, []uint32) error) error {
	if row >= 1<<31 {
		return fmt.Errorf("lsh: row %d is above 2^31-1", row)
	}
	var err error
	if x.keys, err = x.Keys(x.keys[:0], s); err != nil {
		return err
	}
	x.ids = x.ids[:0]
	for range x.keys {
		x.ids = append(x.ids, row)
	}
	return do(x.keys, x.ids)
}

// Candidates appends the rows that share a band with s, each once, ascending. s
// itself is among them if it was inserted. An empty set has none.
func (x *Banding) Candidates(dst []uint32, s sketch.Signature) ([]uint32, error) {
	var err error
	if x.keys, err = x.Keys(x.keys[:0], s); errors.Is(err, ErrEmpty) {
		return dst, nil
	} else if err != nil {
		return dst, err
	}
	return x.members(dst, x.keys)
}

// members appends those of the buckets of keys, each once, ascending.
func (x *Banding) members(dst []uint32, keys []Key) ([]uint32, error) {
	var err error
	from := len(dst)
	if x.most == 0 {
		if dst, err = x.store.Get(dst, keys); err != nil {
			return dst, err
		}
	} else if dst, err = x.capped(dst, keys); err != nil {
		return dst, err
	}
	dst = dst[:from+len(x.distinct(dst[from:]))]
	slices.Sort(dst[from:])
	return dst, nil
}

// distinct keeps the first of each row. A near copy is in most buckets of the
// query, so that there are several times as many rows as different ones.
func (x *Banding) distinct(rows []uint32) []uint32 {
	kept := rows[:0]
	for _, row := range rows {
		word, bit := int(row/64), uint64(1)<<(row%64)
		if word >= len(x.seen) {
			x.seen = append(x.seen, make([]uint64, word+1-len(x.seen))...)
		}
		if x.seen[word]&bit == 0 {
			x.seen[word] |= bit
			kept = append(kept, row)
		}
	}
	for _, row := range kept {
		x.seen[row/64] = 0
	}
	return kept
}

// capped gets buckets one by one, and of hot ones the smallest member.
func (x *Banding) capped(dst []uint32, keys []Key) ([]uint32, error) {
	for i, k := range keys {
		var err error
		if x.ids, err = x.store.Get(x.ids[:0], keys[i:i+1]); err != nil {
			return dst, err
		}
		if len(x.ids) <= x.most {
			dst = append(dst, x.ids...)
			continue
		}
		x.hot[k] = max(x.hot[k], len(x.ids))
		dst = append(dst, slices.Min(x.ids))
	}
	return dst, nil
}

// Merge adds what another Banding holds, whose rows must be others. Parameters
// and seed, b and r must be equal.
func (x *Banding) Merge(other *Banding) error {
	if err := checkComparable(x.params, other.params); err != nil {
		return err
	}
	if x.b != other.b || x.r != other.r {
		return fmt.Errorf("lsh: %w", &sketch.MismatchError{Field: "bands x rows",
			Left: fmt.Sprintf("%d x %d", x.b, x.r), Right: fmt.Sprintf("%d x %d", other.b, other.r)})
	}
	from, ok := other.store.(*MemStore)
	if !ok {
		return errors.New("lsh: only an index in memory can be merged into another")
	}
	var err error
	from.Each(func(k Key, id uint32) {
		if err == nil {
			err = x.store.Put([]Key{k}, []uint32{id})
		}
	})
	return err
}
