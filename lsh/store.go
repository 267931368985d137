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
	bands map[uint32]*buckets
}

// NewMemStore returns an empty Store.
func NewMemStore() *MemStore { return &MemStore{bands: map[uint32]*buckets{}} }

func (m *MemStore) band(i uint32) *buckets {
	b := m.bands[i]
	if b == nil {
		b = &buckets{}
		m.bands[i] = b
	}
	return b
}

// Put never fails.
func (m *MemStore) Put(keys []Key, ids []uint32) error {
	for i, k := range keys {
		m.band(k.Band).put(k.Hash, ids[i])
	}
	return nil
}

// Delete never fails.
func (m *MemStore) Delete(keys []Key, ids []uint32) error {
	for i, k := range keys {
		m.band(k.Band).remove(k.Hash, ids[i])
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
		m.band(k.Band).put(k.Hash, id)
	}
	return nil, nil
}

// Get never fails.
func (m *MemStore) Get(dst []uint32, keys []Key) ([]uint32, error) {
	for _, k := range keys {
		dst = m.band(k.Band).get(dst, k.Hash)
	}
	return dst, nil
}

// Each calls yield for every id in every bucket, in no order that is promised.
func (m *MemStore) Each(yield func(k Key, id uint32)) {
	for band, b := range m.bands {
		for i, head := range b.heads {
			for e := head; e != 0; e = b.next[e-1] {
				if id := b.ids[e-1]; id < gone {
					yield(Key{band, b.hashes[i]}, id)
				}
			}
		}
	}
}

// buckets are those of one band: an open-addressing table of the first entry of
// each bucket, and entries chained in the order of adding. That is 12 bytes per
// bucket at a load of at most 3/4 and 8 per entry, without a pointer.
type buckets struct {
	hashes []uint64
	heads  []uint32 // place in entries plus 1; 0 is free
	n      int
	ids    []uint32
	next   []uint32 // place in entries plus 1; 0 ends the chain
}

func (b *buckets) slot(h uint64) int {
	mask := len(b.heads) - 1
	i := int(h) & mask
	for b.heads[i] != 0 && b.hashes[i] != h {
		i = (i + 1) & mask
	}
	return i
}

func (b *buckets) grow() {
	hashes, heads := b.hashes, b.heads
	size := max(16, 2*len(heads))
	b.hashes, b.heads = make([]uint64, size), make([]uint32, size)
	for i, e := range heads {
		if e != 0 {
			j := b.slot(hashes[i])
			b.hashes[j], b.heads[j] = hashes[i], e
		}
	}
}

const gone = 1 << 31 // marks an entry that was removed; ids are below it

func (b *buckets) put(h uint64, id uint32) {
	if 4*(b.n+1) > 3*len(b.heads) {
		b.grow()
	}
	i := b.slot(h)
	if b.heads[i] == 0 {
		b.hashes[i] = h
		b.n++
		b.heads[i] = b.entry(id)
		return
	}
	for e := b.heads[i]; ; e = b.next[e-1] {
		if b.ids[e-1] == id {
			return
		}
		if b.next[e-1] == 0 {
			at := b.entry(id)
			b.next[e-1] = at
			return
		}
	}
}

func (b *buckets) entry(id uint32) uint32 {
	b.ids, b.next = append(b.ids, id), append(b.next, 0)
	return uint32(len(b.ids))
}

func (b *buckets) remove(h uint64, id uint32) {
	if len(b.heads) == 0 {
		return
	}
	for e := b.heads[b.slot(h)]; e != 0; e = b.next[e-1] {
		if b.ids[e-1] == id {
			b.ids[e-1] = id | gone
		}
	}
}

func (b *buckets) get(dst []uint32, h uint64) []uint32 {
	if len(b.heads) == 0 {
		return dst
	}
	for e := b.heads[b.slot(h)]; e != 0; e = b.next[e-1] {
		if id := b.ids[e-1]; id < gone {
			dst = append(dst, id)
		}
	}
	return dst
}
