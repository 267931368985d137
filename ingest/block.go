// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"github.com/gsketch/gsketch/kmer"
	"github.com/gsketch/gsketch/residue"
	"github.com/gsketch/gsketch/sketch"
)

// A block is the letters of records in each form that a plan needs: packed
// bases, those that skip-mers keep, and letters as they are. Packed bases are
// there with those of skip-mers, too. The first form there is says what fits;
// the others take as much.
type block struct {
	packed *kmer.Block
	skips  map[string]*kmer.SkipBlock // by molecule
	text   *residue.Block
	rna    bool
	dna    bool // letters are meant to be bases
}

// keptOf3 is the number of letters that skip-mers keep of 3.
var keptOf3 = map[string]int{sketch.SkipM1N3: 1, sketch.SkipM2N3: 2}

func (p Plan) newBlock() *block {
	b := &block{rna: p.RNA, dna: p.readsDNA()}
	for _, q := range p.Params {
		switch m := q.Elements.Molecule; {
		case m == sketch.DNA:
		case keptOf3[m] > 0:
			if b.skips[m] == nil {
				if b.skips == nil {
					b.skips = map[string]*kmer.SkipBlock{}
				}
				b.skips[m] = kmer.NewSkipBlock(keptOf3[m], blockBases)
				b.skips[m].RNA(p.RNA)
			}
		default:
			if b.text == nil {
				b.text = residue.NewBlock(blockBases)
			}
			continue
		}
		if b.packed == nil {
			b.packed = kmer.NewBlock(blockBases)
			b.packed.RNA(p.RNA)
		}
	}
	return b
}

func (b *block) Append(text []byte) int {
	if b.packed == nil {
		return b.text.Append(text)
	}
	n := b.packed.Append(text)
	for _, s := range b.skips {
		s.Append(text[:n])
	}
	if b.text != nil {
		b.text.Append(text[:n])
	}
	return n
}

func (b *block) EndRecord() {
	if b.packed != nil {
		b.packed.EndRecord()
	}
	for _, s := range b.skips {
		s.EndRecord()
	}
	if b.text != nil {
		b.text.EndRecord()
	}
}

func (b *block) Reset() {
	if b.packed != nil {
		b.packed.Reset()
	}
	for _, s := range b.skips {
		s.Reset()
	}
	if b.text != nil {
		b.text.Reset()
	}
}

// Carry lets the unfinished record go on in next, with so many of its last
// letters.
func (b *block) Carry(next *block, n int) {
	if b.packed != nil {
		b.packed.Carry(next.packed, n)
	}
	for m, s := range b.skips {
		s.Carry(next.skips[m], n)
	}
	if b.text != nil {
		b.text.Carry(next.text, n)
	}
}

// Bases is the number of letters appended since the block was empty.
func (b *block) Bases() uint64 {
	if b.packed != nil {
		return b.packed.Bases()
	}
	return b.text.Letters()
}

// Counts adds to sums, by upper-case letter, how often letters were appended
// since the block was empty: of DNA those that are no bases, else all.
func (b *block) Counts(sums *[256]uint64) {
	if b.packed != nil {
		for c, n := range b.packed.Bad() {
			sums[c] += n
		}
		return
	}
	before := *sums
	b.text.Counts(sums)
	if b.dna {
		for _, c := range "ACGT" {
			sums[c] = before[c]
		}
		if b.rna {
			sums['U'] = before['U']
		}
	}
}

// A hasher is the source of one kind of elements of a block.
type hasher interface {
	sketch.Source
	over(*block)
}

type packedHasher struct{ *kmer.Hasher }

func (h packedHasher) over(b *block) { h.Reset(b.packed) }

type skipHasher struct {
	*kmer.SkipHasher
	molecule string
}

func (h skipHasher) over(b *block) { h.Reset(b.skips[h.molecule]) }

type textHasher struct{ *residue.Hasher }

func (h textHasher) over(b *block) { h.Reset(b.text) }

// newHasher is the one place that knows which package hashes a molecule.
func (p Plan) newHasher(e sketch.Elements, h sketch.Hash) hasher {
	switch m := e.Molecule; {
	case m == sketch.DNA:
		return packedHasher{kmer.NewHasher(e.K, e.Canonical, h.Bits, uint32(h.Seed))}
	case keptOf3[m] > 0:
		return skipHasher{kmer.NewSkipHasher(e.K, e.Canonical, h.Bits, uint32(h.Seed)), m}
	}
	return textHasher{residue.NewHasher(e, h.Bits, uint32(h.Seed), residue.Options{Translate: p.Translate, RNA: p.RNA})}
}

// readsDNA says whether input is meant to be bases.
func (p Plan) readsDNA() bool { return p.Translate || isDNA(p.Params[0].Elements) }

// isDNA says whether elements are made of bases and of nothing else.
func isDNA(e sketch.Elements) bool { return e.Molecule == sketch.DNA || keptOf3[e.Molecule] > 0 }

// span is the number of letters of input from the first to the last of an
// element, at most.
func (p Plan) span(e sketch.Elements) int {
	switch kept := keptOf3[e.Molecule]; {
	case e.Molecule == sketch.DNA:
		return e.K
	case kept > 0:
		return 3*((e.K-1)/kept) + 1 + (e.K-1)%kept
	}
	return residue.Span(e.K, p.Translate)
}
