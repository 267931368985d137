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

// rebuild makes the sketch that lies in rows first to end, and verifies its
// digest.
func (v *values) rebuild(d *digester, rows []row, e *Entry, first, end int) (sketch.Sketch, error) {
	c := content{params: rows[first].params, meta: e.Meta}
	for i := first; i < end; i++ {
		if v.signed[i] && end-first > 1 || v.signed[i] == v.hashes.spans[i].ok {
			return nil, errors.New("neither or both of hashes and signature")
		}
	}
	if v.signed[first] {
		c.signature = []byte(v.signatures[first])
	}
	c.hashes = v.hashes.join(first, end)
	c.abundances = v.abundances.join(first, end)
	if d.digest(&c) != rows[first].digest {
		return nil, errDigest
	}
	if c.signature != nil {
		return newSlots(e.Params, c.signature)
	}
	if (c.abundances != nil) != e.Params.Weighted {
		return nil, fmt.Errorf("abundances given: %t, wanted: %t", c.abundances != nil, e.Params.Weighted)
	}
	switch e.Params.Family {
	case sketch.BottomK:
		return bottomk.New(e.Params, c.hashes, c.abundances)
	case sketch.FracMinHash:
		return fracminhash.New(e.Params, c.hashes, c.abundances)
	}
	return nil, fmt.Errorf("hashes of family %q cannot be read", e.Params.Family)
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
	if !l.spans[first].ok {
		return nil
	}
	var parts [][]uint64
	for _, s := range l.spans[first:end] {
		parts = append(parts, l.slice(s))
	}
	return slices.Concat(parts...)
}
