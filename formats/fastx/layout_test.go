// SPDX-License-Identifier: Apache-2.0

package fastx

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A layout is one of the ways to write the same records down.
type layout struct {
	eol      string
	width    int    // of a line
	blank    string // between records and lines now and then; "" for none
	comments bool   // in FASTA
	repeat   bool   // the header behind '+'
	last     bool   // the last line has an end
}

func drawLayout(t *rapid.T) layout {
	return layout{
		eol:      rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "eol"),
		width:    rapid.SampledFrom([]int{1, 7, 60, 80, 1 << 20}).Draw(t, "width"),
		blank:    rapid.SampledFrom([]string{"", "", " ", "\t "}).Draw(t, "blank"),
		comments: rapid.Bool().Draw(t, "comments"),
		repeat:   rapid.Bool().Draw(t, "repeat"),
		last:     rapid.Bool().Draw(t, "last"),
	}
}

// write writes recs; those whose number is in fastq get a quality.
func (l layout) write(recs []rec, fastq map[int]bool) string {
	var b strings.Builder
	lines := func(s string) {
		for len(s) > l.width {
			b.WriteString(s[:l.width] + l.eol)
			s = s[l.width:]
		}
		b.WriteString(s + l.eol)
		if l.blank != "" {
			b.WriteString(l.blank + l.eol)
		}
	}
	for i, r := range recs {
		if !fastq[i] {
			b.WriteString(">" + r.header + l.eol)
			if l.comments {
				b.WriteString("; comment" + l.eol)
			}
			lines(r.seq)
			continue
		}
		b.WriteString("@" + r.header + l.eol)
		lines(r.seq)
		b.WriteString("+")
		if l.repeat {
			b.WriteString(r.header)
		}
		b.WriteString(l.eol)
		lines(quality(len(r.seq)))
	}
	if !l.last {
		return strings.TrimSuffix(b.String(), l.eol)
	}
	return b.String()
}

// quality has at line starts what misleads.
func quality(n int) string {
	return strings.Repeat("@+>;I", n/5+1)[:n]
}

// TestLayouts: what the records are does not depend on how they are laid out,
// nor on the window.
func TestLayouts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "records")
		var want []rec
		fastq := map[int]bool{}
		for i := range n {
			seq := strings.Repeat(rapid.StringMatching(`[ACGTNacgt*-]{0,9}`).Draw(t, "bases"), rapid.IntRange(0, 300).Draw(t, "times"))
			want = append(want, rec{rapid.StringMatching(`[!-~][ -~]{0,20}`).Draw(t, "header"), seq})
			fastq[i] = rapid.Bool().Draw(t, "fastq")
		}
		l := drawLayout(t)
		in := l.write(want, fastq)
		r := rapid.SampledFrom([]int{smallest, 64, 1000, windowSize}).Draw(t, "window")
		got, err := readAll(t, in, r)
		if err != nil {
			t.Fatal(err)
		}
		if l.eol == "\r\n" {
			for i := range got {
				got[i].header = strings.TrimSuffix(got[i].header, "\r")
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%q:\ngot\n%swant\n%s", in, describe(got), describe(want))
		}
	})
}
