// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"math"
	"math/bits"
	"slices"
)

// Counting says how a builder counts copies. The zero value counts exactly, in
// memory, and keeps every element.
type Counting struct {
	MinCopies uint64 // keep elements that occur at least so often; 0 and 1 keep all
	Memory    int64  // bytes that counts of one builder may take before they spill to disk; 0 is no limit
	Dir       string // directory of spilled counts; "" is the system's

	// FilterBytes > 0 replaces exact counting by a Bloom filter of that size:
	// an element is counted from its second sighting on, as having been seen
	// twice. Elements seen once slip in at the rate that Tally.FalsePositives
	// tells, and which ones depends on the order of elements.
	FilterBytes int64
}

// On says whether elements have to be counted at all.
func (c Counting) On() bool { return c.MinCopies > 1 || c.FilterBytes > 0 }

// A Tally counts hashes exactly: a multiset of uint64. Its size follows the
// number of distinct hashes, not the number added; above Counting.Memory it
// spills sorted runs to disk and adds them up at the end. It belongs to one
// goroutine.
type Tally struct {
	how    Counting
	keys   []uint64
	counts []uint64 // 0 marks a free slot
	n      int
	runs   []*run
	filter *bloom
}

// NewTally returns an empty Tally.
func NewTally(how Counting) *Tally {
	t := &Tally{how: how}
	if how.FilterBytes > 0 {
		t.filter = newBloom(how.FilterBytes)
	}
	return t
}

// entryBytes is what a hash costs in the table at its average load of 1/2.
const entryBytes = 32

// Len is the number of distinct hashes in memory.
func (t *Tally) Len() int { return t.n }

// Add counts n more copies of h.
func (t *Tally) Add(h, n uint64) error {
	if 4*(t.n+1) > 3*len(t.keys) {
		if err := t.grow(); err != nil {
			return err
		}
	}
	i := t.slot(h)
	if t.counts[i] == 0 {
		if t.filter != nil && !t.filter.testAndSet(h) {
			return nil
		} else if t.filter != nil {
			n++ // the sighting that the filter swallowed
		}
		t.keys[i] = h
		t.n++
	}
	t.counts[i] = addSaturating(t.counts[i], n)
	return nil
}

// slot returns the place of h or the free one where it belongs. Hashes are
// uniform, but those below a threshold only in their low bits.
func (t *Tally) slot(h uint64) int {
	mask := uint64(len(t.keys) - 1)
	i := (h ^ h>>32) & mask
	for t.counts[i] != 0 && t.keys[i] != h {
		i = (i + 1) & mask
	}
	return int(i)
}

func (t *Tally) grow() error {
	size := max(64, 2*len(t.keys))
	if m := t.how.Memory; m > 0 && int64(size)*entryBytes/2 > m && t.n > 0 {
		return t.spill()
	}
	t.rebuild(size, math.MaxUint64)
	return nil
}

// rebuild moves the hashes <= bound into a table of the given size.
func (t *Tally) rebuild(size int, bound uint64) {
	keys, counts := t.keys, t.counts
	t.keys, t.counts, t.n = make([]uint64, size), make([]uint64, size), 0
	for i, c := range counts {
		if c != 0 && keys[i] <= bound {
			j := t.slot(keys[i])
			t.keys[j], t.counts[j] = keys[i], c
			t.n++
		}
	}
}

// Prune drops the hashes above bound from memory.
func (t *Tally) Prune(bound uint64) {
	kept := 0
	for i, c := range t.counts {
		if c != 0 && t.keys[i] <= bound {
			kept++
		}
	}
	if kept < t.n {
		t.rebuild(max(64, 1<<bits.Len(uint(2*kept))), bound)
	}
}

// AppendFrequent appends the hashes in memory that were counted at least min
// times, in no order. Counts that were spilled are not looked at, so a hash
// may be missing but none is wrong.
func (t *Tally) AppendFrequent(dst []uint64, min uint64) []uint64 {
	for i, c := range t.counts {
		if c != 0 && c >= min {
			dst = append(dst, t.keys[i])
		}
	}
	return dst
}

// Merge adds the counts of other and empties it.
func (t *Tally) Merge(other *Tally) error {
	for i, c := range other.counts {
		if c != 0 {
			if err := t.Add(other.keys[i], c); err != nil {
				return err
			}
		}
	}
	t.runs = append(t.runs, other.runs...)
	other.runs = nil
	other.Reset()
	return nil
}

// Reset empties the Tally and gives up its space on disk.
func (t *Tally) Reset() {
	for _, r := range t.runs {
		r.close()
	}
	*t = *NewTally(t.how)
}

// Each calls yield for every hash in ascending order, with its count, until
// yield returns false. It fails if counts were spilled and cannot be read.
func (t *Tally) Each(yield func(h, n uint64) bool) error {
	memory := t.sorted()
	if len(t.runs) > 0 {
		return t.mergeRuns(memory, yield)
	}
	for _, e := range memory {
		if !yield(e.hash, e.count) {
			break
		}
	}
	return nil
}

// FalsePositives is the rate at which the filter takes a hash that it sees for
// the first time for a known one; 0 without a filter.
func (t *Tally) FalsePositives() float64 {
	if t.filter == nil {
		return 0
	}
	return t.filter.falsePositives()
}

type entry struct{ hash, count uint64 }

func (t *Tally) sorted() []entry {
	es := make([]entry, 0, t.n)
	for i, c := range t.counts {
		if c != 0 {
			es = append(es, entry{t.keys[i], c})
		}
	}
	slices.SortFunc(es, func(a, b entry) int {
		if a.hash < b.hash {
			return -1
		}
		return 1 // hashes are distinct
	})
	return es
}

func addSaturating(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return s
}
