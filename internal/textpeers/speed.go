// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"syscall"

	"github.com/gsketch/gsketch/lsh"
	"github.com/gsketch/gsketch/minhash"
	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

// processorTime is that of this process, in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// report runs f until it took a fifth of a second and prints the processor time
// of one of the units that a run has.
func report(task string, units int, f func() error) error {
	runs, from := 0, processorTime()
	for processorTime()-from < 0.2 {
		if err := f(); err != nil {
			return err
		}
		runs++
	}
	fmt.Printf("%s\t%g\n", task, (processorTime()-from)/float64(runs)/float64(units))
	return nil
}

// sample is the number of documents that speed is measured on.
const sample = 1000

// speed prints the seconds that a unit of each task takes.
func speed(path string) error {
	docs, err := readCorpus(path)
	if err != nil {
		return err
	}
	docs = docs[:min(sample, len(docs))]
	size := 0
	for _, d := range docs {
		size += len(d)
	}
	for _, task := range []func([][]byte, int) error{speedOfHashes, speedOfShingles, speedOfDocuments, speedOfIndexes} {
		if err := task(docs, size); err != nil {
			return err
		}
	}
	return nil
}

func speedOfHashes([][]byte, int) error {
	r := rand.New(rand.NewPCG(1, 1))
	hashes := make([]uint64, 1000)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	for _, c := range []struct {
		task, family, permutation string
		units                     int
	}{{"permute", sketch.KPerm, sketch.Affine32, 1}, {"permute64", sketch.KPerm, sketch.Affine64, 1}, {"bin", sketch.OPH, "", len(hashes)}} {
		b, err := minhash.NewBuilder(textParams(c.family, shingle.XXH3, c.permutation, 1))
		if err != nil {
			return err
		}
		if err := report(c.task, c.units, func() error { return b.AddHashes(hashes) }); err != nil {
			return err
		}
	}
	return nil
}

// sketched feeds a document to a builder, without finishing it.
func sketched(s *shingle.Shingler, b sketch.Builder, doc []byte, buf []uint64) error {
	s.Reset(doc)
	for {
		n, err := s.Next(buf, math.MaxUint64)
		if e := b.AddHashes(buf[:n]); e != nil {
			return e
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func speedOfShingles(docs [][]byte, size int) error {
	buf := make([]uint64, sketch.BatchSize)
	for task, recipe := range map[string]string{"words": "words=5/norm=1", "uax29": "uax29=5/norm=1"} {
		p := textParams(sketch.OPH, shingle.XXH3, "", 0)
		p.Elements.Recipe = recipe
		if err := overDocuments(task, docs, size, p, buf); err != nil {
			return err
		}
	}
	return nil
}

func speedOfDocuments(docs [][]byte, _ int) error {
	buf := make([]uint64, sketch.BatchSize)
	for task, hash := range map[string]string{"document": shingle.XXH3, "document-sha1": shingle.SHA1} {
		if err := overDocuments(task, docs, len(docs), textParams(sketch.KPerm, hash, sketch.Affine32, 1), buf); err != nil {
			return err
		}
	}
	return nil
}

func overDocuments(task string, docs [][]byte, units int, p sketch.Params, buf []uint64) error {
	s, err := shingle.New(p.Elements, p.Hash, nil)
	if err != nil {
		return err
	}
	b, err := minhash.NewBuilder(p)
	if err != nil {
		return err
	}
	return report(task, units, func() error {
		for _, d := range docs {
			if err := sketched(s, b, d, buf); err != nil {
				return err
			}
			if _, err := b.Finish(); err != nil {
				return err
			}
		}
		return nil
	})
}

func speedOfIndexes(docs [][]byte, _ int) error {
	signatures, err := signaturesOf(docs, textParams(sketch.KPerm, shingle.XXH3, sketch.Affine32, 1))
	if err != nil {
		return err
	}
	for _, threshold := range []float64{0.5, 0.8} {
		b, r, err := lsh.Optimal(threshold, slots, 0.5, 0.5)
		if err != nil {
			return err
		}
		var x *lsh.Banding
		err = report(fmt.Sprint("insert-", threshold), len(docs), func() (err error) {
			if x, err = lsh.NewBanding(signatures[0].Params(), b, r, lsh.NewMemStore()); err != nil {
				return err
			}
			for row, s := range signatures {
				if err := x.Insert(uint32(row), s); err != nil && err != lsh.ErrEmpty {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		var found []uint32
		err = report(fmt.Sprint("query-", threshold), len(docs), func() (err error) {
			for _, s := range signatures {
				if found, err = x.Candidates(found[:0], s); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
