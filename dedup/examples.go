// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"cmp"
	"context"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/gsketch/gsketch/report"
)

const (
	similarityBins = 50
	plainWidth     = 5     // words of a shared passage, where shingles are not runs of words
	mostShown      = 8_000 // bytes of a text side by side
)

// similarityBin is that of a similarity, which is 0 where it is not known.
func similarityBin(v float64) int {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(int(v*similarityBins), 0), similarityBins-1)
}

// A Passage is where words of a document are found in the one that is kept, in
// characters (code points) from 0; To is behind the last.
type Passage struct {
	Row, Kept        uint32
	From, To         int
	KeptFrom, KeptTo int
	Words            int
}

// An example is a pair of documents side by side.
type example struct {
	decision    Decision
	left, right []report.Span
}

// align finds where contained documents lie, and the shared passages of examples.
func (p *pipeline) align(ctx context.Context) (int, error) {
	if p.texts == nil {
		return 0, nil
	}
	x := aligner{texts: p.texts, width: p.opts.width()}
	if x.width == 0 {
		x.width = plainWidth
	}
	for row := p.docs.known; row < len(p.docs.ids); row++ {
		holder, ok := p.holder(uint32(row))
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := x.load(p.docs.first[row], p.docs.first[holder]); err != nil {
			return 0, err
		}
		p.passages = x.appendPassages(p.passages, uint32(row), holder)
	}
	for _, pair := range p.chosen() {
		if err := x.load(p.docs.first[pair[0]], p.docs.first[pair[1]]); err != nil {
			return 0, err
		}
		e := example{decision: p.decision(pair[0])}
		e.left, e.right = x.spans()
		p.examples = append(p.examples, e)
	}
	return len(p.examples), nil
}

// chosen are the pairs to be shown: documents that are not kept and those that
// are, evenly from the least to the most similar; none of copies.
func (p *pipeline) chosen() [][2]uint32 {
	type pair struct {
		similarity float64
		rows       [2]uint32
	}
	var all []pair
	for row := p.docs.known; row < len(p.docs.ids) && p.opts.Examples > 0; row++ {
		r := uint32(row)
		kept := p.verdict.kept[p.verdict.cluster[r]]
		if holder, ok := p.holder(kept); ok {
			kept = holder
		}
		d := p.decision(r)
		if _, known := p.indexed[p.docs.first[r]]; known || d.Keep || p.docs.first[r] != r || p.docs.first[kept] == r || p.docs.sizes[r] == 0 || math.IsNaN(d.Similarity) {
			continue
		}
		all = append(all, pair{d.Similarity, [2]uint32{r, kept}})
	}
	slices.SortFunc(all, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.similarity, b.similarity), cmp.Compare(p.prefer.of(a.rows[0]), p.prefer.of(b.rows[0])))
	})
	n := min(p.opts.Examples, len(all))
	var some [][2]uint32
	for i := range n {
		some = append(some, all[i*(len(all)-1)/max(1, n-1)].rows)
	}
	return some
}

// An aligner finds the passages that two texts share.
type aligner struct {
	texts          *spool
	width          int
	a, b           []byte
	wordsA, wordsB []word
	found          []match
}

func (x *aligner) load(a, b uint32) error {
	var err error
	if x.a, err = x.texts.at(int(a), x.a); err != nil {
		return err
	}
	if x.b, err = x.texts.at(int(b), x.b); err != nil {
		return err
	}
	x.wordsA, x.wordsB = wordsOf(x.wordsA[:0], x.a), wordsOf(x.wordsB[:0], x.b)
	x.found = matches(x.wordsA, x.wordsB, x.width)
	return nil
}

// appendPassages appends the runs of words that both texts have; those between
// which less than a run lies in both are one.
func (x *aligner) appendPassages(dst []Passage, row, kept uint32) []Passage {
	for i := 0; i < len(x.found); {
		first := x.found[i]
		last, words := first, first.n
		for i++; i < len(x.found); i++ {
			next := x.found[i]
			if gap := next.b - last.b - last.n; gap < 0 || gap >= x.width || next.a-last.a-last.n >= x.width {
				break
			}
			last, words = next, words+next.n
		}
		dst = append(dst, Passage{Row: row, Kept: kept, Words: words,
			From: characters(x.a, x.wordsA[first.a].from), To: characters(x.a, x.wordsA[last.a+last.n-1].to),
			KeptFrom: characters(x.b, x.wordsB[first.b].from), KeptTo: characters(x.b, x.wordsB[last.b+last.n-1].to)})
	}
	return dst
}

// characters counts those of the first n bytes.
func characters(text []byte, n int) int { return utf8.RuneCount(text[:n]) }

// spans marks what both texts have.
func (x *aligner) spans() (left, right []report.Span) {
	var a, b [][2]int
	for _, m := range x.found {
		a = append(a, [2]int{x.wordsA[m.a].from, x.wordsA[m.a+m.n-1].to})
		b = append(b, [2]int{x.wordsB[m.b].from, x.wordsB[m.b+m.n-1].to})
	}
	slices.SortFunc(b, func(p, q [2]int) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	return cut(x.a, a), cut(x.b, b)
}

// cut makes spans of a text whose marked parts are in order and may overlap. A
// long text ends where enough is shown.
func cut(text []byte, marked [][2]int) []report.Span {
	var spans []report.Span
	end := len(text)
	if end > mostShown {
		for end = mostShown; end > 0 && !utf8.RuneStart(text[end]); end-- {
		}
	}
	add := func(from, to int, shared bool) {
		if to = min(to, end); from < to {
			spans = append(spans, report.Span{Text: string(text[from:to]), Shared: shared})
		}
	}
	at := 0
	for _, m := range marked {
		if from := max(m[0], at); m[1] > from {
			add(at, from, false)
			add(from, m[1], true)
			at = m[1]
		}
	}
	add(at, end, false)
	if end < len(text) {
		spans = append(spans, report.Span{Text: " …"})
	}
	return spans
}
