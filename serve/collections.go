// SPDX-License-Identifier: Apache-2.0

package serve

import (
	"cmp"
	"errors"
	"math"
	"net/http"
	"slices"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/index"
	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
)

// confidence is that of all intervals.
const confidence = 0.95

// buckets is an index of bands.
type buckets struct{ x *bands.Index }

func (b buckets) describe() description {
	c := b.x.Config()
	return description{Kind: "bands", Params: c.Params.String(), Bands: c.Bands, Rows: c.Rows}
}

func (b buckets) check(a ask) error {
	if a.measure != "" {
		return refuse(http.StatusBadRequest, "measure=%s: an index of bands has the one measure of its sketches", a.measure)
	}
	return nil
}

func (b buckets) search(q sketch.Item, a ask) ([]hit, int, error) {
	query := q.Sketch.(sketch.Signature)
	hits, err := b.x.Search(query, a.threshold, confidence)
	return b.hits(hits, query, a), len(hits), ignoreEmpty(err)
}

func (b buckets) insert(it sketch.Item, a ask) ([]hit, int, error) {
	hits, err := b.x.AddUnless(it, a.threshold, confidence)
	return b.hits(hits, it.Sketch.(sketch.Signature), a), len(hits), ignoreEmpty(err)
}

// ignoreEmpty is err, unless it is that a set is empty, which the result says.
func ignoreEmpty(err error) error {
	if errors.Is(err, lsh.ErrEmpty) {
		return nil
	}
	return err
}

func (b buckets) hits(found []bands.Hit, query sketch.Signature, a ask) []hit {
	hits := make([]hit, min(len(found), a.top))
	for i := range hits {
		f := &found[i]
		hits[i] = hit{
			Reference:      f.Item.Meta.Label(),
			Source:         f.Item.Meta.Source,
			Similarity:     number(f.Similarity.Value),
			SimilarityLow:  some(f.Similarity.Low),
			SimilarityHigh: some(f.Similarity.High),
			Shared:         f.Shared(query),
			Of:             uint64(query.Len()),
		}
	}
	return hits
}

func some(v float64) *number {
	n := number(v)
	return &n
}

// postings is an index of hash sets.
type postings struct{ x *index.Index }

func (p postings) describe() description {
	return description{Kind: "postings", Params: p.x.Params().String()}
}

func (p postings) check(a ask) error {
	measures := []string{"", "jaccard", "containment", "max-containment"}
	if p.x.Params().Family == sketch.BottomK {
		measures = measures[:2] // no containment follows from bottom-k sketches
	}
	if !slices.Contains(measures, a.measure) {
		return refuse(http.StatusBadRequest, "measure=%s: %q of an index of %s sketches", a.measure, measures[1:], p.x.Params().Family)
	}
	return nil
}

func (p postings) insert(sketch.Item, ask) ([]hit, int, error) {
	return nil, 0, refuse(http.StatusForbidden, "an index of postings is not added to") // Postings refuses to allow it
}

// search ranks as gsketch search does where neither side has abundances.
func (p postings) search(q sketch.Item, a ask) ([]hit, int, error) {
	found, err := p.x.Search(q)
	if err != nil {
		return nil, 0, err
	}
	type scored struct {
		index.Hit
		score float64
	}
	var kept []scored
	for _, f := range found {
		s := scored{f, f.Pair.Jaccard()}
		switch a.measure {
		case "containment":
			s.score = f.Pair.PlainContainment()
		case "max-containment":
			s.score = f.Pair.PlainMaxContainment()
		}
		if s.score > 0 && s.score >= a.threshold {
			kept = append(kept, s)
		}
	}
	slices.SortStableFunc(kept, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	hits := make([]hit, min(len(kept), a.top))
	for i := range hits {
		k := &kept[i]
		ani, low, high := identity(k.Pair, a.measure)
		hits[i] = hit{
			Reference:  k.Meta.Label(),
			Source:     k.Meta.Source,
			Similarity: number(k.score),
			ANI:        some(ani),
			ANILow:     some(low),
			ANIHigh:    some(high),
			Shared:     k.Pair.Shared,
			Of:         k.Pair.Of,
		}
	}
	return hits, len(kept), nil
}

// identity is the ANI that goes with a measure, with its interval where there
// is one.
func identity(p distance.Pair, measure string) (ani, low, high float64) {
	switch {
	case p.Scaled == 0:
		low, high = p.ANIRange(confidence)
		return p.ANI(), low, high
	case measure == "containment":
		low, high = p.ANIInterval(confidence)
		return p.ContainmentANI(), low, high
	case measure == "max-containment":
		low, high = p.MaxANIInterval(confidence)
		return p.MaxContainmentANI(), low, high
	}
	return p.JaccardANI(), math.NaN(), math.NaN()
}
