// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"math"

	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/sketch"
)

// lookUp searches the index of what is known for a document. One that is like
// something there is not compared with others of the corpus.
func (p *pipeline) lookUp(row uint32, sig sketch.Signature) (found bool, err error) {
	if p.opts.Index == nil || emptySketch(sig) {
		return false, nil
	}
	hits, err := p.opts.Index.Search(sig, p.opts.Threshold, confidence)
	if err != nil || len(hits) == 0 {
		return false, err
	}
	if p.indexed == nil {
		p.indexed = map[uint32]bands.Hit{}
	}
	p.indexed[row] = hits[0]
	return true, nil
}

// indexedDecision is that on a document that is like one in the index.
func (r *Result) indexedDecision(row uint32, hit bands.Hit) Decision {
	v := r.verdict
	c := v.cluster[row]
	return Decision{Row: r.docs.row(row), ID: r.docs.ids[row], KeptRow: int64(hit.ID), KeptID: hit.Item.Meta.Label(), Cluster: c,
		Similarity: hit.Similarity.Value, Containment: math.NaN(), ClusterMin: v.minimum[c], Stage: StageNear, Reason: InReference}
}
