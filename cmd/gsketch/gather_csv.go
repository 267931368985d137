// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"strconv"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/sketch"
)

// gatherCSVHead is the header of sourmash gather's CSV.
func gatherCSVHead(w io.Writer, ci bool) error {
	columns := csvColumns("intersect_bp,f_orig_query,f_match,f_unique_to_query,f_unique_weighted,average_abund,median_abund,std_abund,filename,name,md5,f_match_orig,unique_intersect_bp,gather_result_rank,remaining_bp",
		queryColumns, aniColumns, "n_unique_weighted_found,sum_weighted_found,total_weighted_hashes")
	if ci {
		columns = append(columns, csvColumns("query_containment_ani_low,query_containment_ani_high,match_containment_ani_low,match_containment_ani_high")...)
	}
	return csvLine(w, columns)
}

func (g *gathering) csvRows(query sketch.Item, covers []distance.Cover, w io.Writer) error {
	for rank, c := range covers {
		match := g.refs[c.Reference]
		at, err := atScaled(query, c.Scaled)
		if err != nil {
			return err
		}
		q := float64(c.Query)
		weighted := query.Sketch.Params().Weighted
		share, found := float64(c.Unique)/q, ""
		if weighted {
			share, found = float64(c.Weight)/float64(c.TotalWeight), csvUint(c.Weight)
		}
		cells := []string{csvUint(c.Pair.Shared * c.Scaled), csvFloat(float64(c.Pair.Shared) / q), csvFloat(c.UniqueContainment()), csvFloat(float64(c.Unique) / q),
			csvFloat(share), csvFloat(c.Mean), csvFloat(c.Median), csvFloat(c.Deviation),
			g.paths[c.Reference], match.Meta.ID, md5Of(match.Sketch), csvFloat(c.Pair.ReverseContainment()), csvUint(c.Unique * c.Scaled), strconv.Itoa(rank), csvUint(c.Remaining * c.Scaled)}
		cells = append(cells, queryCells(at.Meta, at.Sketch)...)
		cells = append(cells, aniCells(c.Pair)...)
		cells = append(cells, found, csvUint(c.WeightSoFar), csvUint(c.TotalWeight))
		if g.o.ci {
			for _, p := range []distance.Pair{c.Pair, reversed(c.Pair)} {
				low, high := p.ANIInterval(confidence)
				cells = append(cells, csvFloat(low), csvFloat(high))
			}
		}
		if err := csvLine(w, cells); err != nil {
			return err
		}
	}
	return nil
}
