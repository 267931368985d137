// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"math"

	"github.com/gsketch/gsketch/internal/interval"
	"github.com/gsketch/gsketch/sketch"
)

// counterpart returns other as what it is to be compared with: the same type
// with the same Params. Signatures of other types, as a file may hold them, are
// converted.
func counterpart[T sketch.Signature](own T, other sketch.Signature) (T, error) {
	var none T
	if p, q := own.Params(), other.Params(); p != q {
		if err := p.Comparable(q); err != nil {
			return none, err
		}
		return none, sketch.ErrIncompatible
	}
	if o, ok := other.(T); ok {
		return o, nil
	}
	o, err := New(other.Params(), other.AppendSlots(nil))
	if err != nil {
		return none, err
	}
	return o.(T), nil
}

// ofEmpty is the similarity where at least one set is empty: 0, or undefined
// for two of them.
func ofEmpty(a, b interface{ Empty() bool }) (sketch.Similarity, bool) {
	switch x, y := a.Empty(), b.Empty(); {
	case x && y:
		nan := math.NaN()
		return sketch.Similarity{Value: nan, Variance: nan, Low: nan, High: nan}, true
	case x || y:
		return sketch.Similarity{}, true
	}
	return sketch.Similarity{}, false
}

// ofSlots is the similarity of signatures whose slots agree independently.
func ofSlots(agree, k int, confidence float64) sketch.Similarity {
	x, n := float64(agree), float64(k)
	s := sketch.Similarity{Value: x / n}
	s.Variance = s.Value * (1 - s.Value) / n
	s.Low, s.High = interval.Proportion(x, n, confidence)
	return s
}

// StandardError is the largest standard error that the Jaccard index estimated
// from k slots can have, 1/(2 sqrt k), reached at J = 1/2: 0.044 for 128 slots,
// 0.025 for 400. At J it is sqrt(J(1-J)/k).
func StandardError(k int) float64 { return 1 / (2 * math.Sqrt(float64(k))) }
