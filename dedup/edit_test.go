// SPDX-License-Identifier: Apache-2.0

package dedup

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// letters are texts of few different words, so that much agrees.
var letters = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "C", "é", "漢"}), 0, 30).Draw(t, "words"), " ")
})

// levenshtein is the distance by its recurrence.
func levenshtein(a, b []word) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			change := diagonal
			if a[i].hash != b[j].hash {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func TestEditsAreLevenshteinDistances(t *testing.T) {
	var rows [3][]int
	rapid.Check(t, func(t *rapid.T) {
		a, b := wordsOf(nil, []byte(letters.Draw(t, "a"))), wordsOf(nil, []byte(letters.Draw(t, "b")))
		most := rapid.IntRange(0, 40).Draw(t, "most")
		want := min(levenshtein(a, b), most+1)
		if got := edits(a, b, most, &rows); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}

// Matches are runs of equal words of at least the width, in order in a, and no
// run that both have is missed but where words of a lie in a match already.
func TestMatchesAreAllSharedRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := wordsOf(nil, []byte(letters.Draw(t, "a"))), wordsOf(nil, []byte(letters.Draw(t, "b")))
		width := rapid.IntRange(1, 4).Draw(t, "width")
		found := matches(a, b, width)
		least := min(width, len(a), len(b))
		in := make([]bool, len(a))
		at := 0
		for _, m := range found {
			if m.n < least || m.a < at {
				t.Fatalf("%v after word %d", m, at)
			}
			for i := range m.n {
				if a[m.a+i].hash != b[m.b+i].hash {
					t.Fatalf("%v: word %d differs", m, i)
				}
				in[m.a+i] = true
			}
			at = m.a + m.n
		}
		for i := 0; least > 0 && i+least <= len(a); i++ {
			for j := 0; j+least <= len(b); j++ {
				same := slices.EqualFunc(a[i:i+least], b[j:j+least], func(x, y word) bool { return x.hash == y.hash })
				if same && !in[i] {
					t.Fatalf("words %d of a and %d of b are in no match: %v", i, j, found)
				}
			}
		}
	})
}

// The spans of a text are the text, in order, whatever is marked.
func TestSpansAreTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat(rapid.StringN(0, 60, -1).Draw(t, "text"), rapid.IntRange(1, 400).Draw(t, "times"))
		marks := rapid.SliceOfN(rapid.IntRange(0, len(text)), 0, 6).Draw(t, "marks")
		slices.Sort(marks)
		var marked [][2]int
		for i := 0; i+1 < len(marks); i += 2 {
			marked = append(marked, [2]int{marks[i], marks[i+1]})
		}
		var b strings.Builder
		for _, s := range cut([]byte(text), marked) {
			b.WriteString(s.Text)
		}
		got, long := strings.CutSuffix(b.String(), " …")
		if len(text) <= mostShown && b.String() == text {
			return
		}
		if !long || !strings.HasPrefix(text, got) || len(got) > mostShown || len(got) < mostShown-4 {
			t.Fatalf("%d of %d bytes", len(got), len(text))
		}
	})
}
