// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"errors"
	"fmt"
	"math"

	"github.com/gsketch/gsketch/formats/corpus"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// The ways to compare the candidates of a corpus, as Options.Verify spells them.
const (
	Exact         = "exact"       // Jaccard index of all shingles
	ByContainment = "containment" // the share of the shingles of the smaller document that the other has
	BySignature   = "signature"   // Jaccard index, estimated from the sketches, with its interval
	Edit          = "edit"        // edit similarity of the aligned spans; see Aligned
)

// width is that of shingles in words, 0 if they are not runs of words.
func (o *Options) width() int {
	r, err := shingle.Parse(o.Params.Elements.Recipe)
	if err != nil || r.Kind == shingle.Chars || r.Kind == shingle.Bytes || r.Kind == shingle.Set {
		return 0
	}
	return r.Width
}

// keepsTexts says whether documents will be looked at again as texts.
func (o *Options) keepsTexts() bool {
	return o.Texts.Corpus.Kind != corpus.Sets && (o.Verify == Edit || o.Examples > 0 || o.Containment > 0)
}

// comparers make what compares the documents of a corpus, and say what that does.
func (p *pipeline) comparers() (make func() Comparer, means string) {
	switch p.opts.Verify {
	case BySignature:
		return func() Comparer { return &signatureComparer{spool: p.signatures, params: p.opts.Params} },
			"Jaccard index estimated from " + p.opts.Params.Family + " sketches"
	case ByContainment:
		return func() Comparer { return &exactComparer{sets: p.sets, contained: true} },
			"exact containment of the shingles of the smaller document"
	case Edit:
		return func() Comparer {
			return &editComparer{exactComparer: exactComparer{sets: p.sets}, texts: p.texts, width: p.opts.width(), threshold: p.opts.Threshold}
		}, "edit similarity of the aligned spans, in words"
	}
	return func() Comparer { return &exactComparer{sets: p.sets} }, "exact Jaccard index of the shingles of the source"
}

// A signatureComparer estimates by the sketches of documents.
type signatureComparer struct {
	spool  *spool
	params sketch.Params
	bytes  []byte
}

func (c *signatureComparer) load(row uint32) (sketch.Estimable, error) {
	var err error
	if c.bytes, err = c.spool.at(int(row), c.bytes); err != nil {
		return nil, err
	}
	slots, err := c.params.ParseSlotBytes(c.bytes)
	if err != nil {
		return nil, err
	}
	return minhash.New(c.params, slots)
}

// Compare estimates the Jaccard index; the containments are not known.
func (c *signatureComparer) Compare(a, b uint32) (Edge, error) {
	x, err := c.load(a)
	if err != nil {
		return Edge{}, err
	}
	y, err := c.load(b)
	if err != nil {
		return Edge{}, err
	}
	v, err := x.Similarity(y, confidence)
	return Edge{A: a, B: b, Similarity: v.Value, AB: math.NaN(), BA: math.NaN(), Low: v.Low, High: v.High}, err
}

// checkVerify says whether documents can be compared as wanted.
func (o *Options) checkVerify() error {
	switch o.Verify {
	case "", Exact, ByContainment, BySignature:
	case Edit:
		if o.width() == 0 {
			return fmt.Errorf("edits are counted in words; the shingles are %s", o.Params.Elements.Recipe)
		}
	default:
		return fmt.Errorf("%q: exact, containment, signature or edit", o.Verify)
	}
	if o.VerifyCmd != "" && len(o.Against) > 0 {
		return errors.New("a command judges the pairs of one corpus, not those with references")
	}
	return nil
}
