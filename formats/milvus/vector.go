// SPDX-License-Identifier: Apache-2.0

// Package milvus reads and writes signatures as binary vectors of Milvus, for
// its index MINHASH_LSH and metric MHJACCARD, and files of such vectors for its
// bulk import.
//
// A vector is the slots one behind the other, each of 8, 16, 32 or 64 bits
// (mh_element_bit_width) in a byte order on which index and queries must agree.
// Its dimension is the number of bits. A band of the index (mh_lsh_band, a
// divisor of the number of slots) is a run of consecutive slots.
//
// What was hashed and how is not in a vector: the reader must know.
package milvus

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// A Layout says how slots lie in a vector.
type Layout struct {
	Bits      int // of a slot: 8, 16, 32 or 64
	BigEndian bool
}

var (
	// BuiltIn is the layout of Milvus's own MinHash function, whose signatures
	// the scheme sketch.Milvus makes.
	BuiltIn = Layout{Bits: 32}
	// Datasketch is the layout of Milvus's documentation for signatures made
	// by datasketch.
	Datasketch = Layout{Bits: 64, BigEndian: true}
)

func (l Layout) validate() error {
	switch l.Bits {
	case 8, 16, 32, 64:
		return nil
	}
	return fmt.Errorf("slots of %d bits; Milvus has 8, 16, 32 and 64", l.Bits)
}

// Fitting is the narrowest layout that has room for the slots of sketches made
// with p, little-endian.
func Fitting(p sketch.Params) Layout {
	l := Layout{Bits: 8}
	for l.Bits < p.SlotBits() {
		l.Bits *= 2
	}
	return l
}

// Dim is the dimension of vectors of k slots.
func (l Layout) Dim(k int) int { return k * l.Bits }

// Holds says why vectors cannot hold sketches made with p; nil if they can.
// Slots must be comparable one by one, as those of kperm, oph with filled bins
// and bbit are, and not wider than the layout.
func (l Layout) Holds(p sketch.Params) error {
	if err := l.validate(); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return err
	}
	switch {
	case p.Family == sketch.OPH && p.Densify == "":
		return fmt.Errorf("empty bins would agree in Milvus: %s", p)
	case p.Family != sketch.KPerm && p.Family != sketch.OPH && p.Family != sketch.BBit:
		return fmt.Errorf("a vector holds kperm, oph or bbit sketches, not %s", p)
	case p.SlotBits() > l.Bits:
		return fmt.Errorf("slots of %d bits in a vector of %d-bit elements: %s", p.SlotBits(), l.Bits, p)
	}
	return nil
}

func (l Layout) order() interface {
	binary.ByteOrder
	binary.AppendByteOrder
} {
	if l.BigEndian {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// Append appends the vector of a signature, Dim/8 bytes.
func Append(dst []byte, s sketch.Signature, l Layout) ([]byte, error) {
	if err := l.Holds(s.Params()); err != nil {
		return nil, err
	}
	order := l.order()
	for _, v := range s.AppendSlots(nil) {
		switch l.Bits {
		case 8:
			dst = append(dst, byte(v))
		case 16:
			dst = order.AppendUint16(dst, uint16(v))
		case 32:
			dst = order.AppendUint32(dst, uint32(v))
		default:
			dst = order.AppendUint64(dst, v)
		}
	}
	return dst, nil
}

// Parse reads a vector of a signature made with p, whose Size may be 0: then it
// follows from the length. A vector that is too short is io.ErrUnexpectedEOF.
func Parse(vector []byte, p sketch.Params, l Layout) (sketch.Estimable, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	width := l.Bits / 8
	if p.Size == 0 {
		p.Size = len(vector) / width
	}
	if err := l.Holds(p); err != nil {
		return nil, err
	}
	switch want := p.Size * width; {
	case len(vector) < want:
		return nil, fmt.Errorf("a vector of %d bits where %d slots have %d: %w", 8*len(vector), p.Size, 8*want, io.ErrUnexpectedEOF)
	case len(vector) > want:
		return nil, fmt.Errorf("a vector of %d bits where %d slots have %d", 8*len(vector), p.Size, 8*want)
	}
	order := l.order()
	slots := make([]uint64, p.Size)
	for i := range slots {
		switch b := vector[i*width:]; width {
		case 1:
			slots[i] = uint64(b[0])
		case 2:
			slots[i] = uint64(order.Uint16(b))
		case 4:
			slots[i] = uint64(order.Uint32(b))
		default:
			slots[i] = order.Uint64(b)
		}
	}
	return minhash.New(p, slots)
}
