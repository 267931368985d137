// SPDX-License-Identifier: Apache-2.0

package minhash

// min32Generic is, for hashes that are mixed already,
//
//	for i := range mins {
//		for _, h := range hashes {
//			mins[i] = min(mins[i], a[i]*h+b[i])
//		}
//	}
//
// a and b are as long as mins, a multiple of lanes32. Slots are outside, hashes
// inside, so that minima stay in registers. A minimum is rarely lowered, about
// ln n times, so branches are guessed well and beat arithmetic.
func min32Generic(mins, a, b, hashes []uint32) {
	for i := 0; i < len(mins); i += 4 {
		m, a, b := mins[i:i+4:i+4], a[i:i+4:i+4], b[i:i+4:i+4]
		m0, m1, m2, m3 := m[0], m[1], m[2], m[3]
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		for _, h := range hashes {
			if v := a0*h + b0; v < m0 {
				m0 = v
			}
			if v := a1*h + b1; v < m1 {
				m1 = v
			}
			if v := a2*h + b2; v < m2 {
				m2 = v
			}
			if v := a3*h + b3; v < m3 {
				m3 = v
			}
		}
		m[0], m[1], m[2], m[3] = m0, m1, m2, m3
	}
}

// min64Generic is min32Generic for 64 bits.
func min64Generic(mins, a, b, hashes []uint64) {
	for i := 0; i < len(mins); i += 4 {
		m, a, b := mins[i:i+4:i+4], a[i:i+4:i+4], b[i:i+4:i+4]
		m0, m1, m2, m3 := m[0], m[1], m[2], m[3]
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		for _, h := range hashes {
			if v := a0*h + b0; v < m0 {
				m0 = v
			}
			if v := a1*h + b1; v < m1 {
				m1 = v
			}
			if v := a2*h + b2; v < m2 {
				m2 = v
			}
			if v := a3*h + b3; v < m3 {
				m3 = v
			}
		}
		m[0], m[1], m[2], m[3] = m0, m1, m2, m3
	}
}

// minLegacy lowers mins by the values of legacy. With x = q*2^61 + r, x mod
// 2^61-1 is q+r, less 2^61-1 where it reaches that, since q is at most 7.
func minLegacy(mins []uint32, a, b, hashes []uint64) {
	for i, m := range mins {
		a, b := a[i], b[i]
		for _, h := range hashes {
			x := a*h + b
			x = x&mersenne61 + x>>61
			if x >= mersenne61 {
				x -= mersenne61
			}
			if v := uint32(x); v < m {
				m = v
			}
		}
		mins[i] = m
	}
}
