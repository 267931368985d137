// SPDX-License-Identifier: Apache-2.0

package residue

import (
	"bytes"
	"fmt"
	"io"

	"github.com/gsketch/gsketch/sketch"
)

// MaxK is the longest k-mer that a Hasher takes.
const MaxK = 64

// Options say how letters are read.
type Options struct {
	Translate bool // letters are DNA: its six frames are read
	RNA       bool // with Translate: U is T
}

// A Hasher is the sketch.Source of the k-mers of a Block. It belongs to one
// goroutine.
type Hasher struct {
	murmur
	span      int // letters of text in a window: k, or 3k
	canonical bool
	spell     [256]byte // of a byte of text: its letter, or of DNA the code of its base
	codons    *codons   // nil if letters are read as they are

	strands [6][]byte // spelt letters, each with room to read beyond
	used    int       // strands in use
	other   []byte    // canonical: the other strand of the first

	strand int // under way
	run    int // where to look for the next run of letters
	pos    int // next window
	stop   int // windows of the run start before it

	stats sketch.Stats
}

// NewHasher returns a Hasher of the elements e, which Check has accepted, with
// k from 1 to MaxK; width is 64, or 32 to keep the low half of the hash only.
// It panics on other values, which are a mistake of the caller.
func NewHasher(e sketch.Elements, width int, seed uint32, o Options) *Hasher {
	if err := Check(e, o.Translate); err != nil || e.K < 1 || e.K > MaxK || width != 32 && width != 64 {
		panic(fmt.Sprintf("residue: no hash of %s with %d bits", e, width))
	}
	h := &Hasher{murmur: newMurmur(e.K, width, seed), canonical: e.Canonical, span: Span(e.K, o.Translate), used: 1}
	if o.Translate {
		h.spell, h.codons, h.used = bases(o.RNA), newCodons(e), 6
	} else {
		h.spell = letters(e)
	}
	return h
}

// Span is the number of letters of text that a k-mer covers.
func Span(k int, translated bool) int {
	if translated {
		return 3 * k
	}
	return k
}

// Reset starts on the block. It adds the windows of the block to Stats.
func (h *Hasher) Reset(b *Block) {
	text := b.text[max(0, b.overlap-h.span+1):]
	if h.codons != nil {
		h.translate(text)
	} else {
		h.read(text)
	}
	h.strand, h.run, h.pos, h.stop = 0, 0, 0, 0
	windows, hashed := h.windows(text), h.hashable()
	h.stats.Elements += windows
	h.stats.Skipped += windows - hashed
}

// Stats counts the windows of the blocks that the Hasher was reset to, on
// both strands if it translates, and how many of them have no hash because a
// letter in them breaks k-mers. A window in the overlap of two blocks counts
// once.
func (h *Hasher) Stats() sketch.Stats { return h.stats }

// Next writes into dst the hashes that are at most bound: in order of
// position, frame by frame. The error is io.EOF at the end of the block, or
// nil.
func (h *Hasher) Next(dst []uint64, bound uint64) (int, error) {
	n := 0
	for n < len(dst) {
		if h.pos >= h.stop && !h.nextRun() {
			return n, io.EOF
		}
		text := h.strands[h.strand]
		var wrote, done int
		if h.canonical {
			wrote, done = h.scanCanonical(dst[n:], bound)
		} else {
			wrote, done = h.scan(dst[n:], text[h.pos:len(text)+h.k+pad], h.stop-h.pos, bound)
		}
		n += wrote
		h.pos += done
	}
	return n, nil
}

// nextRun finds the next run of at least k letters.
func (h *Hasher) nextRun() bool {
	for ; h.strand < h.used; h.strand, h.run = h.strand+1, 0 {
		for text := h.strands[h.strand]; h.run < len(text); {
			from := h.run
			length := runLength(text[from:])
			h.run += length + 1
			if length >= h.k {
				h.pos, h.stop = from, from+length-h.k+1
				return true
			}
		}
	}
	return false
}

// runLength is the number of letters before the first gap.
func runLength(text []byte) int {
	if i := bytes.IndexByte(text, gap); i >= 0 {
		return i
	}
	return len(text)
}

// hashable counts the windows that have a hash.
func (h *Hasher) hashable() (n uint64) {
	for _, text := range h.strands[:h.used] {
		n += countWindows(text, h.k)
	}
	return n
}

// windows counts those that lie within one record.
func (h *Hasher) windows(text []byte) uint64 {
	n := countWindows(text, h.span)
	if h.codons != nil {
		n *= 2
	}
	return n
}

func countWindows(text []byte, k int) (n uint64) {
	for len(text) >= k {
		length := runLength(text)
		n += uint64(max(0, length-k+1))
		text = text[min(length+1, len(text)):]
	}
	return n
}

// scanCanonical is scan for k-mers of ACGT that are one with their reverse
// complement.
func (h *Hasher) scanCanonical(dst []uint64, bound uint64) (wrote, done int) {
	text := h.strands[0]
	for i := h.pos; i < h.stop; i++ {
		kmer := text[i : len(text)+h.k+pad]
		j := len(text) - i - h.k
		if back := h.other[j : len(text)+h.k+pad]; bytes.Compare(back[:h.k], kmer[:h.k]) < 0 {
			kmer = back
		}
		if hash := h.hash(kmer); hash <= bound {
			if wrote == len(dst) {
				return wrote, i - h.pos
			}
			dst[wrote] = hash
			wrote++
		}
	}
	return wrote, h.stop - h.pos
}
