// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/gsketch/gsketch/sketch"
)

// ErrNoSequence is wrapped in the error for an input without a single letter
// of sequence.
var ErrNoSequence = errors.New("no sequence in it")

// iupac are the letters and gap characters of nucleotide sequence.
const iupac = "ACGTUNRYSWKMBDHV-.*"

// proteinShare is the share of letters that no nucleotide code has (E, F, I,
// L, P, Q, ...) above which an input is not DNA. Proteins have some 40 %;
// nucleotide files have none but for typing errors.
const proteinShare = 0.1

// checkLetters looks at what the letters of the sample were.
func (s *sampler) checkLetters() error {
	c := s.census
	if !s.run.opts.PerRecord {
		s.countBad(s.block)
	}
	fail := func(err error) error { return sketch.BadInput(strings.Join(s.sample.Paths, ", "), err) }
	if c.bases == 0 {
		if c.records > 0 {
			return fail(fmt.Errorf("%w: %d records, all empty", ErrNoSequence, c.records))
		}
		return fail(ErrNoSequence)
	}
	if c.empty > 0 {
		s.addWarning(fmt.Sprintf("%s: %d of %d records have no sequence", s.sample.label(), c.empty, c.records))
	}
	for _, l := range c.ledgers {
		if l.records == 0 && !s.run.opts.PerRecord {
			s.addWarning(fmt.Sprintf("%s: all records are shorter than %s; the sketch is empty", s.sample.label(), l.width()))
		}
		if short := c.records - c.empty - l.records; short > 0 && s.run.opts.PerRecord {
			s.addWarning(fmt.Sprintf("%s: %d of %d records are shorter than %s; their sketches are empty", s.sample.label(), short, c.records, l.width()))
		}
	}
	if !s.run.plan.readsDNA() {
		return s.checkResidues(fail)
	}
	var bad, foreign uint64
	for b, n := range c.letters {
		bad += n
		if n > 0 && strings.IndexByte(iupac, byte(b)) < 0 {
			foreign += n
		}
	}
	if share := float64(foreign) / float64(c.bases); share > proteinShare && !s.run.opts.AnyLetters {
		return fail(fmt.Errorf("not DNA: %.0f %% of its %d letters are no nucleotide codes; is it protein? (--any-letters takes it as it is)", 100*share, c.bases))
	}
	if foreign > 0 {
		s.addWarning(fmt.Sprintf("%s: %d letters are no nucleotide codes (%s); they %s", s.sample.label(), foreign, c.foreignLetters(), s.run.plan.effect()))
	}
	if u := c.letters['U']; u > 0 && !s.run.plan.RNA {
		s.addWarning(fmt.Sprintf("%s: %d letters are U and %s; --rna reads U as T", s.sample.label(), u, s.run.plan.effect()))
	}
	if 2*bad > c.bases {
		s.addWarning(fmt.Sprintf("%s: %d of %d letters are not A, C, G or T", s.sample.label(), bad, c.bases))
	}
	return nil
}

// foreignLetters lists the letters that are no nucleotide codes.
func (c *census) foreignLetters() string {
	var list []string
	for b, n := range c.letters {
		if n > 0 && strings.IndexByte(iupac, byte(b)) < 0 {
			list = append(list, fmt.Sprintf("%q", rune(b)))
		}
	}
	if len(list) > 6 {
		list = append(list[:6], "...")
	}
	return strings.Join(list, " ")
}

// manySkipped is the share of positions without a k-mer above which a sample
// is mentioned by itself.
const manySkipped = 0.5

// randomMatch is the probability of a chance k-mer above which Mash warns.
const randomMatch = 0.01

// warnOfSkipped says that few positions of a sample have a k-mer.
func (s *sampler) warnOfSkipped(m sketch.Meta, e sketch.Elements, seen sketch.Stats) {
	if seen.Elements > 0 && float64(seen.Skipped) > manySkipped*float64(seen.Elements) {
		s.addWarning(fmt.Sprintf("%s: only %d of %d %d-mers are of %s alone", s.nameOf(m), seen.Hashed(), seen.Elements, e.K, LettersOf(e)))
	}
}

// warnAbout says what a user should know of a finished sketch.
func (s *sampler) warnAbout(b sketch.Builder, made sketch.Sketch, m sketch.Meta) {
	name, p, how := s.nameOf(m), made.Params(), s.run.plan.Counting
	if f, ok := b.(interface{ Filtered() (seen, kept uint64) }); ok && how.MinCopies > 1 {
		if all, kept := f.Filtered(); all > 0 && 10*kept < all {
			s.addWarning(fmt.Sprintf("%s: --min-copies %d leaves %d of %d distinct %d-mers of the %s sketch", name, how.MinCopies, kept, all, p.Elements.K, p.Family))
		}
	}
	if f, ok := b.(interface{ FalsePositives() float64 }); ok && how.FilterBytes > 0 {
		s.addNote(fmt.Sprintf("%s: --approx-filter took a new %d-mer for a known one with probability %.3g (%s)", name, p.Elements.K, f.FalsePositives(), p.Family))
	}
	if p.Family == sketch.BottomK && !m.PerRecord {
		s.warnOfSmallK(name, p, m)
	}
}

// nameOf is how messages call a sample or a record of it.
func (s *sampler) nameOf(m sketch.Meta) string {
	if m.PerRecord {
		return s.sample.label() + ": record " + m.ID
	}
	return s.sample.label()
}

// warnOfSmallK says, as Mash does, that k-mers are so short that genomes share
// many by chance.
func (s *sampler) warnOfSmallK(name string, p sketch.Params, m sketch.Meta) {
	space, length := p.Elements.Space(), float64(m.Length)
	if length <= randomMatch*space/(1-randomMatch) {
		return
	}
	k := math.Ceil(math.Log(length*(1-randomMatch)/randomMatch) / math.Log(float64(p.Elements.AlphabetSize())))
	s.addWarning(fmt.Sprintf("%s: k = %d is short for a length of %d: a %d-mer is in it by chance with probability %.3g; k of at least %.0f keeps it below %g",
		name, p.Elements.K, m.Length, p.Elements.K, length/(length+space), k, randomMatch))
}

// estimateLength replaces the length of a read set by that of the genome
// behind it: n distinct hashes fill the range up to the largest of them, so
// the whole range holds 2^bits n / largest (Bar-Yossef et al. 2002,
// doi:10.1007/3-540-45726-7_1; the formula of mash sketch -r).
func (s *sampler) estimateLength(m *sketch.Meta, made sketch.Sketch) {
	set, ok := made.(sketch.Abundant)
	if !ok { // slots do not estimate it by this formula
		if g := s.run.opts.GenomeSize; g > 0 {
			m.Length, m.LengthEstimated = g, true
		}
		return
	}
	m.LengthEstimated = true
	p := set.Params()
	how := "estimated"
	m.Length = 0
	if n := set.Len(); n > 0 {
		top := float64(set.Hashes()[n-1])
		if p.Family == sketch.FracMinHash {
			top = float64(set.Bound())
		}
		m.Length = uint64(math.Pow(2, float64(p.Hash.Bits)) * float64(n) / top)
	}
	if g := s.run.opts.GenomeSize; g > 0 {
		m.Length, how = g, "given"
	}
	note := fmt.Sprintf("%s: genome size %d (%s)", s.sample.label(), m.Length, how)
	if counts := set.Abundances(); len(counts) > 0 {
		var sum float64
		for _, c := range counts {
			sum += float64(c)
		}
		note += fmt.Sprintf(", coverage %.4g (mean copies of a kept %d-mer)", sum/float64(len(counts)), p.Elements.K)
	}
	s.addNote(note)
}
