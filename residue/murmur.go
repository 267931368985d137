// SPDX-License-Identifier: Apache-2.0

package residue

import (
	"encoding/binary"
	"math/bits"
)

// The constants of MurmurHash3 x64_128 (Austin Appleby, public domain).
const (
	c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	a1, a2 = 0x52dce729, 0x38495ab5
	f1, f2 = 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53
)

// pad is how many bytes beyond the last window may be read.
const pad = 16

// murmur is the hash of windows of k letters. tail1 and tail2 are masks of the
// letters left over behind the whole blocks of 16.
type murmur struct {
	k, whole     int
	tail1, tail2 uint64
	seed, keep   uint64
}

func newMurmur(k, width int, seed uint32) murmur {
	left := k % 16
	return murmur{k: k, whole: k - left, tail1: lowBytes(left), tail2: lowBytes(left - 8),
		seed: uint64(seed), keep: ^uint64(0) >> (64 - width)}
}

// lowBytes is a mask of the first n bytes of a word, none for n < 0.
func lowBytes(n int) uint64 {
	if n >= 8 {
		return 1<<64 - 1
	}
	return 1<<uint(8*max(n, 0)) - 1
}

// scan writes to dst the hashes, up to bound, of the windows that start at the
// first n bytes of text, until dst is full. It returns how many it wrote and
// how many windows it is done with. text reaches at least k + pad - 1 bytes
// beyond them.
func (m *murmur) scan(dst []uint64, text []byte, n int, bound uint64) (wrote, done int) {
	if m.k < 16 {
		return m.scanShort(dst, text, n, bound)
	}
	for i := range n {
		if h := m.hash(text[i:]); h <= bound {
			if wrote == len(dst) {
				return wrote, i
			}
			dst[wrote] = h
			wrote++
		}
	}
	return wrote, n
}

// scanShort is scan for k below 16, where all letters are a tail.
func (m *murmur) scanShort(dst []uint64, text []byte, n int, bound uint64) (wrote, done int) {
	tail1, tail2, seed, keep, k := m.tail1, m.tail2, m.seed, m.keep, uint64(m.k)
	for i := range n {
		t := text[i : i+pad : i+pad]
		h1 := seed ^ bits.RotateLeft64((binary.LittleEndian.Uint64(t)&tail1)*c1, 31)*c2 ^ k
		h2 := seed ^ bits.RotateLeft64((binary.LittleEndian.Uint64(t[8:])&tail2)*c2, 33)*c1 ^ k
		h1 += h2
		h2 += h1
		if h := (finish(h1) + finish(h2)) & keep; h <= bound {
			if wrote == len(dst) {
				return wrote, i
			}
			dst[wrote] = h
			wrote++
		}
	}
	return wrote, n
}

// hash is that of the first k bytes of text, which is at least pad longer.
func (m *murmur) hash(text []byte) uint64 {
	h1, h2 := m.seed, m.seed
	for i := 0; i < m.whole; i += 16 {
		t := text[i : i+pad : i+pad]
		h1 ^= bits.RotateLeft64(binary.LittleEndian.Uint64(t)*c1, 31) * c2
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + a1
		h2 ^= bits.RotateLeft64(binary.LittleEndian.Uint64(t[8:])*c2, 33) * c1
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + a2
	}
	// Letters that are not there are zeros, which leave the state as it is.
	t := text[m.whole : m.whole+pad : m.whole+pad]
	h2 ^= bits.RotateLeft64((binary.LittleEndian.Uint64(t[8:])&m.tail2)*c2, 33) * c1
	h1 ^= bits.RotateLeft64((binary.LittleEndian.Uint64(t)&m.tail1)*c1, 31) * c2
	h1 ^= uint64(m.k)
	h2 ^= uint64(m.k)
	h1 += h2
	h2 += h1
	return (finish(h1) + finish(h2)) & m.keep
}

func finish(h uint64) uint64 {
	h = (h ^ h>>33) * f1
	h = (h ^ h>>33) * f2
	return h ^ h>>33
}
