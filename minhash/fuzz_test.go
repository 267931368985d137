// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// New keeps slots as they are or refuses them, whatever they are.
func FuzzNew(f *testing.F) {
	all := []sketch.Params{kpermParams(sketch.Affine32, 1, 4), kpermParams(sketch.Affine64, 1, 4), ophParams(4, ""),
		ophParams(4, sketch.Optimal), ophParams(4, sketch.Rotation), bbitOf(ophParams(4, sketch.Optimal), 5),
		icwsParams(4, 1, ""), numpyParams(4, 1, 3)}
	for i, p := range all {
		s := finish(f, builder(f, p), []uint64{1, 2})
		var b []byte
		for _, v := range s.AppendSlots(nil) {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		f.Add(uint8(i), b)
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		p := all[int(kind)%len(all)]
		slots := make([]uint64, len(data)/8)
		for i := range slots {
			slots[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
		s, err := New(p, slots)
		if err != nil {
			return
		}
		if !slices.Equal(s.AppendSlots(nil), slots) || s.Params() != p {
			t.Fatalf("%s: %v became %v", p, slots, s.AppendSlots(nil))
		}
		if _, err := s.Similarity(s, 0.95); err != nil {
			t.Fatalf("%s: %v: %v", p, slots, err)
		}
		s.Empty()
	})
}
