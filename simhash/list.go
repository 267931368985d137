// SPDX-License-Identifier: Apache-2.0

package simhash

import (
	"fmt"
	"math/bits"
)

// A List holds fingerprints one behind the other; its rows are 0, 1, ...
type List struct {
	bits  int // of a fingerprint: 64 or 128
	words []uint64
}

// NewList returns an empty list of fingerprints of 64 or 128 bits.
func NewList(bits int) (*List, error) {
	if bits != 64 && bits != 128 {
		return nil, fmt.Errorf("fingerprints of %d bits: 64 or 128", bits)
	}
	return &List{bits: bits}, nil
}

// Add appends a fingerprint.
func (l *List) Add(f Fingerprint) { l.words = append(l.words, f[:l.bits/64]...) }

// Len is the number of fingerprints.
func (l *List) Len() int { return len(l.words) / (l.bits / 64) }

// At returns the fingerprint of a row.
func (l *List) At(row int) Fingerprint {
	if l.bits == 64 {
		return Fingerprint{l.words[row]}
	}
	return Fingerprint(l.words[2*row:])
}

// A Match is a row and its distance from what was looked for.
type Match struct {
	Row      uint32
	Distance int
}

// block is the number of words that are looked at in one go.
const block = 512

// Within appends the rows at most distance away from f, ascending. It looks at
// all of them.
func (l *List) Within(dst []Match, f Fingerprint, distance int) []Match {
	if distance < 0 {
		return dst
	}
	pairs := l.bits == 128
	if !pairs {
		f[1] = f[0]
	}
	var hits [block / 8]byte
	at := 0
	for ; at+8 <= len(l.words); at += block {
		words := l.words[at:min(at+block, len(l.words))]
		found := hits[:len(words)/8]
		within(found, words, f, distance, pairs)
		dst = l.appendHits(dst, found, at, f)
	}
	at = len(l.words) / 8 * 8
	if rest := l.words[at:]; len(rest) > 0 {
		var last [8]uint64
		copy(last[:], rest)
		within(hits[:1], last[:], f, distance, pairs)
		hits[0] &= 1<<len(rest) - 1
		dst = l.appendHits(dst, hits[:1], at, f)
	}
	return dst
}

// appendHits appends the rows of the set bits, of which the first is of the
// word numbered at.
func (l *List) appendHits(dst []Match, hits []byte, at int, f Fingerprint) []Match {
	if l.bits == 64 {
		f[1] = 0
	}
	for i, hit := range hits {
		for ; hit != 0; hit &= hit - 1 {
			row := (at + 8*i + bits.TrailingZeros8(hit)) / (l.bits / 64)
			dst = append(dst, Match{Row: uint32(row), Distance: l.At(row).Distance(f)})
		}
	}
	return dst
}
