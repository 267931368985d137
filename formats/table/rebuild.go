// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

var errDigest = errors.New("sketch does not match its digest")

// isHashSet says whether sketches of a family are stored in the column hashes;
// those of all others are in signature.
func isHashSet(family string) bool {
	return family == sketch.BottomK || family == sketch.FracMinHash
}

// rebuild makes the sketch that lies in rows first to end, and verifies its
// digest.
func (v *values) rebuild(d *digester, rows []row, e *Entry, first, end int) (sketch.Sketch, error) {
	p := e.Params
	set := isHashSet(p.Family)
	for i := first; i < end; i++ {
		signed := v.signatures[i] != ""
		if v.hashes.spans[i].ok != set || signed == set || signed && end-first > 1 {
			return nil, fmt.Errorf("neither or both of hashes and signature, or the wrong one for family %q", p.Family)
		}
		if got, want := v.abundances.spans[i].ok, set && p.Weighted; got != want {
			return nil, fmt.Errorf("abundances given: %t, wanted: %t", got, want)
		}
	}
	c := content{
		params: rows[first].params, meta: e.Meta,
		hashes: v.hashes.join(first, end), abundances: v.abundances.join(first, end),
	}
	if !set {
		c.signature = []byte(v.signatures[first])
	}
	if d.digest(&c) != rows[first].digest {
		return nil, errDigest
	}
	switch p.Family {
	case sketch.BottomK:
		return bottomk.New(p, c.hashes, c.abundances)
	case sketch.FracMinHash:
		return fracminhash.New(p, c.hashes, c.abundances)
	}
	return newSignature(p, c.signature)
}

// join is the list of the rows first to end as one, nil if the first is null.
// It copies only where the parts do not lie side by side.
func (l *lists) join(first, end int) []uint64 {
	whole := l.spans[first]
	for _, s := range l.spans[first+1 : end] {
		if s.at != whole.at+whole.n {
			return l.copied(first, end)
		}
		whole.n += s.n
	}
	return l.slice(whole)
}

func (l *lists) copied(first, end int) []uint64 {
	var parts [][]uint64
	for _, s := range l.spans[first:end] {
		parts = append(parts, l.slice(s))
	}
	return slices.Concat(parts...)
}
