// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

package kmer

// vectorParams is a scheme as the kernels read it.
type vectorParams struct {
	matrix       uint64    // reverses and complements the 4 bases of a byte
	up           uint64    // bits that a window leaves free in 1 or 2 words
	high         uint64    // the bits of the second word that belong to a window
	fields       [4]uint64 // where the bases of 8 letters lie in a word of codes
	tail1, tail2 uint64    // which bytes of the last two words are letters, for all lanes
	seed, length uint64
	seedLength   uint64    // seed ^ length
	add1, add2   uint64    // what the first block of 16 letters adds to the state in the end
	strand       [4]uint64 // where windows end in the streams, see _asm/near512.go
	near         uint64    // bound of (h1 + h2)*f2 + 1<<32, see group.near
}

type kernelFunc func(p *vectorParams, out, codes *uint64, steps int)

// An avx512 kernel works on 8 neighbouring windows at a time, 4 times 8 in a
// step. See group for what it computes.
type avx512 struct {
	params         vectorParams
	nearFn, hashFn kernelFunc
	streams        [8 * streamSize / 8]uint64 // both strands of a stretch, as streamsAVX512 makes them
	hits           [stretch / 64]uint64       // of whole tiles
}

// As in _asm/near512.go.
const (
	tile       = 256 // windows
	streamData = 64 * (stretch/tile + 1)
	streamSize = 64 + streamData + 64
)

var avx512Kernels = []struct {
	maxK       int
	near, hash kernelFunc
}{
	{15, near15AVX512, hash15AVX512},
	{24, near24AVX512, hash24AVX512},
	{31, near31AVX512, hash31AVX512},
	{32, near32AVX512, hash32AVX512},
	{40, near40AVX512, hash40AVX512},
	{47, near47AVX512, hash47AVX512},
	{56, near56AVX512, hash56AVX512},
	{63, near63AVX512, hash63AVX512},
	{64, near64AVX512, hash64AVX512},
}

func newAVX512(s scheme) kernel {
	a := &avx512{params: newVectorParams(s)}
	for _, kernel := range avx512Kernels {
		a.nearFn, a.hashFn = kernel.near, kernel.hash
		if s.k <= kernel.maxK {
			break
		}
	}
	return a
}

func newVectorParams(s scheme) vectorParams {
	k, seed := uint64(s.k), uint64(s.seed)
	p := vectorParams{
		up:         (64 - 2*k) % 64, // of 2 words for k > 32: 128 - 2k
		high:       lowBases(s.k - 32),
		seed:       seed,
		length:     k,
		seedLength: seed ^ k,
	}
	if s.canonical {
		p.matrix = 0x4080102004080102 // else the other strand is all ones and never the smaller
	}
	for i := range p.fields {
		for j := range 8 {
			at := 2 * (8*i + j)
			if s.k <= 32 {
				at += int(p.up) // the upper bits hold the code
			}
			p.fields[i] |= uint64(at%64) << (8 * j)
		}
	}
	for r := range p.strand {
		// A window from base r of a byte on ends before base end%4 of byte end/4,
		// and what is read ends there.
		end := r + s.k
		if s.k <= 32 {
			p.strand[r] = uint64(end%4*streamSize + 64 + end/4 - 8)
		} else {
			p.strand[r] = uint64((4+end%4)*streamSize + streamData - 64 - (end/4 - 8))
		}
	}
	left := s.k % 16
	p.tail1 = (1<<min(left, 8) - 1) * 0x0101010101010101
	p.tail2 = (1<<max(left-8, 0) - 1) * 0x0101010101010101
	p.add1 = 5*seed + a1
	p.add2 = 5*p.add1 + a2
	return p
}

func (a *avx512) near(hits, codes []uint64, bound uint64) {
	_ = codes[(64*len(hits)+beyond)/32-1]
	a.params.near = bound + 1<<33
	a.startStreams(codes[0])
	tiles := (len(hits) + 3) / 4
	streamsAVX512(&a.params, &a.streams[0], &codes[0], tiles)
	a.nearFn(&a.params, &a.hits[0], &a.streams[0], tiles)
	copy(hits, a.hits[:])
}

// startStreams writes the word before the streams that streamsAVX512 makes: where
// a stream is shifted by 1 to 3 bases, these bases of the first window are in it.
func (a *avx512) startStreams(first uint64) {
	for r := 1; r < 4; r++ {
		before := first << (64 - 2*r)
		a.streams[(r*streamSize+64)/8-1] = before
		other := reverseComplement(before)
		if a.params.matrix == 0 {
			other = 1<<64 - 1
		}
		a.streams[((4+r)*streamSize+streamData)/8] = other
	}
}

func (a *avx512) hashes(dst, codes []uint64) {
	_ = codes[(len(dst)+beyond)/32-1]
	a.hashFn(&a.params, &dst[0], &codes[0], len(dst)/32)
}

func (a *avx512) pick(dst, hashes *[64]uint64, hits, mask, bound uint64) int {
	return pickAVX512(&dst[0], &hashes[0], hits, mask, bound)
}

// pickAVX512 is pickGeneric.
//
//go:noescape
func pickAVX512(dst, hashes *uint64, hits, mask, bound uint64) int

// streamsAVX512 makes the streams that near15AVX512 and so on read.
//
//go:noescape
func streamsAVX512(p *vectorParams, streams, codes *uint64, tiles int)

// near15AVX512 and so on do, for the k that their class serves,
//
//	for i := range 32 * steps {
//		if hash of window i of codes <= p's bound { set bit i of out }
//	}
//
// and now and then set a bit too many. hash15AVX512 and so on do
//
//	for i := range 32 * steps { out[i] = hash of window i of codes }
//
//go:noescape
func near15AVX512(p *vectorParams, out, streams *uint64, tiles int)

//go:noescape
func hash15AVX512(p *vectorParams, out, codes *uint64, steps int)

//go:noescape
func near24AVX512(p *vectorParams, out, streams *uint64, tiles int)

//go:noescape
func hash24AVX512(p *vectorParams, out, codes *uint64, steps int)

//go:noescape
func near31AVX512(p *vectorParams, out, streams *uint64, tiles int)

//go:noescape
func hash31AVX512(p *vectorParams, out, codes *uint64, steps int)

//go:noescape
func near32AVX512(p *vectorParams, out, streams *uint64, tiles int)

//go:noescape
func hash32AVX512(p *vectorParams, out, codes *uint64, steps int)

//go:noescape
func near40AVX512(p *vectorParams, out, streams *uint64, tiles int)

//go:noescape
func hash40AVX512(p *vectorParams, out, codes *uint64, steps int)

//go:noescape
func near47AVX512(p *vectorParams, out, streams *uint64, tiles int)

//go:noescape
func hash47AVX512(p *vectorParams, out, codes *uint64, steps int)

//go:noescape
func near56AVX512(p *vectorParams, out, streams *uint64, tiles int)

//go:noescape
func hash56AVX512(p *vectorParams, out, codes *uint64, steps int)

//go:noescape
func near63AVX512(p *vectorParams, out, streams *uint64, tiles int)

//go:noescape
func hash63AVX512(p *vectorParams, out, codes *uint64, steps int)

//go:noescape
func near64AVX512(p *vectorParams, out, streams *uint64, tiles int)

//go:noescape
func hash64AVX512(p *vectorParams, out, codes *uint64, steps int)
