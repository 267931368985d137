// SPDX-License-Identifier: Apache-2.0

package kmer

// A kernel hashes windows by one scheme, bad bases or not. Window i is the k
// bases from base i of codes on; codes are readable for another 512 bases
// (beyond) after the last window's first.
type kernel interface {
	// near sets bit i of hits if the hash of window i is at most bound, and
	// for a few windows whose hash is above. There are
	// 64*len(hits) windows. All 64 bits of the hash count, and bound is at
	// most maxNear.
	near(hits, codes []uint64, bound uint64)

	// hashes sets dst[i] to all 64 bits of the hash of window i. len(dst) is a
	// multiple of 64.
	hashes(dst, codes []uint64)

	// pick copies to dst the hashes i of which bit i of hits is set, if they
	// are at most bound once the bits outside mask are cleared, and returns how
	// many there are. It may overwrite all of dst.
	pick(dst, hashes *[64]uint64, hits, mask, bound uint64) int
}

// maxNear is the largest bound for near: beyond it so many windows pass that
// hashing all of them once is faster than hashing those twice.
const maxNear = 1<<58 - 1

// A path is one way to do the work, by the instructions that it needs.
type path struct {
	name      string
	available bool
	kernel    func(scheme) kernel
	pack      func(b *Block, text []byte) int // Block.pack
}

// paths are all ways that this build knows, the fastest first; plain Go is the last.
var paths = append(vectorPaths, path{"go", true, newGenericKernel, (*Block).packGeneric})

// chosen is the path in use. Tests set it to every other in turn.
var chosen = func() path {
	for _, p := range paths {
		if p.available {
			return p
		}
	}
	panic("unreachable")
}()
