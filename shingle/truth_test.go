// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gsketch/gsketch/internal/shared"
	"github.com/gsketch/gsketch/sketch"
)

// newText returns a Shingler of a recipe with the default hash.
func newText(t testing.TB, recipe string) *Shingler {
	t.Helper()
	s, err := New(sketch.Elements{Molecule: sketch.Text, Recipe: recipe}, sketch.Hash{Algorithm: XXH3, Bits: 64}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// setOf returns the hashes of the elements of a document, sorted, each once.
func setOf(t testing.TB, s *Shingler, doc []byte) []uint64 {
	t.Helper()
	s.Reset(doc)
	all, err := AppendAll(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// overlap returns the sizes of intersection and union.
func overlap(a, b []uint64) (shared, union int) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			shared++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return shared, len(a) + len(b) - shared
}

// TestTruth holds the sets of all pairs of real documents against their exact
// intersections and unions, which a Python program and a C++ program made from
// another hash of the same definition of shingles.
func TestTruth(t *testing.T) {
	docs := corpus(t)
	for _, c := range []struct{ recipe, same, truth string }{
		{"words=5/norm=0", "words=5/norm=1", "word5"}, // all of the corpus is in NFC
		{"chars=5/norm=0/space=one", "chars=5/norm=1", "char5"},
	} {
		t.Run(c.truth, func(t *testing.T) {
			s, same := newText(t, c.recipe), newText(t, c.same)
			sets := make([][]uint64, len(docs))
			for i, d := range docs {
				sets[i] = setOf(t, s, d)
				if !slices.Equal(setOf(t, same, d), sets[i]) {
					t.Errorf("document %d: %s and %s differ", i, c.recipe, c.same)
				}
			}
			var got []string
			for i := range sets {
				for j := i + 1; j < len(sets); j++ {
					if !halfAlike(sets[i], sets[j]) {
						continue
					}
					if shared, union := overlap(sets[i], sets[j]); 2*shared >= union {
						got = append(got, fmt.Sprintf("%d\t%d\t%d\t%d", i, j, shared, union))
					}
				}
			}
			want := strings.Split(strings.TrimSpace(string(unzip(t, shared.Path(t, "data", "text", "spdx."+c.truth+".truth.tsv.gz")))), "\n")
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%d pairs, want %d; first difference: %s", len(got), len(want), firstDifference(got, want))
			}
		})
	}
}

// halfAlike says whether the Jaccard index of two sets may be 1/2 or more: such
// sets share an element among the first n - ceil(n/2) + 1 of each, in any order
// common to both (Chaudhuri, Ganti and Kaushik 2006, doi:10.1109/ICDE.2006.9),
// and the smaller has at least half as many as the larger.
func halfAlike(a, b []uint64) bool {
	if 2*min(len(a), len(b)) < max(len(a), len(b)) || len(a) == 0 {
		return false
	}
	a, b = a[:len(a)/2+1], b[:len(b)/2+1]
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

func firstDifference(got, want []string) string {
	for i := range got {
		if i >= len(want) || got[i] != want[i] {
			return fmt.Sprintf("place %d: %q", i, got[i])
		}
	}
	return "the end"
}

// corpus returns the texts of the licences of SPDX.
func corpus(t testing.TB) [][]byte {
	t.Helper()
	var docs [][]byte
	sc := bufio.NewScanner(bytes.NewReader(unzip(t, shared.Path(t, "data", "text", "spdx.jsonl.gz"))))
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		var d struct{ Text string }
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, []byte(d.Text))
	}
	return docs
}

func unzip(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return data
}
