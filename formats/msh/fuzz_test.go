// SPDX-License-Identifier: Apache-2.0

package msh

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

// FuzzRead wants an *sketch.InputError or a collection that writes and reads
// back as itself.
func FuzzRead(f *testing.F) {
	for _, weighted := range []bool{false, true} {
		for _, k := range []int{7, 21} {
			p := dna(k, 4)
			p.Weighted = weighted
			var counts []uint64
			if weighted {
				counts = []uint64{4, 5}
			}
			f.Add(encode(f, p, item(f, p, sketch.Meta{ID: "a", Comment: "b c", Length: 9, PerRecord: true}, []uint64{3, 8}, counts)))
			list, err := sketch.NewList(p, []sketch.Item{item(f, p, sketch.Meta{ID: "a"}, []uint64{3, 8}, counts), item(f, p, sketch.Meta{}, nil, nil)})
			if err != nil {
				f.Fatal(err)
			}
			msg, err := message(list, 0)
			if err != nil {
				f.Fatal(err)
			}
			data, err := msg.Marshal()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := Read(data, "fuzz.msh")
		if err != nil {
			var in *sketch.InputError
			if !errors.As(err, &in) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		var buf bytes.Buffer
		if err := Write(&buf, first); err != nil {
			return // a NUL in a name, say
		}
		second, err := Read(buf.Bytes(), "again.msh")
		if err != nil {
			t.Fatal(err)
		}
		if first.Len() != second.Len() {
			t.Fatalf("%d sketches, %d", first.Len(), second.Len())
		}
		for i := range first.Len() {
			a, b := first.Meta(i), second.Meta(i)
			if a.ID != b.ID || a.Comment != b.Comment || a.Length != b.Length {
				t.Fatalf("sketch %d: %+v, %+v", i, a, b)
			}
			x, y := first.At(i).(sketch.Abundant), second.At(i).(sketch.Abundant)
			if !slices.Equal(x.Hashes(), y.Hashes()) || !slices.Equal(x.Abundances(), y.Abundances()) {
				t.Fatalf("sketch %d differs", i)
			}
		}
	})
}
