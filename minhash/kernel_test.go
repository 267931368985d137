// SPDX-License-Identifier: Apache-2.0

package minhash

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gsketch/gsketch/internal/mix"
	"github.com/gsketch/gsketch/sketch"
)

// sizes are lengths around those of vectors, groups and batches.
var sizes = []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 511, 512, 513}

// Every path against the plain definition, for numbers of slots around those
// that fill groups, and extreme values among the hashes.
func TestPaths(t *testing.T) {
	for _, p := range paths {
		t.Run(p.name, func(t *testing.T) {
			if !p.available {
				t.Skipf("SKIPPED: this processor has no %s", p.name)
			}
			r := rand.New(rand.NewPCG(1, 1))
			for _, k := range []int{1, 8, 9, 16, 17, 24, 32, 40, 48, 64, 65, 80, 96, 128, 144, 160, 1000} {
				for _, n := range sizes {
					check(t, r, "32 bits", k, n, lanes32, p.min32, func(v uint64) uint32 { return uint32(v) },
						func(a, b, h uint32) uint32 { return a*h + b })
					check(t, r, "64 bits", k, n, lanes64, p.min64, func(v uint64) uint64 { return v },
						func(a, b, h uint64) uint64 { return a*h + b })
				}
			}
		})
	}
}

func check[T uint32 | uint64](t *testing.T, r *rand.Rand, name string, k, n, lanes int,
	kernel func(mins, a, b, hashes []T), cast func(uint64) T, value func(a, b, h T) T) {
	t.Helper()
	draw := func(n int) []T {
		out := make([]T, n)
		for i := range out {
			switch r.IntN(20) {
			case 0:
				out[i] = ^T(0)
			case 1:
				out[i] = 0
			case 2:
				out[i] = cast(1 << r.IntN(64))
			default:
				out[i] = cast(r.Uint64())
			}
		}
		return out
	}
	k = groups(k, lanes)
	a, b, hashes := draw(k), draw(k), draw(n)
	mins := full[T](k, lanes)
	if r.IntN(2) == 0 {
		mins = draw(k)
	}
	want := slices.Clone(mins)
	for i := range want {
		for _, h := range hashes {
			want[i] = min(want[i], value(a[i], b[i], h))
		}
	}
	kernel(mins, a, b, hashes)
	if !slices.Equal(mins, want) {
		t.Fatalf("%s, %d slots, %d hashes:\n got %v\nwant %v", name, k, n, mins, want)
	}
}

func BenchmarkKPerm(b *testing.B) {
	hashes := make([]uint64, 1000)
	for i := range hashes {
		hashes[i] = mix.Bits64(uint64(i))
	}
	defer func(p path) { chosen = p }(chosen)
	for _, scheme := range schemes {
		for _, p := range paths {
			if !p.available || (scheme == sketch.Legacy || scheme == sketch.Milvus) && p.name != "go" {
				continue
			}
			b.Run(fmt.Sprintf("%s/k=128/hashes=1000/%s", scheme, p.name), func(b *testing.B) {
				chosen = p
				k := builder(b, kpermParams(scheme, 1, 128)).(*KPermBuilder)
				b.ReportAllocs()
				for b.Loop() {
					k.permuter.reset()
					k.AddHashes(hashes)
				}
			})
		}
	}
}

func BenchmarkAgree(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, k := range []int{128, 256, 512, 1024} {
		for _, bits := range []int{1, 2, 4, 8, 16} {
			width := planeWidth(k)
			x, y := make([]uint64, width*bits), make([]uint64, width*bits)
			for i := range x {
				x[i], y[i] = r.Uint64(), r.Uint64()
			}
			for name, f := range map[string]func(a, b []uint64, width int) int{"chosen": differing, "go": differingGeneric} {
				b.Run(fmt.Sprintf("k=%d/bits=%d/%s", k, bits, name), func(b *testing.B) {
					for b.Loop() {
						f(x, y, width)
					}
				})
			}
		}
	}
}
