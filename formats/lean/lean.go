// SPDX-License-Identifier: Apache-2.0

// Package lean reads and writes the bytes of datasketch's LeanMinHash:
// k-permutation signatures of the schemes affine32, affine64 and legacy.
//
//	i64  seed of the permutations
//	i32  number of slots; negated where a scheme follows
//	u8   scheme: 1 affine32, 2 affine64; absent for legacy
//	     3 zero bytes, where a scheme precedes and the layout is Native
//	     slots, of 4 bytes each, or 8 for affine64
//
// What was hashed, and by which hash, is not in the bytes: the reader must
// know. A file is any number of signatures, one behind the other.
package lean

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/sketch"
)

// A Layout is the byte order and alignment of a signature, as datasketch's
// byteorder argument.
type Layout int

// The layouts.
const (
	Little Layout = iota // "<", and "=" on little-endian machines
	Big                  // ">" and "!"
	Native               // "@", the default of datasketch and of its pickles: little-endian with the padding of 64-bit machines
)

func (l Layout) order() interface {
	binary.ByteOrder
	binary.AppendByteOrder
} {
	if l == Big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// codes are the scheme bytes.
var codes = map[string]byte{sketch.Affine32: 1, sketch.Affine64: 2}

const (
	bareHeader = 12 // seed and number
	padding    = 3  // behind the scheme byte, Native only
)

// Append appends a signature of family kperm. It fails for Milvus's
// permutations, which datasketch does not have.
func Append(dst []byte, k *minhash.KPerm, l Layout) ([]byte, error) {
	p := k.Params()
	order := l.order()
	code := codes[p.Hash.Permutation]
	if code == 0 && p.Hash.Permutation != sketch.Legacy {
		return nil, fmt.Errorf("datasketch has no permutations %q", p.Hash.Permutation)
	}
	dst = order.AppendUint64(dst, p.Hash.Seed)
	if code == 0 {
		dst = order.AppendUint32(dst, uint32(p.Size))
	} else {
		dst = order.AppendUint32(dst, uint32(-p.Size))
		dst = append(dst, code)
		if l == Native {
			dst = append(dst, make([]byte, padding)...)
		}
	}
	for _, v := range k.AppendSlots(nil) {
		if p.SlotBits() == 64 {
			dst = order.AppendUint64(dst, v)
		} else {
			dst = order.AppendUint32(dst, uint32(v))
		}
	}
	return dst, nil
}

// Decode reads the signature at the beginning of b and returns it with the
// bytes behind it. of says what the bytes do not: the elements and the
// algorithm of their hash; datasketch's own is "sha1". A negative seed, of
// permutations made up by the writer, becomes its two's complement. Bytes that end too early
// are io.ErrUnexpectedEOF.
func Decode(b []byte, of sketch.Params, l Layout) (k *minhash.KPerm, rest []byte, err error) {
	order := l.order()
	if len(b) < bareHeader {
		return nil, nil, io.ErrUnexpectedEOF
	}
	seed, count := order.Uint64(b), int64(int32(order.Uint32(b[8:])))
	b = b[bareHeader:]
	scheme, width := sketch.Legacy, 4
	if count < 0 {
		count = -count
		if scheme, b, err = decodeScheme(b, l); err != nil {
			return nil, nil, err
		}
		if scheme == sketch.Affine64 {
			width = 8
		}
	}
	if count < 1 || count > sketch.MaxSlots {
		return nil, nil, fmt.Errorf("%d slots: not a LeanMinHash, or of another byte order", count)
	}
	if int64(len(b)) < count*int64(width) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	slots := make([]uint64, count)
	for i := range slots {
		if width == 8 {
			slots[i] = order.Uint64(b[8*i:])
		} else {
			slots[i] = uint64(order.Uint32(b[4*i:]))
		}
	}
	p := sketch.Params{Family: sketch.KPerm, Elements: of.Elements, Size: int(count),
		Hash: sketch.Hash{Algorithm: of.Hash.Algorithm, Bits: 64, Seed: seed, Permutation: scheme}}
	k, err = minhash.NewKPerm(p, slots)
	return k, b[int(count)*width:], err
}

// decodeScheme reads the scheme byte and the padding behind it.
func decodeScheme(b []byte, l Layout) (scheme string, rest []byte, err error) {
	n := 1
	if l == Native {
		n += padding
	}
	if len(b) < n {
		return "", nil, io.ErrUnexpectedEOF
	}
	for _, pad := range b[1:n] {
		if pad != 0 {
			return "", nil, errors.New("padding is not zero: not a LeanMinHash, or not of native layout")
		}
	}
	for scheme, code := range codes {
		if code == b[0] {
			return scheme, b[n:], nil
		}
	}
	return "", nil, fmt.Errorf("unknown scheme %d", b[0])
}

// Read decodes a whole file; path is for errors, which are *sketch.InputError
// with the number of the signature and its byte.
func Read(data []byte, path string, of sketch.Params, l Layout) ([]sketch.Item, error) {
	var items []sketch.Item
	for rest := data; len(rest) > 0; {
		k, behind, err := Decode(rest, of, l)
		if err != nil {
			return nil, &sketch.InputError{Path: path, Record: uint64(len(items) + 1), Offset: int64(len(data) - len(rest)), Err: err}
		}
		items = append(items, sketch.Item{Meta: sketch.Meta{Row: int64(len(items)), Source: path}, Sketch: k})
		rest = behind
	}
	return items, nil
}

// A Writer writes signatures one behind the other.
type Writer struct {
	w      io.Writer
	layout Layout
	buf    []byte
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer, l Layout) *Writer { return &Writer{w: w, layout: l} }

// Write writes the signature of an item, of which nothing else is kept.
func (w *Writer) Write(it sketch.Item) error {
	if err := Holds(it.Sketch.Params()); err != nil {
		return fmt.Errorf("%s: %w", it.Meta.Label(), err)
	}
	s, ok := it.Sketch.(sketch.Signature)
	if !ok {
		return fmt.Errorf("%s: %T is not a signature", it.Meta.Label(), it.Sketch)
	}
	k, ok := s.(*minhash.KPerm)
	if !ok {
		var err error
		if k, err = minhash.NewKPerm(s.Params(), s.AppendSlots(nil)); err != nil {
			return fmt.Errorf("%s: %w", it.Meta.Label(), err)
		}
	}
	b, err := Append(w.buf[:0], k, w.layout)
	if err != nil {
		return fmt.Errorf("%s: %w", it.Meta.Label(), err)
	}
	w.buf = b
	_, err = w.w.Write(b)
	return err
}

// Close does nothing: there is no end mark.
func (w *Writer) Close() error { return nil }

// Holds says why LeanMinHash bytes cannot hold sketches made with p; nil if
// they can.
func Holds(p sketch.Params) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if p.Family != sketch.KPerm || p.Hash.Permutation == sketch.Milvus {
		return fmt.Errorf("LeanMinHash holds kperm sketches of the schemes %s, %s and %s, not %s",
			sketch.Affine32, sketch.Affine64, sketch.Legacy, p)
	}
	return nil
}
