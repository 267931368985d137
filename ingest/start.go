// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"os"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/formats/stream"
	"github.com/gsketch/gsketch/sketch"
)

// Until the bound of a bottom-k sketch has fallen near its final place most of
// what it takes in is for nothing, and of a large sketch, or where copies are
// counted, that is much. For a file whose size is known that place can be guessed
// beforehand. If the guess was too low (a genome of many repeats, reads of a tiny
// one), the sample is read again without it, so the sketch is exact in either case.

// guessFrom is the sketch size below which a guess gains nothing.
const guessFrom = 500

// guessMargin is how many hashes to expect below the guess, in sketch sizes s, if
// no k-mer of n letters repeats. That is 40 % and 20 standard deviations of a
// count of s more than are needed, and where n is large, a good part of what would
// pass a bound that falls, so that files of similar genomes are seldom read twice.
func guessMargin(s int, n float64) float64 {
	return max(enough(s), (math.Log(n/float64(s))-1)/2)
}

func enough(s int) float64 { return 1.4 + 20/math.Sqrt(float64(s)) }

// deepest is how many letters of reads there are, at most, for each distinct
// k-mer that has enough copies: the guess for a sketch that counts holds up to a
// depth of so much.
const deepest = 1024

// errTooLow says that a sample must be read again without a guess.
var errTooLow = errors.New("guess too low")

// guess lowers the bound of bottom-k builders before the first hash, and
// says whether it did.
func (s *sampler) guess(b *bench) bool {
	guessed := false
	for _, l := range b.lanes {
		for _, d := range l.builders {
			p := d.Params()
			if p.Family != sketch.BottomK || p.Size < guessFrom || s.expected.letters == 0 {
				continue
			}
			letters, size := float64(s.expected.letters), float64(p.Size)
			switch k := d.(type) {
			case *bottomk.Builder:
				most := guessMargin(p.Size, letters) * size
				if share := most / letters; share <= 0.5 && !s.expected.reads {
					k.Start(uint64(share*math.Pow(2, float64(p.Hash.Bits))), int(most))
					guessed = true
				}
			case *bottomk.Counter:
				if share := enough(p.Size) * size * deepest / letters; share <= 0.5 && s.expected.reads {
					k.Start(uint64(share * math.Pow(2, float64(p.Hash.Bits))))
					guessed = true
				}
			}
		}
	}
	return guessed
}

// tooLow says whether a guess left a builder without all the hashes it wants.
func tooLow(b *bench) bool {
	for _, l := range b.lanes {
		for _, d := range l.builders {
			if k, ok := d.(interface{ Full() bool }); ok && d.Params().Size >= guessFrom && !k.Full() {
				return true
			}
		}
	}
	return false
}

// An extent is about how many letters a sample has; 0 where that cannot be told
// without reading it.
type extent struct {
	letters uint64
	reads   bool
}

// expectedLetters is the extent of a sample of files that are all FASTA or all
// FASTQ. Of FASTQ half is sequence.
func expectedLetters(paths []string) (sum extent) {
	for i, path := range paths {
		mark, size := markAndSize(path)
		reads := mark == '@'
		if size == 0 || mark != '>' && mark != '@' || i > 0 && reads != sum.reads {
			return extent{}
		}
		if sum.reads = reads; reads {
			size /= 2
		}
		sum.letters += size
	}
	return sum
}

// markAndSize are the first character of a regular file and its decompressed
// size: that of a plain one, and what a gzip file says in its last four bytes, if
// that can be true; else 0.
func markAndSize(path string) (mark byte, size uint64) {
	st, err := os.Stat(path)
	if path == "-" || err != nil || !st.Mode().IsRegular() {
		return 0, 0
	}
	in, err := stream.Open(path, stream.Options{Threads: 1, Warn: func(string) {}})
	if err != nil {
		return 0, 0
	}
	defer in.Close()
	head, _ := in.Peek(64)
	if head = bytes.TrimLeft(head, " \t\r\n"); len(head) == 0 {
		return 0, 0
	}
	mark, size = head[0], uint64(st.Size())
	switch in.Compression() {
	case "":
		return mark, size
	case "gzip":
		f, err := os.Open(path)
		if err != nil {
			return 0, 0
		}
		defer f.Close()
		var tail [4]byte
		if _, err := f.ReadAt(tail[:], st.Size()-4); err != nil {
			return 0, 0
		}
		if n := uint64(binary.LittleEndian.Uint32(tail[:])); n > size && bits.Len64(n/size) <= 4 {
			return mark, n
		}
	}
	return 0, 0
}

// wantsGuess says whether the plan has a sketch that a guess serves.
func (p Plan) wantsGuess() bool {
	for _, q := range p.Params {
		if q.Family == sketch.BottomK && q.Size >= guessFrom && p.Counting.FilterBytes == 0 {
			return true
		}
	}
	return false
}
