// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"fmt"
	"io"
)

// How hashes become slots, as Hash.Permutation spells it.
const (
	Affine32 = "affine32" // kperm: a*fmix32(h)+b mod 2^32 (datasketch 2.0)
	Affine64 = "affine64" // kperm: a*fmix64(h)+b mod 2^64 (datasketch 2.0)
	Legacy   = "legacy"   // kperm: low 32 bits of (a*h+b mod 2^64) mod 2^61-1 (datasketch before 2.0)
	Milvus   = "milvus"   // kperm: as legacy, with the permutations of Milvus
	Optimal  = "optimal"  // oph: empty bins take the slot of a bin chosen at random
	Rotation = "rotation" // oph: empty bins take the slot of the next full bin
	Hashed   = "hashed"   // icws: random numbers made from the element's hash
)

// MaxSlots bounds the slots of a signature, which files state.
const MaxSlots = 1 << 24

// validateSlots is Validate for the slot families.
func (p Params) validateSlots() error {
	if p.Size < 1 || p.Size > MaxSlots {
		return fmt.Errorf("%s needs a size of 1 to %d", p.Family, MaxSlots)
	}
	if p.Scaled != 0 && p.Family != OPH && p.Family != BBit {
		return fmt.Errorf("%s has no scaled", p.Family)
	}
	switch p.Family {
	case KPerm, OPH:
		if p.Bits != 0 || p.Weighted {
			return fmt.Errorf("%s keeps all bits of its slots and no weights", p.Family)
		}
	case BBit:
		if p.Bits < 1 || p.Bits > 32 {
			return fmt.Errorf("bbit needs 1 to 32 bits")
		}
	case ICWS:
		if p.Bits != 0 || !p.Weighted {
			return fmt.Errorf("icws keeps all bits of its slots, and weights")
		}
	case SimHash:
		if p.Bits != 0 || p.Size != 64 && p.Size != 128 {
			return fmt.Errorf("simhash needs a size of 64 or 128")
		}
	default:
		return fmt.Errorf("unknown family %q", p.Family)
	}
	return nil
}

// SlotBits is the width of a slot value of a signature: b of b-bit sketches, 1
// of SimHash, 32 of the k-permutation schemes with 32-bit values, otherwise 64.
// It is 0 for hash sets.
func (p Params) SlotBits() int {
	switch p.Family {
	case KPerm:
		if p.Hash.Permutation != Affine64 {
			return 32
		}
		return 64
	case OPH, ICWS:
		return 64
	case BBit:
		return p.Bits
	case SimHash:
		return 1
	}
	return 0
}

// Stride is the number of values per slot: 2 for ICWS (element, t), else 1.
func (p Params) Stride() int {
	if p.Family == ICWS {
		return 2
	}
	return 1
}

// SlotBytes is the length of a signature in files.
func (p Params) SlotBytes() int {
	return (p.Size*p.Stride()*p.SlotBits() + 7) / 8
}

// AppendSlotBytes appends the slot values of a signature made with p as they
// lie in files: SlotBits each, without gaps, the first value in the lowest
// bits of the first bytes. For widths of 8, 16, 32 and 64 bits that is a
// little-endian array. Bits above the width are not looked at.
func (p Params) AppendSlotBytes(dst []byte, slots []uint64) []byte {
	width := p.SlotBits()
	var low, n uint64 // n < 8 bits that are not yet written
	for _, v := range slots {
		for left := width; left > 0; left -= 32 {
			w := min(left, 32)
			low |= v & (1<<w - 1) << n
			v >>= w
			for n += uint64(w); n >= 8; n -= 8 {
				dst = append(dst, byte(low))
				low >>= 8
			}
		}
	}
	if n > 0 {
		dst = append(dst, byte(low))
	}
	return dst
}

// ParseSlotBytes is the inverse of AppendSlotBytes. It fails if b is not of
// length p.SlotBytes or has a bit set behind the last slot.
func (p Params) ParseSlotBytes(b []byte) ([]uint64, error) {
	if len(b) != p.SlotBytes() {
		err := fmt.Errorf("a signature of %d bytes where %d slots need %d", len(b), p.Size, p.SlotBytes())
		if len(b) < p.SlotBytes() {
			err = fmt.Errorf("%w: %w", err, io.ErrUnexpectedEOF)
		}
		return nil, err
	}
	width := p.SlotBits()
	slots := make([]uint64, p.Size*p.Stride())
	var low, n uint64
	for i := range slots {
		for at := 0; at < width; at += 32 {
			w := min(width-at, 32)
			for ; n < uint64(w); n += 8 {
				low |= uint64(b[0]) << n
				b = b[1:]
			}
			slots[i] |= low & (1<<w - 1) << at
			low >>= w
			n -= uint64(w)
		}
	}
	if low != 0 {
		return nil, fmt.Errorf("bits behind the last slot of a signature")
	}
	return slots, nil
}

// A Similarity is an estimate of how similar two sketched sets are.
type Similarity struct {
	Value     float64 // NaN where it is undefined, as for two empty sets
	Variance  float64 // of the estimator, taken at Value
	Low, High float64 // confidence interval
}

// An Estimable signature knows the estimator of its family: of the Jaccard
// index, the weighted Jaccard index (ICWS) or the cosine (SimHash).
type Estimable interface {
	Signature

	// Similarity estimates the similarity with a confidence interval, as 0.95.
	// It fails with ErrIncompatible unless other was made with the same Params.
	Similarity(other Signature, confidence float64) (Similarity, error)

	// Empty says whether nothing was added, so far as the slots can tell.
	Empty() bool
}
