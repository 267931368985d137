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
// what it takes in is for nothing, and of a large sketch that is much. For a
// FASTA file whose size is known that place can be guessed beforehand. If the
// guess was too low (a genome of many repeats), the sample is read again without
// it, so the sketch is exact in either case.

// guessFrom is the sketch size below which a guess gains nothing.
const guessFrom = 500

// guessMargin is how many hashes to expect below the guess, in sketch sizes s, if
// no k-mer of n letters repeats. That is 40 % and 20 standard deviations of a
// count of s more than are needed, and where n is large, a good part of what would
// pass a bound that falls, so that files of similar genomes are seldom read twice.
func guessMargin(s int, n float64) float64 {
	return max(1.4+20/math.Sqrt(float64(s)), (math.Log(n/float64(s))-1)/2)
}

// errTooLow says that a sample must be read again without a guess.
var errTooLow = errors.New("guess too low")

// guess lowers the bound of bottom-k builders before the first hash, and
// says whether it did.
func (s *sampler) guess(b *bench) bool {
	guessed := false
	for _, l := range b.lanes {
		for _, d := range l.builders {
			k, ok := d.(*bottomk.Builder)
			if !ok || k.Params().Size < guessFrom || s.expected == 0 {
				continue
			}
			most := guessMargin(k.Params().Size, float64(s.expected)) * float64(k.Params().Size)
			share := most / float64(s.expected)
			if share > 0.5 {
				continue
			}
			k.Start(uint64(share*math.Pow(2, float64(k.Params().Hash.Bits))), int(most))
			guessed = true
		}
	}
	return guessed
}

// tooLow says whether a guess left a builder without all the hashes it wants.
func tooLow(b *bench) bool {
	for _, l := range b.lanes {
		for _, d := range l.builders {
			if k, ok := d.(*bottomk.Builder); ok && k.Params().Size >= guessFrom && !k.Full() {
				return true
			}
		}
	}
	return false
}

// expectedLetters is about the number of letters of a sample of FASTA files, or
// 0 where it cannot be told without reading them.
func expectedLetters(paths []string) (sum uint64) {
	for _, path := range paths {
		n := fastaSize(path)
		if n == 0 {
			return 0
		}
		sum += n
	}
	return sum
}

// fastaSize is the decompressed size of a FASTA file: that of a plain one, and
// what a gzip file says in its last four bytes, if that can be true.
func fastaSize(path string) uint64 {
	st, err := os.Stat(path)
	if path == "-" || err != nil || !st.Mode().IsRegular() {
		return 0
	}
	in, err := stream.Open(path, stream.Options{Threads: 1, Warn: func(string) {}})
	if err != nil {
		return 0
	}
	defer in.Close()
	head, _ := in.Peek(64)
	if head = bytes.TrimLeft(head, " \t\r\n"); len(head) == 0 || head[0] != '>' {
		return 0
	}
	size := uint64(st.Size())
	switch in.Compression() {
	case "":
		return size
	case "gzip":
		f, err := os.Open(path)
		if err != nil {
			return 0
		}
		defer f.Close()
		var tail [4]byte
		if _, err := f.ReadAt(tail[:], st.Size()-4); err != nil {
			return 0
		}
		if n := uint64(binary.LittleEndian.Uint32(tail[:])); n > size && bits.Len64(n/size) <= 4 {
			return n
		}
	}
	return 0
}

// wantsGuess says whether the plan has a sketch that a guess serves.
func (p Plan) wantsGuess() bool {
	for _, q := range p.Params {
		if q.Family == sketch.BottomK && q.Size >= guessFrom && !q.Weighted && !p.Counting.On() {
			return true
		}
	}
	return false
}
