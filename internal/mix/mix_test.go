// SPDX-License-Identifier: Apache-2.0

package mix

import "testing"

// Values of the finalisers as datasketch 2.0.0 has them in Python.
func TestMix(t *testing.T) {
	for h, want := range map[uint32]uint32{0: 0, 1: 1364076727, 0xffffffff: 2180083513} {
		if got := Bits32(h); got != want {
			t.Errorf("Bits32(%d) = %d, want %d", h, got, want)
		}
	}
	for h, want := range map[uint64]uint64{0: 0, 1: 12994781566227106604, 1<<64 - 1: 7256831767414464289} {
		if got := Bits64(h); got != want {
			t.Errorf("Bits64(%d) = %d, want %d", h, got, want)
		}
	}
}
