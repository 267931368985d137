// SPDX-License-Identifier: Apache-2.0

package bottomk

import (
	"container/heap"

	"github.com/gsketch/gsketch/sketch"
)

// Metered is a Counter that tells after every hash how deep the input has been
// read. Its sketch is that of the Counter: exact, whatever the meter says.
//
// The meter is the one by which mash sketch -c stops, to the hash: the mean
// number of copies of the s smallest hashes with at least MinCopies copies,
// each counted from when it was among them and below the largest of them. It
// depends on the order of the hashes.
type Metered struct {
	*Counter
	least   uint64            // copies from which a hash counts
	kept    map[uint64]uint64 // the s smallest, with copies
	rare    map[uint64]uint64 // hashes with fewer copies
	largest hashHeap          // those kept
	sum     uint64            // copies of those kept
}

// NewMetered is NewCounter with a meter. how must not be approximate.
func NewMetered(p sketch.Params, how sketch.Counting) *Metered {
	return &Metered{Counter: NewCounter(p, how), least: max(1, how.MinCopies), kept: map[uint64]uint64{}, rare: map[uint64]uint64{}}
}

// Coverage is the mean number of copies; 0 before the first hash.
func (m *Metered) Coverage() float64 {
	if len(m.kept) == 0 {
		return 0
	}
	return float64(m.sum) / float64(len(m.kept))
}

// Bound is that of the meter until it is full, too.
func (m *Metered) Bound() uint64 {
	if !m.full() {
		return widest(m.params)
	}
	return max(m.Counter.Bound(), m.largest[0])
}

func (m *Metered) full() bool { return len(m.largest) >= m.params.Size }

// AddHashes fails if counts cannot be spilled.
func (m *Metered) AddHashes(hashes []uint64) error {
	for _, h := range hashes {
		if !m.full() || h < m.largest[0] {
			m.add(h)
		}
	}
	return m.Counter.AddHashes(hashes)
}

func (m *Metered) add(h uint64) {
	if n, ok := m.kept[h]; ok {
		m.kept[h] = n + 1
		m.sum++
		return
	}
	if m.rare[h]+1 < m.least {
		m.rare[h]++
		return
	}
	delete(m.rare, h)
	m.kept[h] = m.least
	m.sum += m.least
	heap.Push(&m.largest, h)
	if len(m.largest) > m.params.Size {
		m.drop()
	}
}

// drop forgets the largest hash, and now and then those that are larger.
func (m *Metered) drop() {
	h := heap.Pop(&m.largest).(uint64)
	m.sum -= m.kept[h]
	delete(m.kept, h)
	if len(m.rare) < 4*m.params.Size {
		return
	}
	for r := range m.rare {
		if r > m.largest[0] {
			delete(m.rare, r)
		}
	}
}

// hashHeap has its largest hash first.
type hashHeap []uint64

func (h hashHeap) Len() int           { return len(h) }
func (h hashHeap) Less(i, j int) bool { return h[i] > h[j] }
func (h hashHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *hashHeap) Push(x any)        { *h = append(*h, x.(uint64)) }
func (h *hashHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
