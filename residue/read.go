// SPDX-License-Identifier: Apache-2.0

package residue

// read spells text as one strand, and the other one where k-mers are
// canonical.
func (h *Hasher) read(text []byte) {
	to := h.strip(0, len(text))
	for i, c := range text {
		to[i] = h.spell[c]
	}
	if !h.canonical {
		return
	}
	h.other = append(h.other[:0], h.strands[0][:len(text)+h.k+pad]...)
	for i, c := range to {
		h.other[len(text)-1-i] = complement[c]
	}
}

var complement = [256]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}

// translate spells the six frames of text: for each remainder of a position
// by 3, the codons that start there, forward and, in reverse order, as the
// other strand reads them. A window of k codons at any position of either
// strand is a window of just one of the six.
func (h *Hasher) translate(text []byte) {
	var forward, reverse [3][]byte
	for f := range 3 {
		n := max(0, len(text)-f) / 3
		forward[f], reverse[f] = h.strip(f, n), h.strip(3+f, n)
	}
	if len(text) < 3 {
		return
	}
	code := uint(h.spell[text[0]])<<3 | uint(h.spell[text[1]])
	for i, j := 0, 0; i+2 < len(text); j++ {
		for f := 0; f < 3 && i+2 < len(text); f, i = f+1, i+1 {
			code = (code<<3 | uint(h.spell[text[i+2]])) & 511
			forward[f][j] = h.codons.forward[code]
			reverse[f][len(reverse[f])-1-j] = h.codons.reverse[code]
		}
	}
}

// strip makes strand i n letters long, with room to read beyond.
func (h *Hasher) strip(i, n int) []byte {
	if need := n + h.k + pad; cap(h.strands[i]) < need {
		h.strands[i] = make([]byte, need+need/8)
	}
	h.strands[i] = h.strands[i][:n]
	return h.strands[i]
}
