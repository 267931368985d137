// SPDX-License-Identifier: Apache-2.0

package generate

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// A Spiked sample is a background of reads into which reads of targets are
// mixed at known depths.
type Spiked struct {
	Background Mixture // its seed is that of the whole
	Targets    []Target
}

// A Target is a genome whose reads are mixed into a sample.
type Target struct {
	Name       string
	MilliDepth int // mean depth in thousandths, so 10 is 0.01x
	Records    [][]byte
}

// WriteSpiked writes FASTQ, and to truth a table of what each target got: reads,
// and the share of its bases that a read covers. The number of reads is itself
// drawn, as sequencing draws it: a read begins at every base of a target with the
// same chance, so that a small target at low depth may have none.
func WriteSpiked(out, truth io.Writer, s Spiked) error {
	var reads [][]byte
	fmt.Fprintln(truth, "target\tbases\tdepth\treads\tcovered")
	r := NewRand(s.Background.Seed)
	for _, t := range s.Targets {
		if t.MilliDepth < 0 || total(t.Records) == 0 {
			return fmt.Errorf("reads: %s: a depth that is not negative and a sequence expected", t.Name)
		}
		mine, covered := r.sequence(t)
		reads = append(reads, mine...)
		fmt.Fprintf(truth, "%s\t%d\t%g\t%d\t%.6f\n", t.Name, total(t.Records), float64(t.MilliDepth)/1000, len(mine), covered)
	}
	var background bytes.Buffer
	if err := WriteReads(&background, io.Discard, s.Background); err != nil {
		return err
	}
	return r.interleave(out, background.Bytes(), s.Background.Reads, reads)
}

// sequence draws the reads of a target.
func (r *Rand) sequence(t Target) (reads [][]byte, covered float64) {
	n := 0
	for _, record := range t.Records {
		end := 0 // of what is covered
		for at := 0; at+ReadLength <= len(record); at++ {
			if r.IntN(1000*ReadLength) >= t.MilliDepth {
				continue
			}
			read := bytes.Clone(record[at : at+ReadLength])
			if r.IntN(2) == 0 {
				read = ReverseComplement(read)
			}
			reads = append(reads, read)
			n += at + ReadLength - max(at, end)
			end = at + ReadLength
		}
	}
	return reads, float64(n) / float64(total(t.Records))
}

// interleave writes the background in its order with the reads of the targets at
// random places between.
func (r *Rand) interleave(out io.Writer, background []byte, n int, reads [][]byte) error {
	w := bufio.NewWriterSize(out, 1<<20)
	order := make([]int, n+len(reads)) // 0: the next of the background, else a read
	for i := range reads {
		order[i] = i + 1
	}
	r.Shuffle(order)
	for _, o := range order {
		if o == 0 {
			record := fourLines(background)
			background = background[len(record):]
			w.Write(record)
			continue
		}
		seq, quality := r.read(reads[o-1])
		fmt.Fprintf(w, "@t%d\n%s\n+\n%s\n", o, seq, quality)
	}
	return w.Flush()
}

// fourLines is the first record of FASTQ.
func fourLines(text []byte) []byte {
	end := 0
	for range 4 {
		end += bytes.IndexByte(text[end:], '\n') + 1
	}
	return text[:end]
}

// Pieces cuts number pieces of the same length from a sequence, one behind the
// other from an offset on, and returns them with the offset behind the last. A
// piece with an ambiguous base is passed over.
func Pieces(sequence []byte, offset, number, length int) ([][]byte, int, error) {
	var pieces [][]byte
	for ; len(pieces) < number; offset += length {
		if offset+length > len(sequence) {
			return nil, 0, fmt.Errorf("pieces: %d bases are too few for %d of %d from %d on", len(sequence), number, length, offset)
		}
		if piece := sequence[offset : offset+length]; bytes.IndexFunc(piece, ambiguous) < 0 {
			pieces = append(pieces, piece)
		}
	}
	return pieces, offset, nil
}

// WriteFASTA writes one record in lines of 80.
func WriteFASTA(w io.Writer, name string, seq []byte) error {
	_, err := w.Write(fasta(name, seq, 80))
	return err
}
