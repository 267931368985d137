// SPDX-License-Identifier: Apache-2.0

package kmer

import "testing"

// PathNames are all paths that there are on any machine.
var PathNames = []string{"avx512", "avx2", "go"}

// UsePath makes new Blocks and Hashers take the path until the test ends. It
// skips the test where the CPU or the build lacks the path.
func UsePath(t testing.TB, name string) {
	for _, p := range paths {
		if p.name == name && p.available {
			before := chosen
			chosen = p
			t.Cleanup(func() { chosen = before })
			return
		}
	}
	t.Skipf("SKIPPED: this CPU or this build lacks path %s", name)
}
