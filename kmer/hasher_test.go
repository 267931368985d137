// SPDX-License-Identifier: Apache-2.0

package kmer_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/kmer"
	"github.com/gsketch/gsketch/sketch"
)

const everything = ^uint64(0)

// onEveryPath runs the test on each path that the CPU has.
func onEveryPath(t *testing.T, test func(*testing.T)) {
	for _, name := range kmer.PathNames {
		t.Run(name, func(t *testing.T) {
			kmer.UsePath(t, name)
			test(t)
		})
	}
}

// drain returns all hashes up to bound, asked for in batches.
func drain(t testing.TB, h *kmer.Hasher, batch int, bound uint64) []uint64 {
	t.Helper()
	var all []uint64
	dst := make([]uint64, batch)
	for {
		n, err := h.Next(dst, bound)
		all = append(all, dst[:n]...)
		if err == io.EOF {
			return all
		}
		if err != nil || n != batch {
			t.Fatalf("Next = %d, %v: neither full nor at the end", n, err)
		}
	}
}

// A recipe says which hashes of a sequence are wanted.
type recipe struct {
	k         int
	canonical bool
	bits      int
	seed      uint32
}

func (r recipe) hasher() *kmer.Hasher {
	return kmer.NewHasher(r.k, r.canonical, r.bits, r.seed)
}

// reference hashes every window of the records by the specification.
func (r recipe) reference(records []string, bound uint64) (hashes []uint64, stats sketch.Stats) {
	canonical := make([]byte, r.k)
	for _, record := range records {
		letters := []byte(record)
		for i, c := range letters {
			if 'a' <= c && c <= 'z' {
				letters[i] = c - 'a' + 'A'
			}
		}
		for i := 0; i+r.k <= len(letters); i++ {
			window := letters[i : i+r.k]
			stats.Elements++
			if len(bytes.Trim(window, "ACGT")) > 0 {
				stats.Skipped++
				continue
			}
			if r.canonical {
				kmer.Canonical(canonical, window)
				window = canonical
			}
			h := kmer.Hash(window, r.seed)
			if r.bits == 32 {
				h &= 1<<32 - 1
			}
			if h <= bound {
				hashes = append(hashes, h)
			}
		}
	}
	return hashes, stats
}

// randomBases returns n letters of which a share of bad is not a base.
func randomBases(rng *rand.Rand, n int, bad float64) string {
	s := make([]byte, n)
	for i := range s {
		s[i] = "ACGTacgt"[rng.IntN(8)]
		if rng.Float64() < bad {
			s[i] = "NnRYK-*Uu\x00\x80\xff@[`{"[rng.IntN(16)]
		}
	}
	return string(s)
}

// fill appends the records to blocks of the given capacity, in random pieces
// and with white space strewn in, and calls use for each block.
func fill(rng *rand.Rand, capacity, overlap int, records []string, use func(*kmer.Block)) {
	b, next := kmer.NewBlock(capacity), kmer.NewBlock(capacity)
	for _, record := range records {
		for len(record) > 0 {
			n := min(len(record), 1+rng.IntN(200))
			piece := []byte(record[:n])
			if rng.IntN(2) == 0 {
				at := rng.IntN(n + 1)
				piece = slices.Insert(piece, at, []byte("\r\n"[rng.IntN(2):])...)
			}
			record = record[n:]
			for len(piece) > 0 {
				if b.Full() {
					use(b)
					b.Carry(next, overlap)
					b, next = next, b
				}
				piece = piece[b.Append(piece):]
			}
		}
		b.EndRecord()
	}
	use(b)
}

func checkSame(t *testing.T, what string, got, want []uint64) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s: hash %d of %d is %d, want %d of %d", what, i, len(got), got[i], want[i], len(want))
		}
	}
	t.Fatalf("%s: %d hashes, want %d", what, len(got), len(want))
}

// TestLengths: one record of every length around the width of a vector, a
// word, a tile.
func TestLengths(t *testing.T) { onEveryPath(t, testLengths) }

func testLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	lengths := []int{255, 256, 257, 319, 320, 321, 511, 512, 513, 4095, 4096, 4097, 4160}
	for n := range 140 {
		lengths = append(lengths, n)
	}
	for _, k := range []int{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 21, 24, 25, 28, 29, 30, 31, 32, 33, 40, 41, 48, 49, 51, 57, 63, 64} {
		for _, n := range lengths {
			r := recipe{k: k, canonical: n%3 > 0, bits: 64, seed: 42}
			record := randomBases(rng, n, 0)
			h := r.hasher()
			b := kmer.NewBlock(max(1, n))
			if got := b.Append([]byte(record)); got != n {
				t.Fatalf("Append took %d of %d", got, n)
			}
			h.Reset(b)
			want, stats := r.reference([]string{record}, everything)
			checkSame(t, fmt.Sprintf("%+v length %d", r, n), drain(t, h, 512, everything), want)
			if h.Stats() != stats {
				t.Fatalf("%+v length %d: %+v, want %+v", r, n, h.Stats(), stats)
			}
		}
	}
}

// TestEveryK: records with bad bases everywhere, for every k, width, strand
// rule, a few seeds and bounds from nothing to everything.
func TestEveryK(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for k := 1; k <= kmer.MaxK; k++ {
		for _, bad := range []float64{0.002, 0.05} {
			var records []string
			for range 5 {
				records = append(records, randomBases(rng, rng.IntN(200), bad))
			}
			records = append(records, randomBases(rng, 1200, bad/20))
			for _, r := range []recipe{{k, true, 64, 42}, {k, true, 32, 42}, {k, false, 64, 4000000000}, {k, false, 32, 7}} {
				all, stats := r.reference(records, everything)
				for _, path := range kmer.PathNames {
					if !kmer.HasPath(path) {
						continue
					}
					kmer.UsePath(t, path)
					var b *kmer.Block
					fill(rng, 10000, 0, records, func(full *kmer.Block) { b = full })
					for _, bound := range []uint64{0, 1 << 28, everything / 1000, everything / 30, everything} {
						h := r.hasher()
						h.Reset(b)
						what := fmt.Sprintf("%s %+v bad %v bound %d", path, r, bad, bound)
						checkSame(t, what, drain(t, h, 100, bound), atMost(all, bound))
						if h.Stats() != stats {
							t.Fatalf("%s: %+v, want %+v", what, h.Stats(), stats)
						}
					}
				}
			}
		}
	}
}

func atMost(hashes []uint64, bound uint64) []uint64 {
	return slices.DeleteFunc(slices.Clone(hashes), func(h uint64) bool { return h > bound })
}

// TestCarry: records that go on over many blocks, with several k over the same
// blocks; each window is hashed once.
func TestCarry(t *testing.T) { onEveryPath(t, testCarry) }

func testCarry(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, capacity := range []int{1, 2, 31, 64, 129, 1000} {
		for _, overlap := range []int{0, 1, 20, 31, 63} {
			var records []string
			for range 6 {
				records = append(records, randomBases(rng, rng.IntN(70), 0.01), "", randomBases(rng, rng.IntN(100+capacity), 0.01))
			}
			var recipes []recipe
			var hashers []*kmer.Hasher
			for k := 1; k <= overlap+1; k += 1 + rng.IntN(20) {
				recipes = append(recipes, recipe{k, true, 64, 42})
			}
			recipes = append(recipes, recipe{overlap + 1, true, 64, 42})
			for _, r := range recipes {
				hashers = append(hashers, r.hasher())
			}
			got := make([][]uint64, len(recipes))
			letters := uint64(0)
			fill(rng, capacity, overlap, records, func(b *kmer.Block) {
				letters += b.Bases()
				for i, h := range hashers {
					h.Reset(b)
					got[i] = append(got[i], drain(t, h, 7, everything)...)
				}
			})
			for i, r := range recipes {
				want, stats := r.reference(records, everything)
				what := fmt.Sprintf("k=%d capacity %d overlap %d", r.k, capacity, overlap)
				checkSame(t, what, got[i], want)
				if hashers[i].Stats() != stats {
					t.Errorf("%s: %+v, want %+v", what, hashers[i].Stats(), stats)
				}
			}
			total := 0
			for _, r := range records {
				total += len(r)
			}
			if letters != uint64(total) {
				t.Errorf("%d letters in blocks, want %d", letters, total)
			}
		}
	}
}

// TestBounds: the bound may differ from call to call, and rise.
func TestBounds(t *testing.T) { onEveryPath(t, testBounds) }

func testBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, k := range []int{11, 21, 51} {
		r := recipe{k, true, 64, 42}
		record := randomBases(rng, 20000, 0.001)
		all, _ := r.reference([]string{record}, everything)
		b := kmer.NewBlock(len(record))
		b.Append([]byte(record))
		h := r.hasher()
		h.Reset(b)
		for place := 0; ; {
			bound := everything >> rng.IntN(14)
			dst := make([]uint64, 1+rng.IntN(100))
			n, err := h.Next(dst, bound)
			var want []uint64
			for len(want) < len(dst) && place < len(all) {
				if all[place] <= bound {
					want = append(want, all[place])
				}
				place++
			}
			checkSame(t, fmt.Sprintf("k=%d before hash %d, bound %d", k, place, bound), dst[:n], want)
			if err == io.EOF {
				if place < len(all) {
					t.Fatalf("end at %d of %d", place, len(all))
				}
				break
			}
		}
	}
}

func TestNoAllocations(t *testing.T) { onEveryPath(t, testNoAllocations) }

func testNoAllocations(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	text := []byte(randomBases(rng, 10000, 0.001))
	b := kmer.NewBlock(1 << 14)
	dst := make([]uint64, 512)
	for _, k := range []int{21, 51} {
		h := kmer.NewHasher(k, true, 64, 42)
		for _, bound := range []uint64{everything / 1000, everything} {
			if n := testing.AllocsPerRun(5, func() {
				b.Reset()
				b.Append(text)
				b.EndRecord()
				h.Reset(b)
				for err := error(nil); err == nil; {
					_, err = h.Next(dst, bound)
				}
			}); n != 0 {
				t.Errorf("k=%d bound %d: %v allocations", k, bound, n)
			}
		}
	}
}

// Each gives the hashes that Next gives, where the reference has them.
func TestEachHasPositions(t *testing.T) { onEveryPath(t, eachHasPositions) }

func eachHasPositions(t *testing.T) {
	text := bytes.Repeat([]byte("ACGTTGCATNGGATCCTTAGACCAGATTACA"), 400)
	for i := range text {
		if i%37 == 0 {
			text[i] = "ACGT"[i%4]
		}
	}
	for _, k := range []int{1, 4, 15, 21, 33, 64} {
		for _, bound := range []uint64{1 << 55, 1 << 62, 1<<64 - 1} {
			b := kmer.NewBlock(len(text))
			b.Append(text)
			h := kmer.NewHasher(k, true, 64, 42)
			h.Reset(b)
			n := 0
			h.Each(bound, func(pos int, hash uint64) {
				canonical := make([]byte, k)
				kmer.Canonical(canonical, text[pos:pos+k])
				if want := kmer.Hash(canonical, 42); hash != want {
					t.Fatalf("k = %d: %d at %d, want %d", k, hash, pos, want)
				}
				n++
			})
			h.Reset(b)
			want, dst := 0, make([]uint64, 100)
			for {
				got, err := h.Next(dst, bound)
				want += got
				if err != nil {
					break
				}
			}
			if n != want {
				t.Fatalf("k = %d, bound %d: %d hashes, want %d", k, bound, n, want)
			}
		}
	}
}
