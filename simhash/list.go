// SPDX-License-Identifier: Apache-2.0

package simhash

import "fmt"

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

// block is the number of words whose distances are taken at a time.
const block = 512

// Within appends the rows at most distance away from f, ascending. It looks at
// all of them.
func (l *List) Within(dst []Match, f Fingerprint, distance int) []Match {
	if l.bits == 64 {
		f[1] = f[0]
	}
	var counts [block]byte
	step := l.bits / 64
	for at := 0; at < len(l.words); at += block {
		words := l.words[at:min(at+block, len(l.words))]
		onesOfXOR(counts[:len(words)], words, f[0], f[1])
		for i := 0; i < len(words); i += step {
			d := int(counts[i])
			if step == 2 {
				d += int(counts[i+1])
			}
			if d <= distance {
				dst = append(dst, Match{Row: uint32((at + i) / step), Distance: d})
			}
		}
	}
	return dst
}
