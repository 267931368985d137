// SPDX-License-Identifier: Apache-2.0

package dedup

// An editComparer compares the words of texts where they are aligned.
type editComparer struct {
	exactComparer
	texts     *spool
	width     int
	threshold float64
	textA     []byte
	textB     []byte
	wordsA    []word
	wordsB    []word
	rows      [3][]int
}

// leastAligned is the share of the words of the shorter text that the aligned
// spans must have for their similarity to be that of the texts: two texts that have
// a page of boilerplate and nothing else are not alike.
const leastAligned = 0.5

// Compare aligns two texts: the span of each goes from the first to the last of the
// words in runs of width words that both have. Similarity is that of the spans,
//
//	1 - d/max(m, n)
//
// where m and n are their words and d is the least number of words to be
// replaced, dropped or added to make one of the other (Levenshtein 1966). It is
// 0 where the spans have less than half of the words of the shorter text, or where it is
// less than half the threshold, which is found without all of d. The containments are
// those of the shingles.
func (c *editComparer) Compare(a, b uint32) (Edge, error) {
	e, err := c.exactComparer.Compare(a, b)
	if err != nil {
		return e, err
	}
	if c.textA, err = c.texts.at(int(a), c.textA); err != nil {
		return e, err
	}
	if c.textB, err = c.texts.at(int(b), c.textB); err != nil {
		return e, err
	}
	c.wordsA, c.wordsB = wordsOf(c.wordsA[:0], c.textA), wordsOf(c.wordsB[:0], c.textB)
	x, y := aligned(c.wordsA, c.wordsB, c.width)
	e.Similarity = 0
	if shorter := min(len(c.wordsA), len(c.wordsB)); float64(min(len(x), len(y))) >= leastAligned*float64(shorter) && len(x) > 0 {
		longer := max(len(x), len(y))
		most := int(float64(longer) * (1 - c.threshold/2))
		if d := edits(x, y, most, &c.rows); d <= most {
			e.Similarity = 1 - float64(d)/float64(longer)
		}
	}
	e.Low, e.High = e.Similarity, e.Similarity
	return e, nil
}

// aligned are the spans of two texts from the first run that both have to the last.
func aligned(a, b []word, width int) (x, y []word) {
	found := matches(a, b, width)
	if len(found) == 0 {
		return nil, nil
	}
	first, last := found[0], found[len(found)-1]
	from, to := len(b), 0
	for _, m := range found {
		from, to = min(from, m.b), max(to, m.b+m.n)
	}
	return a[first.a : last.a+last.n], b[from:to]
}

// edits is the Levenshtein distance of words, or most+1 if it is more than
// most: by diagonals (Ukkonen 1985), in O(d * longer) time.
func edits(a, b []word, most int, rows *[3][]int) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > most {
		return most + 1
	}
	// reach[k+off] is the furthest place in a, on the diagonal k = place in b -
	// place in a, that d edits reach; -1 is none.
	off := most + 1
	size := 2*most + 3
	for i := range rows {
		if cap(rows[i]) < size {
			rows[i] = make([]int, size)
		}
		rows[i] = rows[i][:size]
	}
	last, now := rows[0], rows[1]
	for i := range last {
		last[i], now[i] = -1, -1
	}
	slide := func(i, k int) int {
		for i < len(a) && i+k < len(b) && a[i].hash == b[i+k].hash {
			i++
		}
		return i
	}
	for d := 0; d <= most; d++ {
		for k := -min(d, len(a)); k <= min(d, len(b)); k++ {
			i := 0
			if d > 0 {
				i = -1
				if v := last[k+off]; v >= 0 {
					i = max(i, min(v+1, len(a))) // replaced
				}
				if v := last[k-1+off]; v >= 0 {
					i = max(i, v) // added to a
				}
				if v := last[k+1+off]; v >= 0 {
					i = max(i, min(v+1, len(a))) // dropped from a
				}
				if i < 0 || i+k < 0 {
					now[k+off] = -1
					continue
				}
				i = min(i, len(b)-k)
			}
			now[k+off] = slide(i, k)
			if k == len(b)-len(a) && now[k+off] == len(a) {
				return d
			}
		}
		last, now = now, last
	}
	return most + 1
}
