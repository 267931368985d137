// SPDX-License-Identifier: Apache-2.0

package distance

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/gsketch/gsketch/sketch"
)

// Screened is the family, in sketch.Params, of what a Panel builds.
const Screened = "screened"

// A Panel is a list of reference sketches whose hashes are looked for in
// samples that are streamed once: containment screening. Ondov et al. 2019,
// doi:10.1186/s13059-019-1841-x. It is immutable and safe for concurrent use.
type Panel struct {
	params sketch.Params
	hashes []uint64   // all of them, distinct, ascending
	of     [][]uint32 // by reference: places in hashes, ascending
	slots  []uint32   // open addressing: place in hashes plus 1; 0 is free
	shift  int
}

// NewPanel indexes references, which must be comparable with one another.
func NewPanel(refs []sketch.HashSet) (*Panel, error) {
	p := &Panel{of: make([][]uint32, len(refs))}
	var n int
	for i, r := range refs {
		if i == 0 {
			q := r.Params()
			p.params = sketch.Params{Family: Screened, Elements: q.Elements, Hash: q.Hash}
		}
		if err := refs[0].Params().Comparable(r.Params()); err != nil {
			return nil, err
		}
		n += r.Len()
	}
	all := make([]uint64, 0, n)
	for _, r := range refs {
		all = append(all, r.Hashes()...)
	}
	slices.Sort(all)
	p.hashes = slices.Clip(slices.Compact(all))
	if len(p.hashes) >= 1<<31 {
		return nil, fmt.Errorf("%d distinct hashes in the references; a panel holds fewer than 2^31", len(p.hashes))
	}
	p.index()
	for i, r := range refs {
		p.of[i] = make([]uint32, r.Len())
		for j, h := range r.Hashes() {
			p.of[i][j], _ = p.place(h)
		}
	}
	return p, nil
}

// index fills the hash table at a load of at most a half.
func (p *Panel) index() {
	size := max(4, 1<<bits.Len(uint(2*len(p.hashes))))
	p.slots = make([]uint32, size)
	p.shift = 64 - bits.TrailingZeros(uint(size))
	for i, h := range p.hashes {
		at := p.home(h)
		for p.slots[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		p.slots[at] = uint32(i + 1)
	}
}

// home is where a hash belongs. The hashes are uniform only below the largest
// one; the multiplication (Fibonacci hashing) spreads what their low bits tell.
func (p *Panel) home(h uint64) int { return int(h * 0x9e3779b97f4a7c15 >> p.shift) }

func (p *Panel) place(h uint64) (uint32, bool) {
	for at := p.home(h); p.slots[at] != 0; at = (at + 1) & (len(p.slots) - 1) {
		if i := p.slots[at] - 1; p.hashes[i] == h {
			return i, true
		}
	}
	return 0, false
}

// Params are those of the sketches that the panel's builders make: the
// references' elements and hash, of family Screened.
func (p *Panel) Params() sketch.Params { return p.params }

// Len is the number of references.
func (p *Panel) Len() int { return len(p.of) }

// NewBuilder returns a Builder that counts how often each hash of the panel
// occurs. Its sketch is a *Sightings.
func (p *Panel) NewBuilder() sketch.Builder {
	return &screen{panel: p, counts: make([]uint64, len(p.hashes))}
}

// Look finds the hashes of the panel in the sketch of a sample. Hashes above
// its bound cannot be looked for, so they do not count on either side.
// Abundances are copies; without them each hash is one.
func (p *Panel) Look(sample sketch.Abundant) *Sightings {
	s := &Sightings{panel: p, counts: make([]uint64, len(p.hashes)), bound: sample.Bound()}
	copies := sample.Abundances()
	for i, h := range sample.Hashes() {
		if at, ok := p.place(h); ok {
			s.counts[at] = 1
			if copies != nil {
				s.counts[at] = copies[i]
			}
		}
	}
	return s
}

// screen is the Builder of a Panel.
type screen struct {
	panel  *Panel
	counts []uint64
}

func (s *screen) Params() sketch.Params { return s.panel.params }

func (s *screen) Bound() uint64 {
	if n := len(s.panel.hashes); n > 0 {
		return s.panel.hashes[n-1]
	}
	return 0
}

func (s *screen) AddHashes(hashes []uint64) error {
	for _, h := range hashes {
		if at, ok := s.panel.place(h); ok {
			s.counts[at]++
		}
	}
	return nil
}

func (s *screen) Merge(other sketch.Builder) error {
	o, ok := other.(*screen)
	if !ok || o.panel != s.panel {
		return sketch.ErrIncompatible
	}
	for i, n := range o.counts {
		s.counts[i] += n
	}
	clear(o.counts)
	return nil
}

func (s *screen) Finish() (sketch.Sketch, error) {
	found := &Sightings{panel: s.panel, counts: s.counts, bound: s.Bound()}
	s.counts = make([]uint64, len(s.panel.hashes))
	return found, nil
}
