// SPDX-License-Identifier: Apache-2.0

package msh

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"capnproto.org/go/capnp/v3"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/formats/msh/internal/schema"
	"github.com/gsketch/gsketch/sketch"
)

// A File is the content of one .msh file, a collection in memory.
type File struct {
	*sketch.List
	counts [][]uint32
}

// Counts are the copies of the hashes of sketch i: how often each of the kept
// hashes occurred, as a multiset. Where the collection is Weighted they are
// parallel to the hashes, otherwise their order means nothing (files of Mash
// 2.3). It is empty where the file has none, as for assembled genomes.
func (f *File) Counts(i int) []uint32 { return f.counts[i] }

// Read decodes the bytes of a .msh file; path is for errors, which are
// *sketch.InputError. The result does not keep data.
//
// The collection is Weighted if the counts of all sketches are known to be
// parallel to the hashes (flag counts32Sorted). In Meta, ID is the name, Comment the comment as
// stored, PerRecord the file's flag, and LengthEstimated true where there are
// counts, since Mash then stores an estimate of the genome size.
//
// Memory is at most about 9 times len(data), reached where 32-bit hashes fill
// the file; it is bounded for a hostile file, too.
func Read(data []byte, path string) (*File, error) {
	f, err := read(data, path)
	if err != nil {
		var in *sketch.InputError
		if errors.As(err, &in) {
			return nil, err
		}
		return nil, sketch.BadInput(path, err)
	}
	return f, nil
}

func read(data []byte, path string) (f *File, err error) {
	if err := checkFraming(data); err != nil {
		return nil, err
	}
	// The decoder states that it is of alpha quality; its contract is an error
	// for a bad pointer, and this holds it to that.
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("bad Cap'n Proto message: %v", r)
		}
	}()
	msg, err := capnp.Unmarshal(data)
	if err != nil {
		return nil, err
	}
	// Every object is visited at most once, so an honest file stays below its
	// own size. A hostile one, whose pointers all lead to the same list, must
	// not be multiplied.
	msg.TraverseLimit = uint64(len(data))
	m, err := schema.ReadRootMinHash(msg)
	if err != nil {
		return nil, err
	}
	if !m.IsValid() {
		return nil, errors.New("a Cap'n Proto message, but without a sketch file in it")
	}
	params, err := paramsOf(m)
	if err != nil {
		return nil, err
	}
	refs, err := references(m, len(data))
	if err != nil {
		return nil, err
	}
	return decode(refs, params, !m.Concatenated(), path)
}

// references returns the list that Mash reads.
func references(m schema.MinHash, fileBytes int) (schema.Reference_List, error) {
	list, err := m.ReferenceList()
	if err != nil {
		return schema.Reference_List{}, err
	}
	refs, err := list.References()
	if err == nil && refs.Len() == 0 {
		if list, err = m.ReferenceListOld(); err == nil {
			refs, err = list.References()
		}
	}
	// A Reference has taken at least 1 word of data and 6 pointers since the
	// first version of the schema.
	if err == nil && refs.Len() > fileBytes/56 {
		err = fmt.Errorf("%d sketches in %d bytes", refs.Len(), fileBytes)
	}
	return refs, err
}

// entry is a Reference as stored.
type entry struct {
	meta     sketch.Meta
	hashes   []uint64
	counts   []uint32
	parallel bool // counts are parallel to the hashes
}

// weighted says whether all entries have counts parallel to the hashes. An
// empty one that does not say so has no counts to be wrong about.
func weighted(entries []entry) bool {
	found := false
	for i := range entries {
		e := &entries[i]
		if !e.parallel && len(e.hashes) > 0 {
			return false
		}
		found = found || e.parallel
	}
	return found
}

func decode(refs schema.Reference_List, p sketch.Params, perRecord bool, path string) (*File, error) {
	entries := make([]entry, refs.Len())
	for i := range entries {
		e := &entries[i]
		e.meta.PerRecord = perRecord
		if err := e.read(refs.At(i), p.Hash.Bits); err != nil {
			return nil, &sketch.InputError{Path: path, Record: uint64(i) + 1, Name: e.meta.ID, Offset: -1, Err: err}
		}
	}
	p.Weighted = weighted(entries)
	f := &File{counts: make([][]uint32, len(entries))}
	items := make([]sketch.Item, len(entries))
	for i := range entries {
		e := &entries[i]
		var counts []uint64
		if p.Weighted {
			counts = make([]uint64, len(e.counts))
			for j, c := range e.counts {
				counts[j] = uint64(c)
			}
		}
		set, err := bottomk.New(p, e.hashes, counts)
		if err != nil {
			return nil, &sketch.InputError{Path: path, Record: uint64(i) + 1, Name: e.meta.ID, Offset: -1, Err: err}
		}
		items[i] = sketch.Item{Meta: e.meta, Sketch: set}
		f.counts[i] = e.counts
	}
	var err error
	f.List, err = sketch.NewList(p, items)
	return f, err
}

func (e *entry) read(r schema.Reference, bits int) (err error) {
	if e.meta.ID, err = r.Name(); err != nil {
		return fmt.Errorf("name: %w", err)
	}
	if e.meta.Comment, err = r.Comment(); err != nil {
		return fmt.Errorf("comment: %w", err)
	}
	if e.meta.Length = r.Length64(); e.meta.Length == 0 {
		e.meta.Length = uint64(r.Length())
	}
	h32, err := r.Hashes32()
	if err != nil {
		return fmt.Errorf("hashes: %w", err)
	}
	h64, err := r.Hashes64()
	if err != nil {
		return fmt.Errorf("hashes: %w", err)
	}
	if bits == 32 && h64.Len() > 0 || bits == 64 && h32.Len() > 0 {
		return fmt.Errorf("%d-bit hashes where k and alphabet ask for %d bits", 96-bits, bits)
	}
	e.hashes = make([]uint64, h32.Len()+h64.Len())
	for i := range h32.Len() {
		e.hashes[i] = uint64(h32.At(i))
	}
	for i := range h64.Len() {
		e.hashes[i] = h64.At(i)
	}
	return e.readCounts(r)
}

func (e *entry) readCounts(r schema.Reference) error {
	counts, err := r.Counts32()
	if err != nil {
		return fmt.Errorf("counts: %w", err)
	}
	if r.HasCounts32() && counts.Len() != len(e.hashes) {
		return fmt.Errorf("%d counts for %d hashes", counts.Len(), len(e.hashes))
	}
	e.meta.LengthEstimated = r.HasCounts32() || r.Counts32Sorted()
	e.parallel = r.Counts32Sorted() && counts.Len() == len(e.hashes)
	e.counts = make([]uint32, counts.Len())
	for i := range e.counts {
		e.counts[i] = counts.At(i)
	}
	return nil
}

// maxSegments is the limit of the C++ library that Mash reads with.
const maxSegments = 512

// checkFraming compares the sizes in the stream header with the length of the
// file: a shorter file is cut, a longer one has something after the message
// that Mash would ignore without a word.
func checkFraming(data []byte) error {
	if len(data) < 8 {
		return fmt.Errorf("%d bytes are no sketch file: %w", len(data), io.ErrUnexpectedEOF)
	}
	segments := uint64(binary.LittleEndian.Uint32(data)) + 1
	if segments > maxSegments {
		return errors.New("not a Mash sketch file")
	}
	size := (4 + 4*segments + 7) &^ 7
	if uint64(len(data)) < size {
		return fmt.Errorf("cut in the header: %w", io.ErrUnexpectedEOF)
	}
	for i := range segments {
		size += 8 * uint64(binary.LittleEndian.Uint32(data[4+4*i:]))
	}
	switch n := uint64(len(data)); {
	case n < size:
		return fmt.Errorf("cut: %d of %d bytes: %w", n, size, io.ErrUnexpectedEOF)
	case n > size:
		return fmt.Errorf("%d bytes after the end of the sketches at byte %d (files joined by cat?)", n-size, size)
	}
	return nil
}
