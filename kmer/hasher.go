// SPDX-License-Identifier: Apache-2.0

package kmer

import (
	"fmt"
	"io"
	"math/bits"

	"github.com/gsketch/gsketch/sketch"
)

// How many positions a kernel is given at a time.
const (
	stretch     = 64 * 64 // to find those whose hash may be within the bound
	hashStretch = 16 * 64 // to hash: the hashes should stay in the first-level cache
)

// A Hasher is the sketch.Source of the k-mers of a Block, in the order of
// their positions. It belongs to one goroutine.
type Hasher struct {
	scheme
	kernel kernel
	block  *Block
	from   int // windows before it are done with
	next   int // first position that no kernel has seen
	end    int // windows start before it

	// The stretch at hand.
	base   int                  // position of the first bit of hits
	word   int                  // first word of hits that may not be 0
	hits   [stretch / 64]uint64 // windows yet to be returned if their hash is within the bound
	bound  uint64               // hits holds all windows with a hash up to it
	hashed bool                 // hash holds the hashes of the stretch
	hash   [hashStretch]uint64
	picked [64]uint64 // where dst may be too short for them

	stats sketch.Stats
}

// NewHasher returns a Hasher of k-mers, k from 1 to MaxK. With canonical a
// k-mer and its reverse complement have one hash, that of the smaller. bits is
// 64, or 32 to keep the low half of the hash only. It panics on other
// values, which are a mistake of the caller: parameters that come from users
// are checked before.
func NewHasher(k int, canonical bool, bits int, seed uint32) *Hasher {
	if k < 1 || k > MaxK || bits != 32 && bits != 64 {
		panic(fmt.Sprintf("kmer: no hash of k = %d with %d bits", k, bits))
	}
	s := scheme{k: k, canonical: canonical, bits: bits, seed: seed}
	return &Hasher{scheme: s, kernel: chosen.kernel(s)}
}

// Reset starts on the block, which must not change until the Hasher has
// returned io.EOF or is reset. It adds the windows of the block to Stats.
func (h *Hasher) Reset(b *Block) {
	h.block = b
	h.from = max(0, b.overlap-h.k+1)
	h.next = h.from
	h.end = max(h.from, b.n-h.k+1)
	h.word = len(h.hits)
	windows := b.windows(h.k)
	h.stats.Elements += windows
	h.stats.Skipped += windows - h.countValid()
}

// Stats counts the windows of the blocks that the Hasher was reset to:
// positions where k letters lie within one record, and how many of them have
// no hash because one of the letters is a bad base. A window in the overlap of
// two blocks counts once.
func (h *Hasher) Stats() sketch.Stats { return h.stats }

// Next writes into dst the hashes that are at most bound, in order of
// position. The error is io.EOF at the end of the block, or nil.
func (h *Hasher) Next(dst []uint64, bound uint64) (int, error) {
	if bound > h.bound {
		h.next = h.from
		h.word = len(h.hits)
	}
	n := h.drain(dst, bound)
	for n < len(dst) && h.next < h.end {
		h.fill(bound)
		n += h.drain(dst[n:], bound)
	}
	if n < len(dst) {
		return n, io.EOF
	}
	return n, nil
}

// Each calls yield for every hash that is at most bound and the position in the
// block of the first base of its window, in order of position, up to the end of
// the block. It stands in for Next where positions are wanted.
func (h *Hasher) Each(bound uint64, yield func(pos int, hash uint64)) {
	for h.next < h.end {
		h.fill(bound)
		for w := range h.hits {
			if h.hits[w] == 0 {
				continue
			}
			base := h.base + w*64
			for hits := h.hits[w] & h.valid(base); hits != 0; hits &= hits - 1 {
				pos := base + bits.TrailingZeros64(hits)
				if hash := h.at(pos); hash <= bound {
					yield(pos, hash)
				}
			}
		}
		h.from = h.next
		h.word = len(h.hits)
	}
}

// fill finds the windows of the next stretch that may be within the bound.
func (h *Hasher) fill(bound uint64) {
	h.base = h.next &^ 63
	h.word = 0
	h.bound = bound
	codes := h.block.codes[h.base/32:]
	h.hashed = h.bits < 64 || bound > maxNear
	if h.hashed {
		h.next = min(h.end, h.base+hashStretch)
	} else {
		h.next = min(h.end, h.base+stretch)
	}
	words := (h.next - h.base + 63) / 64
	hits := h.hits[:words]
	if h.hashed {
		h.kernel.hashes(h.hash[:64*words], codes)
		for w := range hits {
			hits[w] = 1<<64 - 1
		}
		h.bound = 1<<64 - 1
	} else {
		h.kernel.near(hits, codes, bound)
	}
	clear(h.hits[words:])
}

// drain moves hashes from the stretch at hand to dst.
func (h *Hasher) drain(dst []uint64, bound uint64) int {
	n := 0
	for ; h.word < len(h.hits); h.word++ {
		if h.hits[h.word] == 0 {
			continue
		}
		base := h.base + h.word*64
		hits := h.hits[h.word] & h.valid(base)
		if got, ok := h.pick(dst[n:], hits, bound); ok {
			n += got
			h.hits[h.word] = 0
			h.from = base + 64
			continue
		}
		for ; hits != 0 && n < len(dst); hits &= hits - 1 {
			pos := base + bits.TrailingZeros64(hits)
			if hash := h.at(pos); hash <= bound {
				dst[n] = hash
				n++
			}
			h.from = pos + 1
		}
		h.hits[h.word] = hits
		if n == len(dst) {
			return n
		}
	}
	return n
}

// pick moves the wanted hashes of a word of hits to dst, if the stretch is
// hashed and they fit.
func (h *Hasher) pick(dst []uint64, hits, bound uint64) (n int, ok bool) {
	if !h.hashed {
		return 0, false
	}
	hashes := (*[64]uint64)(h.hash[64*h.word:])
	if len(dst) >= 64 {
		return h.kernel.pick((*[64]uint64)(dst), hashes, hits, h.mask(), bound), true
	}
	n = h.kernel.pick(&h.picked, hashes, hits, h.mask(), bound)
	if n > len(dst) {
		return 0, false
	}
	return copy(dst, h.picked[:n]), true
}

// at returns the hash of the window that starts at pos, in the stretch at hand.
func (h *Hasher) at(pos int) uint64 {
	if h.hashed {
		return h.hash[pos-h.base] & h.mask()
	}
	return h.hashAt(h.block, pos)
}

// valid returns a bit for each of the 64 positions from pos on, a multiple of
// 64: whether the window that starts there has no bad base and is this
// hasher's to return.
func (h *Hasher) valid(pos int) uint64 {
	lo, hi := h.block.bad[pos>>6], h.block.bad[pos>>6+1]
	if lo|hi == 0 && pos >= h.from && pos+64 <= h.end {
		return 1<<64 - 1
	}
	for r := uint(1); r < uint(h.k); {
		s := min(r, uint(h.k)-r) & 63 // at most 32
		lo |= lo>>s | hi<<(64-s)
		hi |= hi >> s
		r += s
	}
	return ^lo & lowBits(h.end-pos) &^ lowBits(h.from-pos)
}

// countValid counts the windows that have a hash, from run to run of bases.
func (h *Hasher) countValid() (n uint64) {
	start, end := h.from, h.block.n
	run := func(to int) {
		n += uint64(max(0, to-start-h.k+1))
		start = to + 1
	}
	for w := start / 64; w*64 < end; w++ {
		bad := h.block.bad[w]
		for ; bad != 0; bad &= bad - 1 {
			if pos := w*64 + bits.TrailingZeros64(bad); pos >= start && pos < end {
				run(pos)
			}
		}
	}
	run(end)
	return n
}

// lowBits is a mask of the first n bits, none for n < 0.
func lowBits(n int) uint64 {
	return 1<<uint(max(n, 0)) - 1
}
