// SPDX-License-Identifier: Apache-2.0

package lsh

import "slices"

// A Key names a bucket: a band, and the hash of its rows.
type Key struct {
	Band uint32
	Hash uint64
}

// A Store holds buckets of ids. All methods take the keys of all bands at once,
// so that a store elsewhere needs one round trip.
type Store interface {
	// Put adds ids[i] to the bucket of keys[i]; one that is there stays once.
	Put(keys []Key, ids []uint32) error

	// Delete removes ids[i] from the bucket of keys[i].
	Delete(keys []Key, ids []uint32) error

	// PutIfAbsent adds id to all buckets if all of them are empty, and returns
	// the ids that are there otherwise, as one step that no other call divides.
	PutIfAbsent(keys []Key, id uint32) (present []uint32, err error)

	// Get appends the ids of the bucket of each key.
	Get(dst []uint32, keys []Key) ([]uint32, error)
}

// A MemStore is a Store in memory. It belongs to one goroutine.
type MemStore struct {
	bands []buckets
}

// NewMemStore returns an empty Store. It takes memory for all bands up to the
// largest that has members.
func NewMemStore() *MemStore { return &MemStore{} }

// band returns a band, nil if nothing was ever put in it.
func (m *MemStore) band(i uint32) *buckets {
	if int(i) >= len(m.bands) {
		return nil
	}
	return &m.bands[i]
}

// grown returns a band that may be new.
func (m *MemStore) grown(i uint32) *buckets {
	if n := int(i) + 1; n > len(m.bands) {
		m.bands = append(m.bands, make([]buckets, n-len(m.bands))...)
	}
	return &m.bands[i]
}

// Put never fails.
func (m *MemStore) Put(keys []Key, ids []uint32) error {
	for i, k := range keys {
		m.grown(k.Band).put(k.Hash, ids[i])
	}
	return nil
}

// Delete never fails.
func (m *MemStore) Delete(keys []Key, ids []uint32) error {
	for i, k := range keys {
		if b := m.band(k.Band); b != nil {
			b.remove(k.Hash, ids[i])
		}
	}
	return nil
}

// PutIfAbsent never fails.
func (m *MemStore) PutIfAbsent(keys []Key, id uint32) ([]uint32, error) {
	present, _ := m.Get(nil, keys)
	if len(present) > 0 {
		slices.Sort(present)
		return slices.Compact(present), nil
	}
	for _, k := range keys {
		m.grown(k.Band).put(k.Hash, id)
	}
	return nil, nil
}

// Get never fails.
func (m *MemStore) Get(dst []uint32, keys []Key) ([]uint32, error) {
	for _, k := range keys {
		if b := m.band(k.Band); b != nil {
			dst = b.get(dst, k.Hash)
		}
	}
	return dst, nil
}

// Each calls yield for every id in every bucket, in no order that is promised.
func (m *MemStore) Each(yield func(k Key, id uint32)) {
	for band := range m.bands {
		b := &m.bands[band]
		for _, k := range b.table {
			for e := k.first; e != 0; e = b.entries[e-1].next {
				if id := b.entries[e-1].id; id < gone {
					yield(Key{uint32(band), k.hash}, id)
				}
			}
		}
	}
}

// buckets are those of one band: an open-addressing table of the first entry of
// each bucket, and entries chained in the order of adding. That is 16 bytes per
// bucket at a load of at most 3/4 and 8 per entry, without a pointer; a look-up
// touches the table once.
type buckets struct {
	table   []bucket
	n       int // buckets in use
	entries []entry
}

// A bucket is its hash and its first and last entry: places in entries plus 1.
// Where first is 0 there is none. mixed is set in last if ids were not added in
// ascending order. Where they were, a larger one is known to be new, and a bucket
// that all documents share is filled in linear time.
type bucket struct {
	hash        uint64
	first, last uint32
}

const mixed = 1 << 31

// An entry is an id and the place of the next in its bucket plus 1; 0 ends it.
type entry struct{ id, next uint32 }

const gone = 1 << 31 // marks an entry that was removed; ids are below it

// at returns the bucket of h, or the free place where it would be.
func (b *buckets) at(h uint64) *bucket {
	mask := uint64(len(b.table) - 1)
	i := h & mask
	for b.table[i].first != 0 && b.table[i].hash != h {
		i = (i + 1) & mask
	}
	return &b.table[i]
}

func (b *buckets) grow() {
	old := b.table
	b.table = make([]bucket, max(16, 2*len(old)))
	for _, k := range old {
		if k.first != 0 {
			*b.at(k.hash) = k
		}
	}
}

func (b *buckets) put(h uint64, id uint32) {
	if 4*(b.n+1) > 3*len(b.table) {
		b.grow()
	}
	k := b.at(h)
	if k.first == 0 {
		added := b.add(id)
		*k = bucket{h, added, added}
		b.n++
		return
	}
	last, order := k.last&^mixed, k.last&mixed
	if order == mixed || b.entries[last-1].id&^gone >= id {
		for e := k.first; e != 0; e = b.entries[e-1].next {
			if b.entries[e-1].id == id {
				return
			}
		}
		order = mixed
	}
	added := b.add(id)
	b.entries[last-1].next = added
	k.last = added | order
}

// add appends an entry and returns its place plus 1.
func (b *buckets) add(id uint32) uint32 {
	b.entries = append(b.entries, entry{id: id})
	return uint32(len(b.entries))
}

func (b *buckets) remove(h uint64, id uint32) {
	if len(b.table) == 0 {
		return
	}
	for e := b.at(h).first; e != 0; e = b.entries[e-1].next {
		if b.entries[e-1].id == id {
			b.entries[e-1].id = id | gone
		}
	}
}

func (b *buckets) get(dst []uint32, h uint64) []uint32 {
	if len(b.table) == 0 {
		return dst
	}
	for e := b.at(h).first; e != 0; e = b.entries[e-1].next {
		if id := b.entries[e-1].id; id < gone {
			dst = append(dst, id)
		}
	}
	return dst
}
