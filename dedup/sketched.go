// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"github.com/gsketch/gsketch/sketch"
)

// takeSketches enters sketches as documents.
func (p *pipeline) takeSketches(s *Sketches) {
	p.sketches, p.sketched = s, true
	p.verification = "estimated from " + s.Params.Family + " sketches"
	if s.Params.Family == sketch.FracMinHash && s.Params.Scaled == 1 {
		p.verification = "exact, from FracMinHash sketches of scaled 1"
	}
	p.newComparer = func() Comparer { return &sketchComparer{sketches: s, measure: p.opts.Measure} }
	d := p.docs
	d.rows = s.rows
	for i, it := range s.items {
		d.ids = append(d.ids, it.Meta.Label())
		d.lengths = append(d.lengths, it.Meta.Length)
		d.first = append(d.first, uint32(i))
		d.sizes = append(d.sizes, 1)
		p.column(nil, 0)
		if emptySketch(it.Sketch) {
			d.sizes[i] = 0
			p.Counts.NoElements++
		}
	}
	p.Counts.Documents = len(d.ids)
}

func emptySketch(s sketch.Sketch) bool {
	if e, ok := s.(sketch.Estimable); ok {
		return e.Empty()
	}
	return s.Len() == 0
}

// readSketches enters sketches and their bands.
func (p *pipeline) readSketches(s *Sketches) (int, error) {
	p.takeSketches(s)
	if p.opts.All {
		return len(s.items), nil
	}
	for i, it := range s.items {
		sig, err := signature(it, p.opts.Slots)
		if err == nil {
			err = p.banding.add(uint32(i), sig)
		}
		if err != nil {
			return 0, err
		}
	}
	return len(s.items), nil
}
