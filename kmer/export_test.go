// SPDX-License-Identifier: Apache-2.0

package kmer

import "testing"

// PathNames are all paths that there are on any machine.
var PathNames = []string{"avx512", "avx2", "go"}

// HasPath says whether this CPU and this build have the path.
func HasPath(name string) bool {
	_, ok := find(name)
	return ok
}

func find(name string) (path, bool) {
	for _, p := range paths {
		if p.name == name {
			return p, p.available
		}
	}
	return path{}, false
}

// UsePath makes new Blocks and Hashers take the path until the test ends. It
// skips the test where there is no such path.
func UsePath(t testing.TB, name string) {
	p, ok := find(name)
	if !ok {
		t.Skipf("SKIPPED: this CPU or this build lacks path %s", name)
	}
	before := chosen
	chosen = p
	t.Cleanup(func() { chosen = before })
}
