// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"math"
	"strconv"

	"github.com/gsketch/gsketch/distance"
	"github.com/gsketch/gsketch/internal/interval"
	"github.com/gsketch/gsketch/sketch"
)

// A finding is what a sample holds of a reference, with the estimates.
type finding struct {
	distance.Found
	ref                  int
	containment, reverse float64
	ani, low, high       float64
	p, log10p            float64
	equal                int // the winner with the same hashes; -1 if none
}

// findings are those of a sample, in the order of the references.
func (s *screening) findings(x sample) []finding {
	seen := x.seen
	equal := make([]int, len(s.refs))
	for i := range equal {
		equal[i] = -1
	}
	if s.o.winner {
		seen, equal = seen.WinnerTakeAll(s.lengths)
	}
	sampled := x.item.Sketch.(sketch.Abundant)
	distinct := math.Floor(distinctOf(sampled))
	out := make([]finding, len(s.refs))
	for i := range out {
		f := finding{Found: seen.Found(i), ref: i, equal: equal[i]}
		p := s.refs[i].Sketch.Params()
		f.p, f.log10p = distance.ScreenPValue(f.Found, distinct, p.Elements.Space())
		if p.Family == sketch.FracMinHash {
			s.fromFractions(&f, p, sampled)
		} else {
			s.fromBottom(&f, p, distinct)
		}
		out[i] = f
	}
	return out
}

// distinctOf estimates the distinct k-mers behind a sketch: its hashes over the
// share of the range that they fill.
func distinctOf(s sketch.HashSet) float64 {
	n := s.Len()
	if n == 0 {
		return 0
	}
	p := s.Params()
	top := float64(s.Hashes()[n-1])
	if p.Family == sketch.FracMinHash {
		top = float64(s.Bound())
	}
	return math.Pow(2, float64(p.Hash.Bits)) * float64(n) / top
}

func (s *screening) fromFractions(f *finding, p sketch.Params, sampled sketch.HashSet) {
	scaled := max(p.Scaled, sampled.Params().Scaled)
	pair := distance.Pair{Shared: f.Shared, A: f.Of, B: hashesUpTo(sampled, sketch.MaxHash(scaled)), K: p.Elements.K, Space: p.Elements.Space(), Scaled: scaled}
	f.containment, f.reverse = pair.Containment(), pair.ReverseContainment()
	f.ani = pair.ContainmentANI()
	f.low, f.high = pair.ANIInterval(confidence)
}

// fromBottom has no hashes of the sample to count: the reverse containment is
// that of the reference times the ratio of the estimated sizes.
func (s *screening) fromBottom(f *finding, p sketch.Params, distinct float64) {
	f.ani, f.low, f.high, f.containment, f.reverse = math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()
	if f.Of == 0 {
		return
	}
	f.containment = float64(f.Shared) / float64(f.Of)
	f.ani = f.Identity(p.Elements.K)
	low, high := interval.Proportion(float64(f.Shared), float64(f.Of), confidence)
	k := 1 / float64(p.Elements.K)
	f.low, f.high = math.Pow(low, k), math.Pow(high, k)
	if distinct > 0 {
		f.reverse = min(1, f.containment*distinctOf(s.refs[f.ref].Sketch.(sketch.HashSet))/distinct)
	}
}

func hashesUpTo(s sketch.HashSet, bound uint64) uint64 {
	hashes := s.Hashes()
	n := len(hashes)
	for n > 0 && hashes[n-1] > bound {
		n--
	}
	return uint64(n)
}

// keep says whether a reference has a row. Under winner-take-all one that lost
// everything to its equal is shown as that.
func (s *screening) keep(f finding) bool {
	o := s.o
	if o.all || o.winner && f.equal >= 0 && o.format == "tsv" {
		return true
	}
	if f.Shared < max(1, o.minShared) || f.containment < o.minShare {
		return false
	}
	if o.flags.Changed("min-ani") && !(f.ani >= o.minANI) {
		return false
	}
	return !o.flags.Changed("max-p") || f.p <= o.maxP
}

func containRows(s *screening, x sample, w io.Writer) error {
	name := field(x.item.Meta.Label())
	if name == "" {
		name = field(x.paths[0])
	}
	for _, f := range s.findings(x) {
		if !s.keep(f) {
			continue
		}
		dst := append([]byte(name), '\t')
		dst = append(dst, field(s.refs[f.ref].Meta.Label())...)
		for _, v := range []float64{f.containment, f.reverse, f.ani, f.low, f.high, f.p, f.log10p} {
			dst = appendValue(append(dst, '\t'), v)
		}
		for _, n := range []uint64{f.Shared, f.Of, f.Median} {
			dst = strconv.AppendUint(append(dst, '\t'), n, 10)
		}
		if s.o.winner {
			dst = append(dst, '\t')
			if f.equal >= 0 {
				dst = append(dst, field(s.refs[f.equal].Meta.Label())...)
			} else {
				dst = append(dst, "NA"...)
			}
		}
		if _, err := w.Write(append(dst, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// mashScreenRows is the table of mash screen.
func mashScreenRows(s *screening, x sample, w io.Writer) error {
	for _, f := range s.findings(x) {
		if !s.keep(f) {
			continue
		}
		m := s.refs[f.ref].Meta
		identity := f.ani
		if math.IsNaN(identity) {
			identity = 1 // mash: 0 of 0 hashes is all
		}
		dst := append(appendG(nil, identity), '\t')
		dst = append(strconv.AppendUint(dst, f.Shared, 10), '/')
		dst = append(strconv.AppendUint(dst, f.Of, 10), '\t')
		dst = append(strconv.AppendUint(dst, f.Median, 10), '\t')
		dst = append(appendG(dst, f.p), '\t')
		dst = append(append(dst, m.Label()...), '\t')
		dst = append(append(dst, m.Comment...), '\n')
		if _, err := w.Write(dst); err != nil {
			return err
		}
	}
	return nil
}
