// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gsketch/gsketch/bottomk"
	"github.com/gsketch/gsketch/fracminhash"
	"github.com/gsketch/gsketch/sketch"
)

// stored is a sketch as the file spells it.
type stored struct {
	num, ksize, seed, maxHash uint64
	molecule, md5sum          string
	mins, abundances          []uint64
	ascending                 bool // mins, as read
	weighted                  bool // there are abundances, maybe none
}

// set checks what was read and makes the sketch of it.
func (s *stored) set() (*sketch.Set, error) {
	if s.weighted && len(s.abundances) != len(s.mins) {
		return nil, fmt.Errorf("%d abundances for %d hashes", len(s.abundances), len(s.mins))
	}
	if !s.ascending {
		s.sort()
	}
	if sum := digest(s.ksize, s.mins); sum != s.md5sum {
		return nil, fmt.Errorf("md5sum %q is not that of the hashes (%s): the file is damaged", s.md5sum, sum)
	}
	p, err := s.params()
	if err != nil {
		return nil, err
	}
	if p.Family == sketch.BottomK {
		return bottomk.New(p, s.mins, s.abundances)
	}
	// Where max_hash was rounded up, a hash may lie between it and ours.
	n, _ := slices.BinarySearch(s.mins, sketch.MaxHash(p.Scaled))
	for n < len(s.mins) && s.mins[n] == sketch.MaxHash(p.Scaled) {
		n++
	}
	if n < len(s.mins) {
		if s.mins[len(s.mins)-1] > s.maxHash {
			return nil, fmt.Errorf("hash %d is above max_hash %d", s.mins[len(s.mins)-1], s.maxHash)
		}
		s.mins = s.mins[:n]
		if s.weighted {
			s.abundances = s.abundances[:n]
		}
	}
	return fracminhash.New(p, s.mins, s.abundances)
}

func (s *stored) sort() {
	if s.weighted {
		sort.Sort(byHash{s.mins, s.abundances})
	} else {
		slices.Sort(s.mins)
	}
}

func (s *stored) params() (sketch.Params, error) {
	e, err := elementsOf(s.molecule, s.ksize)
	if err != nil {
		return sketch.Params{}, err
	}
	if s.seed > math.MaxUint32 {
		return sketch.Params{}, fmt.Errorf("seed %d has more than 32 bits", s.seed)
	}
	p := sketch.Params{Elements: e, Hash: sketch.Murmur3(64, uint32(s.seed)), Weighted: s.weighted}
	switch {
	case s.num == 0 && s.maxHash == 0:
		return p, fmt.Errorf("neither num nor max_hash")
	case s.maxHash == 0:
		if s.num > math.MaxInt32 {
			return p, fmt.Errorf("num %d is above %d", s.num, math.MaxInt32)
		}
		p.Family, p.Size = sketch.BottomK, int(s.num)
	case s.num != 0 && uint64(len(s.mins)) >= s.num:
		return p, fmt.Errorf("both num and max_hash, and num has cut it: hashes below max_hash are missing")
	default:
		p.Family = sketch.FracMinHash
		p.Scaled, err = scaledOf(s.maxHash)
	}
	return p, err
}

// byHash sorts hashes and takes their abundances along.
type byHash struct{ hashes, abundances []uint64 }

func (b byHash) Len() int           { return len(b.hashes) }
func (b byHash) Less(i, j int) bool { return b.hashes[i] < b.hashes[j] }
func (b byHash) Swap(i, j int) {
	b.hashes[i], b.hashes[j] = b.hashes[j], b.hashes[i]
	b.abundances[i], b.abundances[j] = b.abundances[j], b.abundances[i]
}
