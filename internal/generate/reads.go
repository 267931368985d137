// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// ReadLength is the length of the reads of a mixture.
const ReadLength = 150

// A Mixture says what WriteReads makes: single-end reads of genomes at uneven
// depth, with errors as often as their quality says.
type Mixture struct {
	Seed    uint64
	Reads   int
	Genomes []MixedGenome
}

// A MixedGenome is one genome of a mixture.
type MixedGenome struct {
	Name    string
	Depth   int // relative to the other genomes
	Records [][]byte
}

// WriteReads writes FASTQ, and to truth a table of the reads and the depth that
// each genome got. Reads lie within one record, on either strand, in random
// order.
func WriteReads(out, truth io.Writer, m Mixture) error {
	records := make([][][]byte, len(m.Genomes)) // those that hold a read
	weights := make([]int, len(m.Genomes))
	for i, g := range m.Genomes {
		records[i] = slices.DeleteFunc(slices.Clone(g.Records), func(s []byte) bool { return len(s) < ReadLength })
		if len(records[i]) == 0 || g.Depth < 1 {
			return fmt.Errorf("reads: %s: a depth of at least 1 and a record of at least %d bases expected", g.Name, ReadLength)
		}
		weights[i] = g.Depth * total(records[i])
	}
	counts := apportion(m.Reads, weights)
	fmt.Fprintln(truth, "genome\tbases\treads\tdepth\tshare")
	order := make([]int, 0, m.Reads)
	for i, n := range counts {
		order = append(order, slices.Repeat([]int{i}, n)...)
		bases := total(records[i])
		fmt.Fprintf(truth, "%s\t%d\t%d\t%.4f\t%.6f\n", m.Genomes[i].Name, bases, n,
			float64(n*ReadLength)/float64(bases), float64(n)/float64(m.Reads))
	}

	r := NewRand(m.Seed)
	r.Shuffle(order)
	w := bufio.NewWriterSize(out, 1<<20)
	for i, g := range order {
		seq, quality := r.read(r.place(records[g]))
		fmt.Fprintf(w, "@r%d\n%s\n+\n%s\n", i, seq, quality)
	}
	return w.Flush()
}

// place draws a stretch of ReadLength bases, every start equally likely, on
// either strand.
func (r *Rand) place(records [][]byte) []byte {
	starts := 0
	for _, s := range records {
		starts += len(s) - ReadLength + 1
	}
	at := r.IntN(starts)
	for _, s := range records {
		if n := len(s) - ReadLength + 1; at >= n {
			at -= n
			continue
		}
		if s = s[at : at+ReadLength]; r.IntN(2) == 0 {
			return ReverseComplement(s)
		}
		return slices.Clone(s)
	}
	panic("unreachable: at lies within the starts")
}

// read gives a stretch of bases the qualities of an Illumina read (they fall
// from 37 to 27 along the read, with an offset of the read and noise of the
// base) and an error as often as they say.
func (r *Rand) read(seq []byte) (bases, quality []byte) {
	quality = make([]byte, len(seq))
	offset := r.IntN(5) + r.IntN(5) - 4
	for i, b := range seq {
		q := 37 - 10*i*i/(len(seq)*len(seq)) + offset + r.IntN(6) + r.IntN(6) - 5
		q = min(max(q, 2), 41)
		quality[i] = byte(q) + '!'
		if r.IntN(1_000_000_000) < errorsPerBillion(q) && b != 'N' {
			seq[i] = r.other(b)
		}
	}
	return seq, quality
}

// errorsPerBillion is 10^9 * 10^(-q/10), in integers, so that every processor
// draws the same errors.
func errorsPerBillion(q int) int {
	n := [10]int{1_000_000_000, 794_328_235, 630_957_344, 501_187_234, 398_107_171,
		316_227_766, 251_188_643, 199_526_231, 158_489_319, 125_892_541}[q%10]
	for range q / 10 {
		n /= 10
	}
	return n
}

// apportion divides n in proportion to the weights, the rest to the first.
func apportion(n int, weights []int) []int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	counts := make([]int, len(weights))
	rest := n
	for i, w := range weights {
		counts[i] = int(float64(n) * (float64(w) / float64(sum)))
		rest -= counts[i]
	}
	counts[0] += rest
	return counts
}

func total(records [][]byte) int {
	n := 0
	for _, s := range records {
		n += len(s)
	}
	return n
}
