// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"fmt"
	"math"
	"slices"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/kmer"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/residue"
	"github.com/gsketch/gsketch/simhash"
	"github.com/gsketch/gsketch/sketch"
)

// A Plan says which sketches to make of each sample.
type Plan struct {
	Params   []sketch.Params // one sketch each, in this order
	Counting sketch.Counting
	RNA      bool // read U as T

	// Translate reads DNA for sketches of amino acids, in six frames.
	Translate bool

	// Coverage, if it is not 0, is how deep a sample is read: until the mean
	// number of copies of the hashes of its bottom-k sketch reaches it
	// (bottomk.Metered). What is read depends on the order of the records, and
	// not on the number of threads.
	Coverage float64

	// Panel makes the sketches of family distance.Screened among Params, which
	// are its own: what the samples hold of its references.
	Panel *distance.Panel

	// Own makes the sketches of families among Params that are their caller's
	// own and no file holds. Their builders see what the others see.
	Own map[string]func(sketch.Params) (sketch.Builder, error)
}

// Validate says whether sketches can be made by the plan.
func (p Plan) Validate() error {
	seen := map[sketch.Params]bool{}
	for _, q := range p.Params {
		if q.Family == distance.Screened {
			if p.Panel == nil || p.Panel.Params() != q {
				return fmt.Errorf("no panel to screen for: %s", q)
			}
		} else if p.Own[q.Family] == nil {
			if err := q.Validate(); err != nil {
				return err
			}
		}
		if err := p.validateElements(q); err != nil {
			return err
		}
		if _, ok := q.Hash.NumpyDims(); ok {
			return fmt.Errorf("%s: elements are no dimensions of a vector", q.Hash)
		}
		if _, err := p.newBuilder(q); err != nil {
			return err
		}
		if seen[q] {
			return fmt.Errorf("the same sketch is asked for twice: %s", q)
		}
		seen[q] = true
	}
	if len(p.Params) == 0 {
		return fmt.Errorf("no sketch is asked for")
	}
	if p.Translate && !slices.ContainsFunc(p.Params, func(q sketch.Params) bool { return !isDNA(q.Elements) }) {
		return fmt.Errorf("six frames are read for sketches of amino acids, not of %s", p.Params[0].Elements)
	}
	return p.checkCoverage()
}

// validateElements says whether the elements of q can be made of what is read.
func (p Plan) validateElements(q sketch.Params) error {
	e, first := q.Elements, p.Params[0].Elements
	if e.Molecule == sketch.Text { // checked where there are texts
		if first.Molecule != sketch.Text {
			return fmt.Errorf("%s and %s are not read at once", first.Molecule, e.Molecule)
		}
		return nil
	}
	if first.Molecule == sketch.Text || !p.Translate && isDNA(first) != isDNA(e) {
		return fmt.Errorf("%s and %s are not read at once", first.Molecule, e.Molecule)
	}
	if e.K > kmer.MaxK {
		return fmt.Errorf("k = %d is outside 1..%d", e.K, kmer.MaxK)
	}
	if h := Base(q.Hash); h.Algorithm != "murmur3x64" || h.Seed > math.MaxUint32 || (h.Bits != 32 && h.Bits != 64) {
		return fmt.Errorf("hash %s cannot be made of k-mers", q.Hash)
	}
	if isDNA(e) {
		return nil
	}
	return residue.Check(e, p.Translate)
}

// widest is the number of letters from the first to the last of an element of
// the plan, at most.
func (p Plan) widest() int {
	k := 1
	for _, q := range p.Params {
		k = max(k, p.span(q.Elements))
	}
	return k
}

// newBuilder is the one place that knows which package makes a family.
func (plan Plan) newBuilder(p sketch.Params) (sketch.Builder, error) {
	how := plan.Counting
	counting := p.Weighted || how.On()
	switch {
	case plan.Own[p.Family] != nil:
		return plan.Own[p.Family](p)
	case p.Family == distance.Screened:
		return plan.Panel.NewBuilder(), nil
	case p.Family == sketch.BottomK && plan.Coverage > 0:
		return bottomk.NewMetered(p, how), nil
	case p.Family == sketch.BottomK && counting:
		return bottomk.NewCounter(p, how), nil
	case p.Family == sketch.BottomK:
		return bottomk.NewBuilder(p), nil
	case p.Family == sketch.FracMinHash && counting:
		return fracminhash.NewCounter(p, how), nil
	case p.Family == sketch.FracMinHash:
		return fracminhash.NewBuilder(p), nil
	case how.On():
		return nil, fmt.Errorf("%s sketches take every element, however rare", p.Family)
	case p.Family == sketch.SimHash:
		return simhash.NewBuilder(p)
	default:
		return minhash.NewBuilder(p)
	}
}

// Base is how elements become hashes where h says, too, how these become slots:
// its seed is that of the permutations then, and elements are hashed without
// one.
func Base(h sketch.Hash) sketch.Hash {
	if h.Permutation != "" {
		h.Permutation, h.Seed = "", 0
	}
	return h
}

// A lane is a hasher with the builders that can share its hashes: the same
// elements under the same hash.
type lane struct {
	hasher   hasher
	builders []sketch.Builder
	at       []int // place of each builder in Plan.Params
}

// A bench is what one goroutine needs to work on one sample.
type bench struct {
	lanes []lane
	buf   []uint64
}

func (p Plan) newBench() *bench {
	type key struct {
		e sketch.Elements
		h sketch.Hash
	}
	b := &bench{buf: make([]uint64, sketch.BatchSize)}
	at := map[key]int{}
	for i, q := range p.Params {
		k := key{q.Elements, Base(q.Hash)}
		j, ok := at[k]
		if !ok {
			j = len(b.lanes)
			at[k] = j
			b.lanes = append(b.lanes, lane{hasher: p.newHasher(q.Elements, k.h)})
		}
		l := &b.lanes[j]
		d, _ := p.newBuilder(q) // Validate has made one
		l.builders = append(l.builders, d)
		l.at = append(l.at, i)
	}
	return b
}

// add hashes a block.
func (b *bench) add(block *block) error {
	for i := range b.lanes {
		l := &b.lanes[i]
		l.hasher.over(block)
		if err := sketch.Feed(l.hasher, b.buf, l.builders...); err != nil {
			return err
		}
	}
	return nil
}

// merge takes over what other has built.
func (b *bench) merge(other *bench) error {
	for i := range b.lanes {
		for j, d := range b.lanes[i].builders {
			if err := d.Merge(other.lanes[i].builders[j]); err != nil {
				return err
			}
		}
	}
	return nil
}
