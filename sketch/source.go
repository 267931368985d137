// SPDX-License-Identifier: Apache-2.0

package sketch

import "io"

// A Source yields the hashes of elements in batches.
//
// Next writes into dst hashes that are <= bound, in input order, duplicates
// kept, and returns how many. It fills dst unless the elements end; the last
// call returns io.EOF, possibly with n > 0. Hashes above bound are dropped
// where they are made, which is what makes a bottom-k or FracMinHash sketch
// cheap: one hash in a thousand leaves the kernel.
type Source interface {
	Next(dst []uint64, bound uint64) (n int, err error)
	Stats() Stats
}

// Stats counts what a Source has seen since it was made, dropped elements
// included: p-values and genome size need it.
type Stats struct {
	Elements uint64 // positions at which an element could start
	Skipped  uint64 // of these, positions without a valid element (an N in the k-mer)
}

// Hashed is the number of elements that were hashed.
func (s Stats) Hashed() uint64 { return s.Elements - s.Skipped }

// Add returns the sum of both.
func (s Stats) Add(t Stats) Stats {
	return Stats{Elements: s.Elements + t.Elements, Skipped: s.Skipped + t.Skipped}
}

// BatchSize is the length of buffer that callers of Feed should own: 512
// hashes are 4 KiB and stay in the first-level cache.
const BatchSize = 512

// Feed drains src into all builders, asking it only for hashes that at least
// one of them can use. buf is scratch space, BatchSize long if nothing speaks
// against it. An error of src or of a builder ends it; io.EOF does not count
// as one.
func Feed(src Source, buf []uint64, builders ...Builder) error {
	for {
		var bound uint64
		for _, b := range builders {
			bound = max(bound, b.Bound())
		}
		n, err := src.Next(buf, bound)
		if n > 0 {
			for _, b := range builders {
				if e := b.AddHashes(buf[:n]); e != nil {
					return e
				}
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
