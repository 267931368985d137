// SPDX-License-Identifier: Apache-2.0

package simhash

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// clustered returns fingerprints of which many are near to others.
func clustered(t testing.TB, r *rand.Rand, bits, n int) *List {
	t.Helper()
	l, err := NewList(bits)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		f := Fingerprint{r.Uint64(), r.Uint64()}
		if i > 0 && r.IntN(2) == 0 {
			f = near(r, l.At(r.IntN(i)), bits, r.IntN(12))
		}
		l.Add(f)
	}
	return l
}

// near flips n bits, some of them perhaps twice.
func near(r *rand.Rand, f Fingerprint, bits, n int) Fingerprint {
	for range n {
		i := r.IntN(bits)
		f[i/64] ^= 1 << (i % 64)
	}
	return f
}

// plain looks at each row by the definition.
func plain(l *List, f Fingerprint, distance int) []Match {
	var found []Match
	if l.bits == 64 {
		f[1] = 0
	}
	for row := range l.Len() {
		if d := l.At(row).Distance(f); d <= distance {
			found = append(found, Match{uint32(row), d})
		}
	}
	return found
}

// Neither search misses a row or finds one twice.
func TestWithin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, bits := range []int{64, 128} {
		for _, n := range []int{0, 1, 7, 511, 512, 513, 3000} {
			l := clustered(t, r, bits, n)
			for _, distance := range []int{0, 1, 2, 3, 5, 8, 31} {
				x, err := NewIndex(l, distance)
				if err != nil {
					t.Fatal(err)
				}
				if tables := len(x.tables); tables > maxTables || tables < 1 {
					t.Errorf("%d tables", tables)
				}
				for range 20 {
					f := Fingerprint{r.Uint64(), r.Uint64()}
					if n > 0 {
						f = near(r, l.At(r.IntN(n)), bits, r.IntN(distance+2))
					}
					d := r.IntN(distance + 1)
					want := plain(l, f, d)
					got, err := x.Within(nil, f, d)
					if err != nil || !slices.Equal(got, want) {
						t.Fatalf("%d bits, %d rows, %d of distance %d: %v, %v; want %v", bits, n, d, distance, got, err, want)
					}
					if got := l.Within(nil, f, d); !slices.Equal(got, want) {
						t.Fatalf("%d bits, %d rows, distance %d: %v, want %v", bits, n, d, got, want)
					}
				}
			}
		}
	}
}

func TestIndexRefuses(t *testing.T) {
	l := clustered(t, rand.New(rand.NewPCG(2, 1)), 64, 10)
	x, err := NewIndex(l, 3)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Within(nil, Fingerprint{}, 4); err == nil {
		t.Error("a distance that rows may be missed at is accepted")
	}
	for _, d := range []int{-1, maxTables} {
		if _, err := NewIndex(l, d); err == nil {
			t.Errorf("distance %d is accepted", d)
		}
	}
	if _, err := NewList(100); err == nil {
		t.Error("100 bits are accepted")
	}
}

func BenchmarkWithin(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, bits := range []int{64, 128} {
		l := clustered(b, r, bits, 1<<20)
		x, err := NewIndex(l, 3)
		if err != nil {
			b.Fatal(err)
		}
		var dst []Match
		b.Run(fmt.Sprintf("bits=%d/scan", bits), func(b *testing.B) {
			b.SetBytes(int64(8 * len(l.words)))
			for i := 0; b.Loop(); i++ {
				dst = l.Within(dst[:0], l.At(i%l.Len()), 3)
			}
		})
		b.Run(fmt.Sprintf("bits=%d/index/tables=%d", bits, len(x.tables)), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				dst, _ = x.Within(dst[:0], l.At(i%l.Len()), 3)
			}
		})
	}
}
