// SPDX-License-Identifier: Apache-2.0

package msh

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"capnproto.org/go/capnp/v3"

	"github.com/gsketch/gsketch/formats/msh/internal/schema"
	"github.com/gsketch/gsketch/sketch"
)

// Write writes a collection as one .msh file. The same collection gives the
// same bytes. It fails before the first byte if .msh cannot hold c: sketches
// other than bottom-k, k above 32, elements that Mash does not know, hashes of
// a width that Mash does not store for them, abundances of 2^32 or more, a
// name or comment with a NUL byte.
//
// The name is Meta.ID of a single record, which may have none, and Meta.Label
// otherwise. The file has one flag for PerRecord, set if all sketches are of
// single records. What else Meta has is not kept.
func Write(w io.Writer, c sketch.Collection) error {
	msg, err := message(c, maxSingleSegment)
	if err != nil {
		return err
	}
	return capnp.NewEncoder(w).Encode(msg)
}

// maxSingleSegment is the largest segment that the Cap'n Proto framing holds.
const maxSingleSegment = 8 * (1<<29 - 1)

func message(c sketch.Collection, maxSegment uint64) (*capnp.Message, error) {
	if err := Holds(c.Params()); err != nil {
		return nil, err
	}
	size, err := messageSize(c)
	if err != nil {
		return nil, err
	}
	var arena capnp.Arena
	if size <= maxSegment {
		arena = capnp.SingleSegment(make([]byte, 0, size))
	} else {
		arena = capnp.MultiSegment(nil)
	}
	msg, seg, err := capnp.NewMessage(arena)
	if err != nil {
		return nil, err
	}
	m, err := schema.NewRootMinHash(seg)
	if err != nil {
		return nil, err
	}
	return msg, fill(m, c)
}

func fill(m schema.MinHash, c sketch.Collection) error {
	if err := setParams(m, c.Params()); err != nil {
		return err
	}
	loci, err := m.NewLocusList() // always there, and empty, in files of Mash 2
	if err != nil {
		return err
	}
	if _, err := loci.NewLoci(0); err != nil {
		return err
	}
	newList := m.NewReferenceList
	if m.HashSeed() == 42 {
		newList = m.NewReferenceListOld
	}
	list, err := newList()
	if err != nil {
		return err
	}
	refs, err := list.NewReferences(int32(c.Len()))
	if err != nil {
		return err
	}
	perRecord := c.Len() > 0
	for i := range c.Len() {
		meta := c.Meta(i)
		perRecord = perRecord && meta.PerRecord
		if err := setReference(refs.At(i), meta, c.At(i).(sketch.HashSet), c.Params()); err != nil {
			return fmt.Errorf("sketch %d (%s): %w", i+1, meta.Label(), err)
		}
	}
	m.SetConcatenated(!perRecord)
	return nil
}

func setReference(r schema.Reference, meta sketch.Meta, set sketch.HashSet, p sketch.Params) error {
	if err := r.SetName(nameOf(meta)); err != nil {
		return err
	}
	if err := r.SetComment(meta.Comment); err != nil {
		return err
	}
	r.SetLength64(meta.Length)
	r.SetCounts32Sorted(p.Weighted)
	hashes := set.Hashes()
	if len(hashes) == 0 {
		return nil // Mash expects no list here, not an empty one
	}
	if p.Hash.Bits == 32 {
		list, err := r.NewHashes32(int32(len(hashes)))
		if err != nil {
			return err
		}
		for i, h := range hashes {
			list.Set(i, uint32(h))
		}
	} else {
		list, err := r.NewHashes64(int32(len(hashes)))
		if err != nil {
			return err
		}
		set64(list, hashes)
	}
	if !p.Weighted {
		return nil
	}
	abundances := set.(sketch.Abundant).Abundances()
	counts, err := r.NewCounts32(int32(len(abundances)))
	if err != nil {
		return err
	}
	for i, a := range abundances {
		counts.Set(i, uint32(a))
	}
	return nil
}

// set64 fills a list that was just made. Set would do, but at several times the
// cost, and large sketches are little but such lists.
func set64(list capnp.UInt64List, values []uint64) {
	if list.Message().NumSegments() > 1 { // a far pointer may follow it
		for i, v := range values {
			list.Set(i, v)
		}
		return
	}
	data := list.Segment().Data()
	data = data[len(data)-8*len(values):]
	for i, v := range values {
		binary.LittleEndian.PutUint64(data[8*i:], v)
	}
}

// messageSize is the exact size in bytes of the message in one segment, and
// the place where values that do not fit are found before anything is
// written.
func messageSize(c sketch.Collection) (uint64, error) {
	text := func(s string) uint64 {
		if s == "" {
			return 0 // no list
		}
		return pad(uint64(len(s)) + 1)
	}
	alphabet := dnaLetters
	p := c.Params()
	if p.Elements.Molecule == sketch.Letters {
		alphabet = p.Elements.Alphabet
	}
	const (
		root      = 8 + 3*8 + 4*8 // pointer, data, pointers
		lists     = 8 + 8 + 8 + 8 // LocusList, tag of its list; ReferenceList, tag of its list
		reference = 2*8 + 7*8
	)
	size := root + text(alphabet) + lists + reference*uint64(c.Len())
	for i := range c.Len() {
		meta := c.Meta(i)
		n, err := valueSize(c.At(i), p)
		if err == nil && strings.IndexByte(nameOf(meta)+meta.Comment, 0) >= 0 {
			err = fmt.Errorf(".msh cannot hold a name or comment with a NUL byte")
		}
		if err != nil {
			return 0, fmt.Errorf("sketch %d (%s): %w", i+1, meta.Label(), err)
		}
		size += text(nameOf(meta)) + text(meta.Comment) + n
	}
	return size, nil
}

// valueSize is the size in bytes of the lists of one sketch.
func valueSize(s sketch.Sketch, p sketch.Params) (uint64, error) {
	set, ok := s.(sketch.HashSet)
	if !ok {
		return 0, fmt.Errorf(".msh cannot hold a %T", s)
	}
	n := uint64(set.Len())
	size := pad(n * uint64(p.Hash.Bits) / 8)
	if p.Weighted && n > 0 {
		counted, ok := s.(sketch.Abundant)
		if !ok {
			return 0, fmt.Errorf("no abundances in a weighted sketch")
		}
		for _, a := range counted.Abundances() {
			if a > math.MaxUint32 {
				return 0, fmt.Errorf(".msh cannot hold abundance %d, only up to %d", a, uint32(math.MaxUint32))
			}
		}
		size += pad(n * 4)
	}
	return size, nil
}

// pad rounds up to whole words, as Cap'n Proto does.
func pad(n uint64) uint64 { return (n + 7) &^ 7 }

// nameOf is what Mash calls a sketch.
func nameOf(m sketch.Meta) string {
	if m.PerRecord {
		return m.ID
	}
	return m.Label()
}
