// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"io"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

func prefetchHead(_ *screening, w io.Writer) error {
	return csvLine(w, csvColumns("intersect_bp,jaccard,max_containment,f_query_match,f_match_query,match_filename,match_name,match_md5,match_bp", queryColumns, aniColumns))
}

// prefetchRows are those of sourmash prefetch: the references that hold at
// least the threshold of the sample, each at the larger scaled of the two.
func prefetchRows(s *screening, x sample, w io.Writer) error {
	threshold, err := parseBases(s.o.threshold)
	if err != nil {
		return err
	}
	x.item, err = s.o.flattened(x.item)
	if err != nil {
		return err
	}
	var matches []sketch.Item
	for _, ref := range s.refs {
		scaled := max(x.item.Sketch.Params().Scaled, ref.Sketch.Params().Scaled)
		query, err := atScaled(x.item, scaled)
		if err != nil {
			return err
		}
		match, err := atScaled(ref, scaled)
		if err != nil {
			return err
		}
		p := distance.Compare(query, match)
		if p.Shared == 0 || float64(p.Shared) < threshold/float64(scaled) {
			continue
		}
		matches = append(matches, match)
		cells := []string{csvUint(p.Shared * scaled), csvFloat(p.Jaccard()), csvFloat(p.MaxContainment()), csvFloat(p.ReverseContainment()), csvFloat(p.Containment()),
			match.Meta.Source, match.Meta.ID, shortMD5(match.Sketch), csvUint(p.B * scaled)}
		cells = append(cells, queryCells(query.Meta, query.Sketch)...)
		if err := csvLine(w, append(cells, aniCells(p)...)); err != nil {
			return err
		}
	}
	if len(matches) == 0 {
		s.o.note(s.log, "%s: no reference has %.0f bases of it (--threshold-bp); nothing is found", cmp.Or(x.item.Meta.Label(), x.paths[0]), threshold)
	}
	return s.o.save.add(x.item, matches)
}

// atScaled downsamples a FracMinHash sketch.
func atScaled(it sketch.Item, scaled uint64) (sketch.Item, error) {
	if it.Sketch.Params().Scaled == scaled {
		return it, nil
	}
	set, err := fracminhash.Downsample(it.Sketch.(sketch.Abundant), scaled)
	return sketch.Item{Meta: it.Meta, Sketch: set}, err
}
