// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// What is told to lie in another is kept in favour of a document that is kept;
// the containment is that of the shingles; and no two documents are kept of
// which the larger has the share asked for of the smaller.
func TestContainedIsTheTruth(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		docs := drawDocs(t)
		o := every(0.9)
		o.Containment = rapid.SampledFrom([]float64{0.3, 0.5, 0.8, 1}).Draw(t, "containment")
		path := filepath.Join(dir, "docs.jsonl")
		writeDocs(t, path, docs)
		got := byID(t, o, path)
		sets := map[string]map[string]bool{}
		for _, d := range docs {
			sets[d.ID] = bigrams(d.Text)
		}
		share := func(a, b string) float64 { // of a's shingles, those that b has
			n := 0
			for x := range sets[a] {
				if sets[b][x] {
					n++
				}
			}
			return float64(n) / float64(len(sets[a]))
		}
		for a, d := range got {
			if !got[d.KeptID].Keep {
				t.Fatalf("%+v: not kept either", d)
			}
			if d.Reason == Contained && d.Containment == d.Containment && (d.Containment != share(a, d.KeptID) || d.Containment < o.Containment) {
				t.Fatalf("%+v: containment is %v", d, share(a, d.KeptID))
			}
			for b, other := range got {
				if a != b && d.Keep && other.Keep && len(sets[a]) > 0 && len(sets[a]) <= len(sets[b]) && share(a, b) >= o.Containment {
					t.Fatalf("%s and %s are kept at %v; %s has %v of %s", a, b, o.Containment, b, share(a, b), a)
				}
			}
		}
	})
}
