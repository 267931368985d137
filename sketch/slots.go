// SPDX-License-Identifier: Apache-2.0

package sketch

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// The permutations of kperm, as Hash.Permutation spells them.
const (
	Affine32 = "affine32" // a*fmix32(h)+b mod 2^32 (datasketch 2.0)
	Affine64 = "affine64" // a*fmix64(h)+b mod 2^64 (datasketch 2.0)
	Legacy   = "legacy"   // low 32 bits of (a*h+b mod 2^64) mod 2^61-1, h of 32 bits (datasketch before 2.0)
	Milvus   = "milvus"   // as legacy with h of 64 bits, and the factors of Milvus
)

// How the empty bins of oph are filled, as Params.Densify spells it.
const (
	Optimal  = "optimal"  // with the slot of a full bin chosen at random
	Rotation = "rotation" // with the slot of the next full bin
)

// Numpy is, with the number of dimensions behind it as in "numpy:5", the
// permutation of icws sketches whose elements are dimensions of a vector, with
// random numbers as datasketch draws them.
const Numpy = "numpy"

// NumpyDims is the number of dimensions that a Numpy permutation states.
func (h Hash) NumpyDims() (int, bool) {
	digits, ok := strings.CutPrefix(h.Permutation, Numpy+":")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n > 0 && strconv.Itoa(n) == digits && h.Seed <= math.MaxUint32
}

// MaxSlots bounds the slots of a signature, which files state.
const MaxSlots = 1 << 24

// validateSlots is Validate for the slot families.
func (p Params) validateSlots() error {
	if p.Size < 1 || p.Size > MaxSlots {
		return fmt.Errorf("%s needs a size of 1 to %d", p.Family, MaxSlots)
	}
	if p.Family != BBit && p.Bits != 0 {
		return fmt.Errorf("%s keeps all bits of its slots", p.Family)
	}
	switch p.Family {
	case KPerm:
		return p.validateKPerm()
	case OPH:
		return p.validateOPH()
	case BBit:
		return p.validateBBit()
	case ICWS:
		if _, ok := p.Hash.NumpyDims(); !ok && p.Hash.Permutation != "" {
			return fmt.Errorf("icws draws from the element's hash or as %s:DIMENSIONS, not %q", Numpy, p.Hash.Permutation)
		}
		if !p.Weighted || p.Densify != "" || p.Scaled != 0 || p.Sampled != 0 {
			return fmt.Errorf("icws needs weights and no bins")
		}
	case SimHash:
		if p.Size != 64 && p.Size != 128 {
			return fmt.Errorf("simhash needs a size of 64 or 128")
		}
		if p.Hash.Permutation != "" || p.Densify != "" || p.Scaled != 0 || p.Sampled != 0 {
			return fmt.Errorf("simhash has neither permutations nor bins")
		}
	default:
		return fmt.Errorf("unknown family %q", p.Family)
	}
	return nil
}

func (p Params) validateKPerm() error {
	switch p.Hash.Permutation {
	case Affine32, Affine64, Legacy, Milvus:
	default:
		return fmt.Errorf("no permutations %q; there are %s, %s, %s and %s", p.Hash.Permutation, Affine32, Affine64, Legacy, Milvus)
	}
	switch {
	case p.Hash.Bits != 64:
		return fmt.Errorf("permutations need hashes of 64 bits; the scheme says how many of them it uses")
	case p.Weighted || p.Densify != "" || p.Scaled != 0 || p.Sampled != 0:
		return fmt.Errorf("kperm has neither weights nor bins")
	}
	return nil
}

func (p Params) validateOPH() error {
	switch {
	case p.Densify != "" && p.Densify != Optimal && p.Densify != Rotation:
		return fmt.Errorf("no way %q to fill bins; there are %s and %s", p.Densify, Optimal, Rotation)
	case p.Hash.Permutation != "" || p.Weighted:
		return fmt.Errorf("oph has neither permutations nor weights")
	case p.Sampled < 0 || p.Sampled != 0 && p.Scaled != 0:
		return fmt.Errorf("oph is made of bottom-k or of FracMinHash sketches, or of all hashes")
	}
	return nil
}

// validateBBit checks the bits and what they are the low bits of.
func (p Params) validateBBit() error {
	if p.Bits < 1 || p.Bits > 32 {
		return fmt.Errorf("bbit needs 1 to 32 bits")
	}
	full := p.Full()
	if full.Family == OPH && full.Densify == "" {
		return fmt.Errorf("the low bits of a bin cannot say that it is empty: bbit of oph needs filled bins")
	}
	return full.validateSlots()
}

// Full is what the low bits of a b-bit sketch are kept of: kperm where there
// are permutations, icws where there are weights, otherwise oph. It is p itself
// for other families.
func (p Params) Full() Params {
	if p.Family != BBit {
		return p
	}
	p.Bits = 0
	switch {
	case p.Weighted:
		p.Family = ICWS
	case p.Hash.Permutation != "":
		p.Family = KPerm
	default:
		p.Family = OPH
	}
	return p
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
	switch width {
	case 32:
		for _, v := range slots {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
		}
		return dst
	case 64:
		for _, v := range slots {
			dst = binary.LittleEndian.AppendUint64(dst, v)
		}
		return dst
	}
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
	switch width {
	case 32:
		for i := range slots {
			slots[i] = uint64(binary.LittleEndian.Uint32(b[4*i:]))
		}
		return slots, nil
	case 64:
		for i := range slots {
			slots[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		return slots, nil
	}
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

	// Similarity estimates the similarity with a confidence interval, as 0.95;
	// with 0 it is the value alone, which is fast.
	// It fails with ErrIncompatible unless other was made with the same Params.
	Similarity(other Signature, confidence float64) (Similarity, error)

	// Empty says whether nothing was added, so far as the slots can tell.
	Empty() bool
}
