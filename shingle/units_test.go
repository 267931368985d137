// SPDX-License-Identifier: Apache-2.0

package shingle

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzUnits(f *testing.F) {
	f.Add("section", true, []byte("<h1>A</h1>x<h2>B</h2>y"))
	f.Add("section", false, []byte("# A\nx\nB\n---\ny\n"))
	f.Add("passage=3,2", false, []byte("a b c d e f"))
	f.Add("paragraph", true, []byte("<p>a<p>b"))
	f.Fuzz(func(t *testing.T, spelling string, isHTML bool, doc []byte) {
		u, err := ParseUnits(spelling)
		if err != nil {
			return
		}
		u.HTML = isHTML
		end := 0
		for i, unit := range u.Split(doc) {
			if !bytes.Equal(unit.Text, doc[unit.Start:unit.End]) || !utf8.ValidString(unit.Title) || len(unit.Title) > 200 {
				t.Fatalf("%s of %q: %+v", spelling, doc, unit)
			}
			if u.Of != Passages && unit.Start < end || i > 0 && unit.End < end {
				t.Fatalf("%s of %q: unit %d begins at %d, before the last ended at %d", spelling, doc, i, unit.Start, end)
			}
			end = unit.End
		}
	})
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		unit string
		html bool
		doc  string
		want string // texts without white space around, titles after "@", separated by "|"
	}{
		{"document", false, " a b ", "a b"},
		{"document", false, "", ""},
		{"section", false, "intro\n\n# One #\ntext\n```\n# no heading\n```\n## Two\nmore\nThree\n=====\nlast\n\n---\nrule", "intro|# One #\ntext\n```\n# no heading\n```@One|## Two\nmore@Two|Three\n=====\nlast\n\n---\nrule@Three"},
		{"section", false, "#hashtag and\n#!/bin/sh", "#hashtag and\n#!/bin/sh"},
		{"section", true, "<p>intro</p><h1>One <b>two</b></h1>text<h2></h2><hr>", "<p>intro</p>|<h1>One <b>two</b></h1>text@One two"},
		{"paragraph", false, "a\nb\n\n \n...\n\nc", "a\nb|c"},
		{"paragraph", true, "<p>a<b>b</b><p>c<br>d<p></p>", "<p>a<b>b</b>|<p>c|<br>d"},
		{"passage=3", false, "“a b, c.” d e", "a b, c.”|d e"},
		{"passage=3,1", false, "a b c d e", "a b c|b c d|c d e"},
		{"passage=9", false, " a b", "a b"},
		{"passage=2", true, "<p class=x>a b<i>c</i>", "a b<i>|c</i>"},
		{"passage=2", false, "", ""},
	} {
		u, err := ParseUnits(c.unit)
		if err != nil {
			t.Fatal(err)
		}
		u.HTML = c.html
		var got []string
		for _, unit := range u.Split([]byte(c.doc)) {
			s := strings.TrimSpace(string(unit.Text))
			if unit.Title != "" {
				s += "@" + unit.Title
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s of %q:\n%q, want\n%q", c.unit, c.doc, s, c.want)
		}
	}
	for _, bad := range []string{"", "word", "section=2", "passage", "passage=0", "passage=3,4", "passage=3,0", "passage=a"} {
		if u, err := ParseUnits(bad); err == nil {
			t.Errorf("%q: accepted as %+v", bad, u)
		}
	}
}
