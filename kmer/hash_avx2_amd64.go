// SPDX-License-Identifier: Apache-2.0

//go:build amd64 && !noasm && !purego

package kmer

// lanes is a number as a vector: once for each lane.
type lanes [4]uint64

func inLanes(x uint64) lanes { return lanes{x, x, x, x} }

// avx2Params is a scheme as the AVX2 kernels read it, see vectorParams.
type avx2Params struct {
	up, down     lanes // bits that a window leaves free in 1 or 2 words, and 64 less that
	high         lanes
	alone        lanes // all ones if there is no other strand
	tail1, tail2 lanes // which bytes of the last two words are letters
	seed, length lanes
	seedLength   lanes
	add1, add2   lanes
	near         lanes // as in vectorParams, with the sign turned
}

type avx2Func func(p *avx2Params, out, codes *uint64, steps int)

// An avx2 kernel works on 4 windows at a time that are 32 positions apart,
// 32 times 4 in a step. See group for what it computes.
type avx2 struct {
	params         avx2Params
	nearFn, hashFn avx2Func
}

var avx2Kernels = []struct {
	maxK       int
	near, hash avx2Func
}{
	{15, near15AVX2, hash15AVX2},
	{24, near24AVX2, hash24AVX2},
	{31, near31AVX2, hash31AVX2},
	{32, near32AVX2, hash32AVX2},
	{40, near40AVX2, hash40AVX2},
	{47, near47AVX2, hash47AVX2},
	{56, near56AVX2, hash56AVX2},
	{63, near63AVX2, hash63AVX2},
	{64, near64AVX2, hash64AVX2},
}

func newAVX2(s scheme) kernel {
	a := &avx2{params: newAVX2Params(s)}
	for _, kernel := range avx2Kernels {
		a.nearFn, a.hashFn = kernel.near, kernel.hash
		if s.k <= kernel.maxK {
			break
		}
	}
	return a
}

func newAVX2Params(s scheme) avx2Params {
	v := newVectorParams(s)
	left := s.k % 16
	p := avx2Params{
		up:         inLanes(v.up),
		down:       inLanes(64 - v.up),
		high:       inLanes(v.high),
		tail1:      inLanes(lowBytes(left)),
		tail2:      inLanes(lowBytes(left - 8)),
		seed:       inLanes(v.seed),
		length:     inLanes(v.length),
		seedLength: inLanes(v.seedLength),
		add1:       inLanes(v.add1),
		add2:       inLanes(v.add2),
	}
	if !s.canonical {
		p.alone = inLanes(1<<64 - 1)
	}
	return p
}

// step is how many windows an AVX2 kernel does at least.
const avx2Step = 128

func (a *avx2) near(hits, codes []uint64, bound uint64) {
	_ = codes[(64*len(hits)+beyond)/32-1]
	a.params.near = inLanes((bound + 1<<33) ^ 1<<63)
	steps := 64 * len(hits) / avx2Step
	if steps > 0 {
		a.nearFn(&a.params, &hits[0], &codes[0], steps)
	}
	if len(hits)%2 == 1 {
		var last [2]uint64
		a.nearFn(&a.params, &last[0], &codes[4*steps], 1)
		hits[len(hits)-1] = last[0]
	}
}

func (a *avx2) hashes(dst, codes []uint64) {
	_ = codes[(len(dst)+beyond)/32-1]
	steps := len(dst) / avx2Step
	if steps > 0 {
		a.hashFn(&a.params, &dst[0], &codes[0], steps)
	}
	if rest := dst[steps*avx2Step:]; len(rest) > 0 {
		var last [avx2Step]uint64
		a.hashFn(&a.params, &last[0], &codes[4*steps], 1)
		copy(rest, last[:])
	}
}

func (*avx2) pick(dst, hashes *[64]uint64, hits, mask, bound uint64) int {
	return pickGeneric(dst, hashes, hits, mask, bound)
}

// near15AVX2 and so on do what near15AVX512 and so on do, for 128 windows per
// step; their sources are the same but for the instructions.
//
//go:noescape
func near15AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func hash15AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func near24AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func hash24AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func near31AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func hash31AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func near32AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func hash32AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func near40AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func hash40AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func near47AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func hash47AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func near56AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func hash56AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func near63AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func hash63AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func near64AVX2(p *avx2Params, out, codes *uint64, steps int)

//go:noescape
func hash64AVX2(p *avx2Params, out, codes *uint64, steps int)
