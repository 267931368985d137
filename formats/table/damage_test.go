// SPDX-License-Identifier: Apache-2.0

package table

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/sketch"
)

var flips = flag.Int("flips", 1000, "number of random bits to flip, one a file; every bit once if there are no more than that")

// flipBits calls try with copies of good, in each of which one bit is flipped.
func flipBits(good []byte, try func(b []byte, at int)) int {
	bits := 8 * len(good)
	order := rand.New(rand.NewPCG(7, 8)).Perm(bits)[:min(bits, *flips)]
	for _, at := range order {
		b := slices.Clone(good)
		b[at/8] ^= 1 << (at % 8)
		try(b, at)
	}
	return len(order)
}

// small is a table of a few kilobytes with all that a table can hold but parts.
func small(t testing.TB) []byte { return encode(t, Options{CreatedBy: "test"}, smallItems(t)) }

func smallItems(t testing.TB) []sketch.Item {
	r := rand.New(rand.NewPCG(5, 6))
	p := bottom
	p.Size = 40
	max10 := sketch.MaxHash(10)
	return []sketch.Item{
		{Meta: sketch.Meta{ID: "a", Source: "a.fa", Comment: "first", Length: 5000, Records: 2, Count: 4980},
			Sketch: bottomkOf(t, p, ascending(r, 40, math.MaxUint64))},
		{Meta: sketch.Meta{Source: "-", PerRecord: true, LengthEstimated: true}, Sketch: bottomkOf(t, p, nil)},
		{Meta: sketch.Meta{ID: "b"}, Sketch: fracOf(t, frac, ascending(r, 60, max10), r)},
		{Meta: sketch.Meta{ID: "slots"}, Sketch: bbitOf(t)},
	}
}

func refused(t *testing.T, b []byte, o ReadOptions) (ok bool) {
	t.Helper()
	f, err := decode(b, o)
	var in *sketch.InputError
	if err != nil && (f != nil || !errors.As(err, &in) || in.Path != "x.parquet") {
		t.Errorf("error %T %v with file %v", err, err, f)
	}
	if !o.SmallColumns {
		each := Each(bytes.NewReader(b), int64(len(b)), "x.parquet", o, func(sketch.Item) error { return nil })
		if (each == nil) != (err == nil) || each != nil && (!errors.As(each, &in) || in.Path != "x.parquet") {
			t.Errorf("one by one: %v, as a whole: %v", each, err)
		}
	}
	return err != nil
}

// TestFlippedBits: no bit of a table can be flipped unnoticed.
func TestFlippedBits(t *testing.T) {
	good := small(t)
	n := flipBits(good, func(b []byte, at int) {
		if !refused(t, b, ReadOptions{Threads: 1}) {
			t.Errorf("loads with bit %d of byte %d flipped", at%8, at/8)
		}
	})
	t.Logf("%d files, of %d bits, with one flipped", n, 8*len(good))
}

// TestFlippedBitsSmall: where only the small columns are read, a flipped bit is
// an error or lies elsewhere.
func TestFlippedBitsSmall(t *testing.T) {
	good := small(t)
	o := ReadOptions{Threads: 1, SmallColumns: true}
	want, err := decode(good, o)
	if err != nil {
		t.Fatal(err)
	}
	flipBits(good, func(b []byte, at int) {
		if refused(t, b, o) {
			return
		}
		if f, _ := decode(b, o); !slices.Equal(f.Entries(), want.Entries()) {
			t.Errorf("other entries with bit %d of byte %d flipped", at%8, at/8)
		}
	})
}

func TestTruncated(t *testing.T) {
	good := small(t)
	for n := range len(good) {
		_, err := decode(good[:n], ReadOptions{Threads: 1})
		var in *sketch.InputError
		refused(t, good[:n], ReadOptions{Threads: 1})
		if !errors.As(err, &in) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes: %v", n, len(good), err)
		}
	}
}

// TestShortReader: the size given is more than there is.
func TestShortReader(t *testing.T) {
	good := small(t)
	_, err := Open(bytes.NewReader(good), int64(len(good))+100, "x", ReadOptions{})
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// failing fails at the n-th write.
type failing struct{ n int }

var errDisk = errors.New("disk full")

func (f *failing) Write(b []byte) (int, error) {
	if f.n--; f.n < 0 {
		return 0, errDisk
	}
	return len(b), nil
}

// TestFailingWrites: an error of the underlying writer reaches the caller at
// the latest from Close, and stays.
func TestFailingWrites(t *testing.T) {
	items := slices.Repeat(smallItems(t), 300) // several row groups
	for n := 0; ; n++ {
		out := &failing{n: n}
		w := NewWriter(out, Options{})
		w.groupLimit = 1
		var err error
		for _, it := range items {
			if err = w.Write(it); err != nil {
				break
			}
		}
		first := w.Close()
		if out.n >= 0 {
			if err != nil || first != nil {
				t.Fatal(err, first)
			}
			if n < 5 {
				t.Fatalf("only %d writes", n)
			}
			return
		}
		if !errors.Is(first, errDisk) || !errors.Is(w.Close(), errDisk) || !errors.Is(w.Write(items[0]), errDisk) {
			t.Fatalf("write %d fails: Write %v, Close %v", n, err, first)
		}
	}
}
