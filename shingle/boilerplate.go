// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"encoding/binary"
	"encoding/hex"
	"io"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/gsketch/gsketch/sketch"
)

// A Boilerplate is a set of elements, by hash, that are left out wherever they
// occur: those of given texts, or those that occur in many documents. A nil
// Boilerplate is empty.
type Boilerplate struct {
	set    map[uint64]struct{}
	digest string
}

// NewBoilerplate returns the set of hashes, in any order, duplicates allowed.
func NewBoilerplate(hashes []uint64) *Boilerplate {
	sorted := slices.Clone(hashes)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	b := &Boilerplate{set: make(map[uint64]struct{}, len(sorted))}
	digest := xxh3.New()
	var word [8]byte
	for _, h := range sorted {
		b.set[h] = struct{}{}
		binary.LittleEndian.PutUint64(word[:], h)
		digest.Write(word[:])
	}
	sum := digest.Sum128().Bytes()
	b.digest = hex.EncodeToString(sum[:])
	return b
}

// Len is the number of elements.
func (b *Boilerplate) Len() int {
	if b == nil {
		return 0
	}
	return len(b.set)
}

// Digest identifies the set in a recipe: the XXH3-128 of the ascending hashes,
// 8 bytes each, little endian, in hexadecimal digits. It is empty for nil.
func (b *Boilerplate) Digest() string {
	if b == nil {
		return ""
	}
	return b.digest
}

func (b *Boilerplate) has(h uint64) bool {
	_, ok := b.set[h]
	return ok
}

// Frequencies count in how many documents each element occurs, exactly; counts
// spill to disk above the memory they are given.
type Frequencies struct {
	tally     *sketch.Tally
	documents uint64
}

// NewFrequencies returns counts of nothing.
func NewFrequencies(memory int64) *Frequencies {
	return &Frequencies{tally: sketch.NewTally(sketch.Counting{Memory: memory})}
}

// Documents is the number of documents added.
func (f *Frequencies) Documents() uint64 { return f.documents }

// Add counts the elements of a document, given by their hashes in any order;
// it sorts them in place.
func (f *Frequencies) Add(hashes []uint64) error {
	f.documents++
	slices.Sort(hashes)
	var last uint64
	for i, h := range hashes {
		if i > 0 && h == last {
			continue
		}
		last = h
		if err := f.tally.Add(h, 1); err != nil {
			return err
		}
	}
	return nil
}

// Frequent returns the hashes of the elements that occur in more than most
// documents, for NewBoilerplate.
func (f *Frequencies) Frequent(most uint64) ([]uint64, error) {
	var hashes []uint64
	err := f.tally.Each(func(h, n uint64) bool {
		if n > most {
			hashes = append(hashes, h)
		}
		return true
	})
	return hashes, err
}

// AppendAll appends the hashes of all elements of src to dst.
func AppendAll(dst []uint64, src sketch.Source) ([]uint64, error) {
	for {
		dst = slices.Grow(dst, sketch.BatchSize)
		n, err := src.Next(dst[len(dst):cap(dst)], ^uint64(0))
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}
