// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"
	"errors"
	"iter"
	"math"

	"github.com/gsketch/gsketch/formats/steps"
)

// ErrRows is returned for rows of tables that do not fit together.
var ErrRows = errors.New("rows of the tables do not fit together")

// Bands yields the band rows of all sketches: the table bands. Empty sets have none.
func (s *Sketches) Bands(o Options) iter.Seq2[steps.Band, error] {
	return func(yield func(steps.Band, error) bool) {
		if s.Len() == 0 {
			return
		}
		x, err := newBanding(o.Banded(s.Params), o.Bands, o.Rows, 0, 1)
		if err != nil {
			yield(steps.Band{}, err)
			return
		}
		for i, it := range s.items {
			sig, err := signature(it, o.Slots)
			if err == nil {
				err = x.each(sig, func(t triple) error {
					if !yield(steps.Band{Band: int32(t.band), Key: int64(t.key), Row: s.rows[i]}, nil) {
						return errStopped
					}
					return nil
				})
			}
			if err == errStopped {
				return
			}
			if err != nil {
				yield(steps.Band{}, err)
				return
			}
		}
	}
}

var errStopped = errors.New("stopped")

// VerifyCandidates compares pairs of rows and calls emit, in their order, with those at
// least as similar as the threshold. It returns how many were compared.
func (s *Sketches) VerifyCandidates(ctx context.Context, o Options, candidates iter.Seq2[steps.Candidate, error], emit func(steps.Edge) error) (compared int, err error) {
	pairs := func(yield func([2]uint32, error) bool) {
		for c, err := range candidates {
			var pair [2]uint32
			if err == nil {
				pair[0], err = s.ordinal(c.A)
			}
			if err == nil {
				pair[1], err = s.ordinal(c.B)
			}
			if !yield(pair, err) || err != nil {
				return
			}
		}
	}
	err = Verify(ctx, pairs, o.Threads, func() Comparer { return &sketchComparer{sketches: s, measure: o.Measure, bare: true} }, func(e Edge) error {
		if compared++; !(e.Similarity >= o.Threshold) {
			return nil
		}
		return emit(steps.Edge{A: s.rows[e.A], B: s.rows[e.B], Jaccard: &e.Similarity, ContainmentAB: known(e.AB), ContainmentBA: known(e.BA)})
	})
	return compared, err
}

// ClusterEdges groups all sketches by edges of at least the threshold, which must
// have been compared.
func (s *Sketches) ClusterEdges(ctx context.Context, o Options, edges iter.Seq2[steps.Edge, error]) (*Result, error) {
	p := newPipeline(o)
	p.takeSketches(s)
	p.rank()
	for e, err := range edges {
		if err != nil {
			return nil, err
		}
		edge := Edge{AB: math.NaN(), BA: math.NaN()}
		if edge.A, err = s.ordinal(e.A); err != nil {
			return nil, err
		}
		if edge.B, err = s.ordinal(e.B); err != nil {
			return nil, err
		}
		if e.Jaccard == nil {
			return nil, unverified(e)
		}
		p.Counts.Candidates++
		if edge.Similarity = *e.Jaccard; edge.Similarity >= o.Threshold {
			p.edges = append(p.edges, edge)
		}
	}
	p.Counts.Edges = len(p.edges)
	if _, err := p.cluster(ctx); err != nil {
		return nil, err
	}
	_, err := p.decide(ctx)
	return p.Result, err
}
