// SPDX-License-Identifier: Apache-2.0

package lsh

import (
	"cmp"
	"math"
	"slices"

	"github.com/gsketch/gsketch/sketch"
)

// A Hit is a candidate with its estimated similarity and the confidence
// interval of that.
type Hit struct {
	Row                   uint32
	Similarity, Low, High float64
}

// Rank compares a query with candidates and returns them by falling estimate,
// equals by row. at gives the signature of a row.
func Rank(query sketch.Estimable, rows []uint32, at func(row uint32) sketch.Signature, confidence float64) ([]Hit, error) {
	hits := make([]Hit, len(rows))
	for i, row := range rows {
		s, err := query.Similarity(at(row), confidence)
		if err != nil {
			return nil, err
		}
		hits[i] = Hit{row, s.Value, s.Low, s.High}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		if x, y := orLowest(a.Similarity), orLowest(b.Similarity); x != y {
			return cmp.Compare(y, x)
		}
		return cmp.Compare(a.Row, b.Row)
	})
	return hits, nil
}

// orLowest puts what is undefined last.
func orLowest(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	return v
}
