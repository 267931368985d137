// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// The second minimum of a slot is the minimum of the set without the element
// that has the first.
func TestSecondMinima(t *testing.T) {
	for _, p := range []sketch.Params{kpermParams(sketch.Affine32, 1, 20), kpermParams(sketch.Affine64, 1, 9),
		kpermParams(sketch.Legacy, 1, 5), kpermParams(sketch.Milvus, 1, 5), ophParams(10, "")} {
		r := rand.New(rand.NewPCG(1, 1))
		hashes := make([]uint64, 30)
		for i := range hashes {
			hashes[i] = r.Uint64()
		}
		got, err := SecondMinima(p, append(hashes, hashes...))
		if err != nil {
			t.Fatal(err)
		}
		b := builder(t, p)
		slots := func(set []uint64) []uint64 { return finish(t, b, set).AppendSlots(nil) }
		all := slots(hashes)
		for i := range all {
			var rest []uint64
			for _, h := range hashes {
				if slots([]uint64{h})[i] != all[i] || all[i] == math.MaxUint64 {
					rest = append(rest, h)
				}
			}
			if want := slots(rest)[i]; got[i] != want {
				t.Errorf("%s: slot %d: %d, want %d", p, i, got[i], want)
			}
		}
	}
	for _, p := range []sketch.Params{kpermParams(sketch.Affine32, 1, 3), ophParams(3, "")} {
		if got, err := SecondMinima(p, []uint64{7, 7}); err != nil || got[0] != math.MaxUint64 || got[2] != math.MaxUint64 {
			t.Errorf("%s: of one element: %v, %v", p, got, err)
		}
	}
	if _, err := SecondMinima(icwsParams(4, 1, ""), []uint64{1}); err == nil {
		t.Error("second minima of icws")
	}
}
