// SPDX-License-Identifier: Apache-2.0

package minhash

// A path is one way to take minima, by the instructions that it needs.
type path struct {
	name      string
	available bool
	min32     func(mins, a, b, hashes []uint32)
	min64     func(mins, a, b, hashes []uint64)
}

// paths are all ways that this build knows, the fastest first; plain Go is the
// last.
var paths = append(vectorPaths, path{"go", true, min32Generic, min64Generic})

// chosen is the path in use.
var chosen = func() path {
	for _, p := range paths {
		if p.available {
			return p
		}
	}
	panic("unreachable")
}()

// min32 lowers mins, see min32Generic.
func min32(mins, a, b, hashes []uint32) {
	if len(hashes) > 0 {
		n := len(mins)
		chosen.min32(mins, a[:n], b[:n], hashes)
	}
}

// min64 lowers mins, see min64Generic.
func min64(mins, a, b, hashes []uint64) {
	if len(hashes) > 0 {
		n := len(mins)
		chosen.min64(mins, a[:n], b[:n], hashes)
	}
}
