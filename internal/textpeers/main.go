// SPDX-License-Identifier: Apache-2.0

// Command textpeers is our side of scripts/bench-text and scripts/study-text:
// it measures the library on a corpus of texts and prints tab-separated lines,
// as scripts/textpeers.py does for the peers.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/gsketch/gsketch/shingle"
	"github.com/gsketch/gsketch/sketch"
)

func main() {
	runtime.GOMAXPROCS(1)
	err := fmt.Errorf("usage: textpeers speed CORPUS.jsonl.gz | textpeers recall CORPUS.jsonl.gz TRUTH.tsv.gz SEEDS")
	switch {
	case len(os.Args) == 3 && os.Args[1] == "speed":
		err = speed(os.Args[2])
	case len(os.Args) == 5 && os.Args[1] == "recall":
		err = recall(os.Args[2], os.Args[3], os.Args[4])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "textpeers:", err)
		os.Exit(1)
	}
}

// slots is the number of slots in all measurements.
const slots = 128

// textParams are those of runs of five words.
func textParams(family, hash, permutation string, seed uint64) sketch.Params {
	return sketch.Params{Family: family, Elements: sketch.Elements{Molecule: sketch.Text, Recipe: "words=5/norm=1"},
		Hash: sketch.Hash{Algorithm: hash, Bits: 64, Seed: seed, Permutation: permutation}, Size: slots}
}

func unzipped(path string, read func(r io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	return read(z)
}

func readCorpus(path string) (docs [][]byte, err error) {
	err = unzipped(path, func(r io.Reader) error {
		for d := json.NewDecoder(r); d.More(); {
			var line struct{ Text string }
			if err := d.Decode(&line); err != nil {
				return err
			}
			docs = append(docs, []byte(line.Text))
		}
		return nil
	})
	return docs, err
}

// A couple is two documents, the first before the second.
type couple [2]uint32

// An overlap is the exact sizes of intersection and union.
type overlap struct{ both, any float64 }

func (o overlap) jaccard() float64 { return o.both / o.any }

// readTruth reads all pairs with J >= 0.5: numbers of lines, intersection, union.
func readTruth(path string) (map[couple]overlap, error) {
	truth := map[couple]overlap{}
	err := unzipped(path, func(r io.Reader) error {
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			var c couple
			var o overlap
			if _, err := fmt.Fscan(strings.NewReader(lines.Text()), &c[0], &c[1], &o.both, &o.any); err != nil {
				return fmt.Errorf("%q: %w", lines.Text(), err)
			}
			truth[c] = o
		}
		return lines.Err()
	})
	return truth, err
}

// elements yields the hashes of each document, with duplicates.
func elements(docs [][]byte, p sketch.Params, yield func(hashes []uint64) error) error {
	s, err := shingle.New(p.Elements, p.Hash, nil)
	if err != nil {
		return err
	}
	var hashes []uint64
	for _, d := range docs {
		s.Reset(d)
		if hashes, err = shingle.AppendAll(hashes[:0], s); err != nil {
			return err
		}
		if err := yield(hashes); err != nil {
			return err
		}
	}
	return nil
}
