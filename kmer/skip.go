// SPDX-License-Identifier: Apache-2.0

package kmer

import (
	"fmt"
	"io"

	"github.com/gsketch/gsketch/sketch"
)

// A SkipBlock holds the bases of which skip-mers are made: of each three
// letters of a record the first one or two, in each of the three frames, so
// that what is left of a frame has plain k-mers (Clavijo et al. 2017,
// doi:10.1101/179960). It is filled like a Block.
type SkipBlock struct {
	frames [3]*Block
	keeps  [3][3]bool // by frame and position in the record, modulo 3
	at     int        // position in the record; it matters below 3 and modulo 3
	thin   [3][piece]byte
}

// NewSkipBlock returns a SkipBlock that keeps m letters, 1 or 2, of 3 and takes
// as much as a Block of the same capacity.
func NewSkipBlock(m, bases int) *SkipBlock {
	if m != 1 && m != 2 {
		panic(fmt.Sprintf("kmer: no skip-mers of %d letters in 3", m))
	}
	s := &SkipBlock{}
	for f := range s.frames {
		s.frames[f] = NewBlock(bases)
		for i := range m {
			s.keeps[f][(f+i)%3] = true
		}
	}
	return s
}

// Reset empties the block. Whether it reads RNA stays as it is.
func (s *SkipBlock) Reset() {
	s.at = 0
	for _, b := range s.frames {
		b.Reset()
	}
}

// RNA says whether U is read as T.
func (s *SkipBlock) RNA(on bool) {
	for _, b := range s.frames {
		b.RNA(on)
	}
}

// Append adds all of text to the unfinished record. The caller sees to it that
// it fits, by what a Block of the same capacity takes.
func (s *SkipBlock) Append(text []byte) {
	for len(text) > 0 {
		n := min(len(text), piece)
		s.append(text[:n])
		text = text[n:]
	}
}

func (s *SkipBlock) append(text []byte) {
	var n [3]int
	for _, c := range text {
		if s.frames[0].class[c] == white {
			continue
		}
		for f := range n {
			// The first f letters of a record are before the frame begins.
			if s.at >= f && s.keeps[f][s.at%3] {
				s.thin[f][n[f]] = c
				n[f]++
			}
		}
		if s.at++; s.at == 6 {
			s.at = 3
		}
	}
	for f, b := range s.frames {
		b.Append(s.thin[f][:n[f]])
	}
}

// EndRecord ends the record, as that of a Block does.
func (s *SkipBlock) EndRecord() {
	s.at = 0
	for _, b := range s.frames {
		b.EndRecord()
	}
}

// Carry resets next, which may be s itself, so that the unfinished record goes
// on there, with the last n kept letters of each frame.
func (s *SkipBlock) Carry(next *SkipBlock, n int) {
	for f, b := range s.frames {
		b.Carry(next.frames[f], n)
	}
	next.at = s.at
}

// A SkipHasher is the sketch.Source of the skip-mers of a SkipBlock: the
// k-mers of its frames, one frame after the other.
type SkipHasher struct {
	*Hasher
	frames []*Block // yet to come
}

// NewSkipHasher returns a SkipHasher of skip-mers that have k kept bases; its
// parameters are those of NewHasher.
func NewSkipHasher(k int, canonical bool, bits int, seed uint32) *SkipHasher {
	return &SkipHasher{Hasher: NewHasher(k, canonical, bits, seed)}
}

// Reset starts on the block.
func (h *SkipHasher) Reset(s *SkipBlock) {
	h.Hasher.Reset(s.frames[0])
	h.frames = s.frames[1:]
}

// Next writes into dst the hashes that are at most bound. The error is io.EOF
// at the end of the block, or nil.
func (h *SkipHasher) Next(dst []uint64, bound uint64) (int, error) {
	n := 0
	for {
		m, err := h.Hasher.Next(dst[n:], bound)
		n += m
		if err != io.EOF || len(h.frames) == 0 {
			return n, err
		}
		h.Hasher.Reset(h.frames[0])
		h.frames = h.frames[1:]
	}
}

var _ sketch.Source = (*SkipHasher)(nil)
