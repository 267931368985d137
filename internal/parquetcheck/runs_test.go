// SPDX-License-Identifier: Apache-2.0

package parquetcheck

import "testing"

func TestRuns(t *testing.T) {
	for _, c := range []struct {
		name       string
		b          []byte
		width      int
		n, padding int
		ok         bool
	}{
		{"run", []byte{10, 1}, 1, 5, 7, true},
		{"long run", []byte{12, 1}, 1, 5, 7, false},
		{"two runs", []byte{4, 1, 6, 0}, 1, 5, 7, true},
		{"packed", []byte{3, 0xff}, 1, 5, 7, true},
		{"packed too far", []byte{5, 0xff, 0xff}, 1, 5, 7, false},
		{"padded", []byte{5, 0xff, 0xff}, 1, 5, 11, true},
		{"packed, cut", []byte{3}, 1, 5, 7, false},
		{"run, cut", []byte{10}, 1, 5, 7, false},
		{"wide run", []byte{10, 1, 1}, 12, 5, 7, true},
		{"wide run, cut", []byte{10, 1}, 12, 5, 7, false},
		{"run of no bits", []byte{10}, 0, 5, 7, true},
		{"few", []byte{8, 1}, 1, 5, 7, false},
		{"claim", []byte{0xfe, 0xff, 0xff, 0xff, 0x0f, 1}, 1, 5, 7, false},
		{"packed claim", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1}, 1, 5, 7, false},
	} {
		if err := Runs(c.b, c.width, c.n, c.padding); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
