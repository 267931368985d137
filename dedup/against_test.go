// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// A corpus that grows: of the new documents those are kept that one run over
// old and new would keep, if the old are preferred; old ones are not judged.
func TestAgainstIsOneRunOverAll(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		docs := drawDocs(t)
		n := rapid.IntRange(0, len(docs)).Draw(t, "old")
		for i := range docs {
			docs[i].ID = fmt.Sprintf("%c%02d", 'a'+rune(min(i/max(n, 1), 1)), i)
			if n == 0 {
				docs[i].ID = fmt.Sprintf("b%02d", i)
			}
		}
		old, added := filepath.Join(dir, "old.jsonl"), filepath.Join(dir, "added.jsonl")
		writeDocs(t, old, docs[:n])
		writeDocs(t, added, docs[n:])
		o := every(rapid.SampledFrom([]float64{0.3, 0.5, 0.8, 1}).Draw(t, "threshold"))
		want := bruteForce(docs, o.Threshold)
		o.Against = []string{old}
		r, err := Run(context.Background(), o, []string{added})
		if err != nil {
			t.Fatal(err)
		}
		judged := 0
		for d := range r.Manifest() {
			judged++
			if d.ID != docs[n+int(d.Row)].ID || d.Keep != want[d.ID].Keep {
				t.Fatalf("got %+v\nwant %+v\n%v, %d old", d, want[d.ID], docs, n)
			}
			if !d.Keep && (d.Reason == InReference) != (d.KeptID[0] == 'a') {
				t.Fatalf("%+v", d)
			}
		}
		if judged != len(docs)-n || r.Counts.References != n {
			t.Fatalf("%d judged, %+v", judged, r.Counts)
		}
	})
}
