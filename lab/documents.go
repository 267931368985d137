// SPDX-License-Identifier: Apache-2.0

package lab

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Documents are the three that the laboratory compares, as words.
type Documents struct {
	Original   []string
	Near       []string // a copy of Original with some words of its core replaced
	Background []string // another core under the same boilerplate
	Head       int      // words of boilerplate that each begins with
	Replaced   int      // words of Near's core that are not Original's
}

// write makes the documents of the settings, the same for the same seed.
func write(s Settings) Documents {
	r := rand.New(rand.NewPCG(s.Seed, 0x6c6162))
	d := Documents{Head: int(math.Round(s.Boilerplate * float64(s.Words)))}
	core := s.Words - d.Head
	d.Replaced = int(math.Round(s.Drift * float64(core)))

	v := vocabulary{r: r}
	head := v.take(d.Head)
	d.Original = slices.Concat(head, v.take(core))
	d.Near = slices.Clone(d.Original)
	for _, i := range r.Perm(core)[:d.Replaced] {
		d.Near[d.Head+i] = v.next()
	}
	d.Background = slices.Concat(head, v.take(core))
	return d
}

// A vocabulary makes words, no two of them equal: syllables by chance, and a
// number that makes them distinct.
type vocabulary struct {
	r *rand.Rand
	n int
}

const consonants, vowels = "bcdfghklmnprstvz", "aeiou"

func (v *vocabulary) next() string {
	var w []byte
	for range 2 + v.r.IntN(2) {
		w = append(w, consonants[v.r.IntN(len(consonants))], vowels[v.r.IntN(len(vowels))])
	}
	v.n++
	return fmt.Sprintf("%s%d", w, v.n)
}

func (v *vocabulary) take(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = v.next()
	}
	return words
}
