// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// A candidate is a pair of keyed documents, a < b, that may be of some stratum.
type candidate struct {
	a, b   int
	random bool // drawn at random, not met by a key
}

// An entry puts a document into the bucket of a key.
type entry struct {
	kind int
	key  uint64
	doc  int
}

// The kinds of keys.
const (
	byBytes = iota
	byStrong
	byMarks
	byElement
	keyKinds
)

// wholeBucket is how many members a bucket may have for all its pairs to be
// taken; of larger ones as many pairs as members are drawn.
const wholeBucket = 8

// perPair is how many candidates are looked at for each pair that is wanted, of
// each class.
const perPair = 30

// candidates are pairs that share a key, and random ones: of each kind of key,
// and by elements of each class of estimated similarity, those that are first in
// the lottery.
func (k *keys) candidates(seed uint64, o DrawOptions) []candidate {
	classes := map[int][]candidate{}
	k.meet(seed, func(kind, a, b int) {
		class := kind
		if kind == byElement {
			class += k.class(a, b, o.Threshold)
		}
		classes[class] = append(classes[class], candidate{a: a, b: b})
	})
	r := source(seed)
	for range perPair * o.Each {
		if a, b := r.IntN(len(k.docs)), r.IntN(len(k.docs)); a != b {
			classes[-1] = append(classes[-1], candidate{min(a, b), max(a, b), true})
		}
	}
	var all []candidate
	for class := -1; class < keyKinds+similarityClasses; class++ {
		list := classes[class]
		slices.SortFunc(list, func(x, y candidate) int {
			return cmp.Or(cmp.Compare(k.lot(x, seed), k.lot(y, seed)), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
		})
		list = slices.Compact(list)
		all = append(all, list[:min(len(list), perPair*o.Each)]...)
	}
	slices.SortFunc(all, func(x, y candidate) int {
		switch {
		case x.a != y.a:
			return x.a - y.a
		case x.b != y.b:
			return x.b - y.b
		case x.random == y.random:
			return 0
		case x.random: // the one that stays
			return -1
		}
		return 1
	})
	return slices.CompactFunc(all, func(x, y candidate) bool { return x.a == y.a && x.b == y.b })
}

func (k *keys) lot(c candidate, seed uint64) uint64 {
	return k.docs[c.a].rank*31 + k.docs[c.b].rank ^ seed
}

// similarityClasses is the number of classes of pairs that share an element.
const similarityClasses = 5

// class sorts pairs by what their sampled elements say of the similarity.
func (k *keys) class(a, b int, threshold float64) int {
	j, c := similarity(k.docs[a].sampled, k.docs[b].sampled)
	switch {
	case j >= threshold:
		return 0
	case c >= partialShare:
		return 1
	case j >= threshold/2:
		return 2
	case c >= partialShare/2:
		return 3
	}
	return 4
}

// meet calls do with the pairs that share a key, the smaller document first.
func (k *keys) meet(seed uint64, do func(kind, a, b int)) {
	var entries []entry
	for i := range k.docs {
		d := &k.docs[i]
		entries = append(entries, entry{byBytes, d.bytes, i})
		if d.strong != 0 {
			entries = append(entries, entry{byStrong, d.strong, i})
		}
		for _, key := range d.marked {
			entries = append(entries, entry{byMarks, key, i})
		}
		for _, key := range d.sampled {
			entries = append(entries, entry{byElement, key, i})
		}
	}
	slices.SortFunc(entries, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.kind, y.kind), cmp.Compare(x.key, y.key), cmp.Compare(x.doc, y.doc))
	})
	r := source(seed + 1)
	for first := 0; first < len(entries); {
		end := first + 1
		for end < len(entries) && entries[end].kind == entries[first].kind && entries[end].key == entries[first].key {
			end++
		}
		bucket := entries[first:end]
		first = end
		if len(bucket) <= wholeBucket {
			for i := range bucket {
				for j := i + 1; j < len(bucket); j++ {
					do(bucket[0].kind, bucket[i].doc, bucket[j].doc)
				}
			}
			continue
		}
		for range bucket {
			if i, j := r.IntN(len(bucket)), r.IntN(len(bucket)); i != j {
				do(bucket[0].kind, bucket[min(i, j)].doc, bucket[max(i, j)].doc)
			}
		}
	}
}

// excerpt is so many characters of a text, where it shares most elements with
// the other one; dots stand for what is left out.
func (v *viewer) excerpt(x, other *view, characters int) (string, error) {
	text := x.text
	if characters == 0 || utf8.RuneCount(text) <= characters {
		return string(text), nil
	}
	best, most := []byte(nil), -1
	for rest := text; ; {
		n := prefix(rest, characters)
		set, err := v.set(v.elements, rest[:n])
		if err != nil {
			return "", err
		}
		if shared := common(set, other.all); shared > most {
			best, most = rest[:n], shared
		}
		if n == len(rest) {
			break
		}
		rest = rest[prefix(rest, max(1, characters/2)):]
	}
	s := string(best)
	if len(best) > 0 && &best[0] != &text[0] {
		s = "[...] " + s
	}
	if len(best) > 0 && &best[len(best)-1] != &text[len(text)-1] {
		s += " [...]"
	}
	return s, nil
}

// prefix is the length in bytes of the first n characters.
func prefix(text []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}
