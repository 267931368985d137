// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/simhash"
	"github.com/gsketch/gsketch/sketch"
)

// A family is a way to sketch and what its slots do.
type family struct {
	name   string
	params func(seed uint64) sketch.Params
	agree  func(j float64) float64 // probability that two slots agree
}

func families() []family {
	same := func(j float64) float64 { return j }
	kperm := func(scheme string) func(uint64) sketch.Params {
		return func(seed uint64) sketch.Params { return textParams(sketch.KPerm, shingle.XXH3, scheme, seed) }
	}
	with := func(of func(uint64) sketch.Params, change func(*sketch.Params)) func(uint64) sketch.Params {
		return func(seed uint64) sketch.Params {
			p := of(seed)
			change(&p)
			return p
		}
	}
	bins := func(seed uint64) sketch.Params { return textParams(sketch.OPH, shingle.XXH3, "", seed) }
	return []family{
		{"kperm affine32", kperm(sketch.Affine32), same},
		{"kperm affine64", kperm(sketch.Affine64), same},
		{"kperm legacy", kperm(sketch.Legacy), same},
		{"oph optimal", with(bins, func(p *sketch.Params) { p.Densify = sketch.Optimal }), same},
		{"oph rotation", with(bins, func(p *sketch.Params) { p.Densify = sketch.Rotation }), same},
		{"bbit 8 of affine32", with(kperm(sketch.Affine32), func(p *sketch.Params) { p.Family, p.Bits = sketch.BBit, 8 }),
			func(j float64) float64 { return j + (1-j)/256 }},
		{"icws", with(bins, func(p *sketch.Params) { p.Family, p.Weighted = sketch.ICWS, true }), same},
	}
}

// signaturesOf sketches each document as a set.
func signaturesOf(docs [][]byte, p sketch.Params) ([]sketch.Estimable, error) {
	newBuilder := minhash.NewBuilder
	if p.Family == sketch.SimHash {
		newBuilder = func(p sketch.Params) (sketch.Builder, error) { return simhash.NewBuilder(p) }
	}
	b, err := newBuilder(p)
	if err != nil {
		return nil, err
	}
	var all []sketch.Estimable
	err = elements(docs, p, func(hashes []uint64) error {
		slices.Sort(hashes)
		if err := b.AddHashes(slices.Compact(hashes)); err != nil {
			return err
		}
		s, err := b.Finish()
		if err == nil {
			all = append(all, s.(sketch.Estimable))
		}
		return err
	})
	return all, err
}

var thresholds = []float64{0.5, 0.7, 0.8}

// A tally adds up what was found over all seeds.
type tally struct {
	cut                       string // bands x rows
	expected                  float64
	recalls                   []float64 // of each seed
	pairs, found, candidates  float64   // true pairs, those found, all candidates
	verified, right           float64   // candidates with an estimate above the threshold, true ones of them
	errors, squares, compared float64
}

// print writes a line.
func (t tally) print(name string, threshold float64) {
	mean, deviation := stat.MeanStdDev(t.recalls, nil)
	seeds := float64(len(t.recalls))
	verified := math.NaN()
	if t.verified > 0 {
		verified = t.right / t.pairs
	}
	fmt.Printf("%s\t%g\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%+.4f\t%.4f\n", name, threshold, t.cut, mean, deviation/math.Sqrt(seeds),
		t.expected/seeds, t.found/t.candidates, verified, t.right/t.verified, t.errors/t.compared, math.Sqrt(t.squares/t.compared))
}

func recall(corpus, truthPath, seedCount string) error {
	docs, err := readCorpus(corpus)
	if err != nil {
		return err
	}
	truth, err := readTruth(truthPath)
	if err != nil {
		return err
	}
	seeds, err := strconv.Atoi(seedCount)
	if err != nil {
		return err
	}
	for _, f := range families() {
		tallies := make([]tally, len(thresholds))
		for seed := range seeds {
			all, err := signaturesOf(docs, f.params(uint64(seed+1)))
			if err != nil {
				return err
			}
			for i, threshold := range thresholds {
				before := tallies[i].found
				if err := tallies[i].band(f, all, truth, threshold); err != nil {
					return err
				}
				if err := tallies[i].compare(all, truth, threshold, before); err != nil {
					return err
				}
			}
		}
		for i, threshold := range thresholds {
			tallies[i].print(f.name, threshold)
		}
	}
	return fingerprints(docs, truth, seeds)
}

// band counts candidates of one seed.
func (t *tally) band(f family, all []sketch.Estimable, truth map[couple]overlap, threshold float64) error {
	b, r, err := lsh.Optimal(threshold, slots, 0.5, 0.5)
	if err != nil {
		return err
	}
	x, err := lsh.NewBanding(all[0].Params(), b, r, lsh.NewMemStore())
	if err != nil {
		return err
	}
	t.cut = fmt.Sprintf("%d x %d", b, r)
	var found []uint32
	for row, s := range all {
		if s.Empty() {
			continue
		}
		if found, err = x.Candidates(found[:0], s); err != nil {
			return err
		}
		for _, other := range found {
			estimate, err := all[other].Similarity(s, 0.95)
			if err != nil {
				return err
			}
			t.count(truth[couple{other, uint32(row)}], estimate.Value, threshold)
		}
		if err := x.Insert(uint32(row), s); err != nil {
			return err
		}
	}
	var js []float64
	for _, o := range truth {
		if j := o.jaccard(); j >= threshold {
			js = append(js, f.agree(j))
		}
	}
	slices.Sort(js) // the sum depends on the order in its last digits
	t.expected += lsh.ExpectedRecall(js, b, r)
	return nil
}

// count counts a candidate; of a pair that is not in the truth any is 0.
func (t *tally) count(o overlap, estimate, threshold float64) {
	t.candidates++
	isTrue := o.any > 0 && o.jaccard() >= threshold
	if isTrue {
		t.found++
	}
	if estimate >= threshold {
		t.verified++
		if isTrue {
			t.right++
		}
	}
}

// compare adds the errors of the estimates of all true pairs, and the recall of
// the seed, before which so many pairs had been found.
func (t *tally) compare(all []sketch.Estimable, truth map[couple]overlap, threshold, before float64) error {
	n := 0.0
	for c, o := range truth {
		if o.jaccard() < threshold {
			continue
		}
		s, err := all[c[0]].Similarity(all[c[1]], 0.95)
		if err != nil {
			return err
		}
		t.miss(s.Value - o.jaccard())
		n++
	}
	t.pairs += n
	t.recalls = append(t.recalls, (t.found-before)/n)
	return nil
}

// miss adds the error of an estimate.
func (t *tally) miss(e float64) {
	t.errors += e
	t.squares += e * e
	t.compared++
}

// fingerprints does the same for SimHash of 64 bits: candidates are those within
// the mean and a standard deviation of the distance at the cosine 2T/(1+T) of
// two sets of equal size. What is estimated is the cosine.
func fingerprints(docs [][]byte, truth map[couple]overlap, seeds int) error {
	const bits = 64
	tallies := make([]tally, len(thresholds))
	for seed := range seeds {
		p := textParams(sketch.SimHash, shingle.XXH3, "", uint64(seed+1))
		p.Size = bits
		all, err := signaturesOf(docs, p)
		if err != nil {
			return err
		}
		sizes, list, rows, err := fingerprintList(docs, p, all)
		if err != nil {
			return err
		}
		for i, threshold := range thresholds {
			t := &tallies[i]
			mean := math.Acos(2*threshold/(1+threshold)) / math.Pi
			distance := int(math.Ceil(bits*mean + math.Sqrt(bits*mean*(1-mean))))
			t.cut = fmt.Sprintf("distance %d", distance)
			before := t.found
			var found []simhash.Match
			for at, row := range rows {
				found = list.Within(found[:0], list.At(at), distance)
				for _, m := range found {
					if int(m.Row) >= at {
						break
					}
					t.count(truth[couple{uint32(rows[m.Row]), uint32(row)}], math.NaN(), threshold)
				}
			}
			var sum, n float64
			for c, o := range truth {
				if o.jaccard() >= threshold {
					cosine := o.both / math.Sqrt(sizes[c[0]]*sizes[c[1]])
					sum += distuv.Binomial{N: bits, P: math.Acos(min(1, cosine)) / math.Pi}.CDF(float64(distance))
					n++
					s, err := all[c[0]].Similarity(all[c[1]], 0.95)
					if err != nil {
						return err
					}
					t.miss(s.Value - cosine)
				}
			}
			t.pairs += n
			t.recalls = append(t.recalls, (t.found-before)/n)
			t.expected += sum / n
		}
	}
	for i, threshold := range thresholds {
		tallies[i].print("simhash 64", threshold)
	}
	return nil
}

// fingerprintList lists the fingerprints of documents with elements, with the
// rows they are of, and the sizes of all sets.
func fingerprintList(docs [][]byte, p sketch.Params, all []sketch.Estimable) (sizes []float64, l *simhash.List, rows []int, err error) {
	if err = elements(docs, p, func(hashes []uint64) error {
		slices.Sort(hashes)
		sizes = append(sizes, float64(len(slices.Compact(hashes))))
		return nil
	}); err != nil {
		return nil, nil, nil, err
	}
	if l, err = simhash.NewList(p.Size); err != nil {
		return nil, nil, nil, err
	}
	for row, s := range all {
		if !s.Empty() {
			l.Add(s.(*simhash.Sketch).Fingerprint())
			rows = append(rows, row)
		}
	}
	return sizes, l, rows, nil
}
