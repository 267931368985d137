// SPDX-License-Identifier: Apache-2.0

package main

// A class is a range of k that one kernel serves.
type class struct {
	first, last int
	blocks      int // of 16 letters
	tails       int // words of up to 8 letters after them; they may be empty
}

var classes = []class{
	{1, 15, 0, 2},
	{16, 24, 1, 1},
	{25, 31, 1, 2},
	{32, 32, 2, 0},
	{33, 40, 2, 1},
	{41, 47, 2, 2},
	{48, 56, 3, 1},
	{57, 63, 3, 2},
	{64, 64, 4, 0},
}

// wide says that the code of a window does not fit into 64 bits.
func (c class) wide() bool { return c.first > 32 }

// An isa spells the operations of MurmurHash3 on vectors of 64-bit numbers.
// Params are fields of the kernel's parameters, constants are data.
type isa interface {
	letters(s *strand, code value, word int, tail string) value // 8 letters; tail names the mask of a word that is not whole
	mul(s *strand, constant string, x value) value
	rotate(s *strand, left int, x value) value
	fold(s *strand, x value) value // x ^ x>>33
	add(s *strand, x, y value) value
	xor(s *strand, x, y value) value
	addParam(s *strand, param string, x value) value
	xorParam(s *strand, param string, x value) value
	xor3(s *strand, param string, x, y value) value // may overwrite y
	addConstant(s *strand, constant string, x value) value
}

// A hashing is a strand and the instructions that it is made of.
type hashing struct {
	*strand
	isa
}

// mixed returns a word of letters after its own part of MurmurHash3.
func (h hashing) mixed(word value, times string, left int, timesThen string) value {
	word = h.mul(h.strand, times, word)
	word = h.rotate(h.strand, left, word)
	return h.mul(h.strand, timesThen, word)
}

// state mixes all letters of the codes into the state, and the length.
func (h hashing) state(c class, lo, hi value) (h1, h2 value) {
	s := h.strand
	letters := func(word int, tail string) value {
		if word < 4 {
			return h.letters(s, lo, word, tail)
		}
		return h.letters(s, hi, word, tail)
	}
	first := func(word int, tail string) value { return h.mixed(letters(word, tail), "c1", 31, "c2") }
	second := func(word int, tail string) value { return h.mixed(letters(word, tail), "c2", 33, "c1") }
	if c.blocks == 0 {
		h1 = h.xorParam(s, "seedLength", first(0, "tail1"))
		h2 = h.xorParam(s, "seedLength", second(1, "tail2"))
		return h1, h2
	}
	// The additions of the first block, where h1 = h2 = seed, are done ahead.
	h1 = h.xorParam(s, "seed", first(0, ""))
	h1 = h.timesFive(h.rotate(s, 27, h1))
	h2 = h.xorParam(s, "seed", second(1, ""))
	h2 = h.timesFive(h.add(s, h1, h.rotate(s, 31, h2)))
	h1 = h.addParam(s, "add1", h1)
	h2 = h.addParam(s, "add2", h2)
	for b := 1; b < c.blocks; b++ {
		h1 = h.xor(s, first(2*b, ""), h1)
		h1 = h.timesFive(h.add(s, h2, h.rotate(s, 27, h1)))
		h1 = h.addConstant(s, "a1", h1)
		h2 = h.xor(s, second(2*b+1, ""), h2)
		h2 = h.timesFive(h.add(s, h1, h.rotate(s, 31, h2)))
		h2 = h.addConstant(s, "a2", h2)
	}
	if c.tails > 0 {
		h1 = h.xor3(s, "length", first(2*c.blocks, "tail1"), h1)
	} else {
		h1 = h.xorParam(s, "length", h1)
	}
	if c.tails > 1 {
		h2 = h.xor3(s, "length", second(2*c.blocks+1, "tail2"), h2)
	} else {
		h2 = h.xorParam(s, "length", h2)
	}
	return h1, h2
}

// timesFive shifts and adds: on a Zen 4, multipliers share their two pipes with
// the shifters, adders have two more.
func (h hashing) timesFive(x value) value {
	return h.add(h.strand, x, h.do("VPSLLQ", "$2", x))
}

// halfFinish is the end of MurmurHash3 up to the last multiplication.
func (h hashing) halfFinish(h1, h2 value) (value, value) {
	s := h.strand
	h1 = h.add(s, h2, h1)
	h2 = h.add(s, h1, h2)
	h1, h2 = h.fold(s, h1), h.fold(s, h2)
	h1, h2 = h.mul(s, "f1", h1), h.mul(s, "f1", h2)
	return h.fold(s, h1), h.fold(s, h2)
}

// nearly is the hash give or take 1<<32.
func (h hashing) nearly(h1, h2 value) value {
	return h.mul(h.strand, "f2", h.add(h.strand, h2, h1))
}

// hash is the last step.
func (h hashing) hash(h1, h2 value) value {
	s := h.strand
	h1, h2 = h.mul(s, "f2", h1), h.mul(s, "f2", h2)
	return h.add(s, h.fold(s, h1), h.fold(s, h2))
}
