// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"errors"
	"fmt"
	"github.com/gsketch/gsketch/index/bands"
	"github.com/gsketch/gsketch/ingest"
	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/sketch"
	"math"
	"time"
)

// Options say how documents are compared and what is kept of them.
type Options struct {
	Texts     ingest.Texts
	Params    sketch.Params // of the signatures that candidates are found by
	Threads   int
	KeepGoing bool
	Memory    int64 // bytes for sorting band rows and pairs; what goes beyond is on disk
	Progress  func(bytes int)
	Note      func(stage string, count int, took time.Duration) // called at the end of each stage; may be nil

	Measure   string  // of sketches: Jaccard, MaxContainment, ANI
	Slots     int     // of what bottom-k and FracMinHash sketches are binned into to be banded
	All       bool    // candidates are all pairs, not those of a banding
	Threshold float64 // in (0, 1]
	Recall    float64 // wanted of candidates at the threshold, where Bands is 0
	Bands     int     // 0: Bands and Rows are chosen
	Rows      int
	BucketCap int // members above which a bucket is a star; 0 is no cap

	Verify    string // how candidates of a corpus are compared: Exact, BySignature, ByContainment, Edit
	VerifyCmd string // judges the pairs that have been compared; "" for none
	Examples  int    // pairs of documents that the report shows side by side

	Method      string       // Components, Star, Complete
	Rule        string       // what is kept: First, Longest, Source, Highest, Newest
	Column      string       // of the rule
	Group       string       // column by whose values removals are counted; "" for none
	Table       *Columns     // has the columns instead of the corpus; nil if that has them
	Against     []string     // documents that are known: what is like them is not kept, and they are not judged
	Index       *bands.Index // of what is known: documents like something there are not kept, by their signatures
	Edges       []string     // tables of pairs that are compared, too, or, with a similarity, have been
	Containment float64      // share of the elements of a document that a larger one has to have for it not to be kept; 0 is not asked
	Margin      float64      // pairs nearer than this to the threshold are to be reviewed, too
	ByRow       bool         // ties are broken by row, not by name
	MostPairs   int          // compared in a cluster for its smallest similarity
}

// Banded gives those of the slots that sketches are banded by.
func (o *Options) Banded(p sketch.Params) sketch.Params {
	if p.Family != sketch.BottomK && p.Family != sketch.FracMinHash {
		return p
	}
	out := sketch.Params{Family: sketch.OPH, Elements: p.Elements, Hash: p.Hash, Size: o.Slots, Densify: sketch.Optimal, Scaled: p.Scaled}
	if p.Family == sketch.BottomK {
		out.Sampled = p.Size
	}
	return out
}

// Complete checks options and chooses Bands and Rows where they are 0: the
// cheapest that reach the Recall wanted at the Threshold.
func (o *Options) Complete() error {
	if !(o.Threshold > 0 && o.Threshold <= 1) {
		return fmt.Errorf("threshold %v is outside (0, 1]", o.Threshold)
	}
	if err := o.checkVerify(); err != nil {
		return err
	}
	if o.All {
		return nil
	}
	if o.Bands == 0 {
		if o.Measure == MaxContainment || o.Verify == ByContainment {
			return errors.New("a containment says nothing of the Jaccard index: compare all pairs, or give bands and rows")
		}
		var err error
		if o.Bands, o.Rows, err = lsh.ForRecall(o.jaccard(), o.Recall, o.Params.Size); err != nil {
			return err
		}
	}
	_, err := lsh.NewBanding(o.Params, o.Bands, o.Rows, nil)
	return err
}

// jaccard is the Jaccard index that the threshold means: of an ANI, or a
// similarity by edits, that of sets of equal size of which each position has changed
// independently.
func (o *Options) jaccard() float64 {
	width := 0
	switch {
	case o.Measure == ANI:
		width = o.Params.Elements.K
	case o.Verify == Edit:
		width = o.width()
	}
	if width == 0 {
		return o.Threshold
	}
	q := math.Pow(o.Threshold, float64(width))
	return q / (2 - q)
}
