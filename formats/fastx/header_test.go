// SPDX-License-Identifier: Apache-2.0

package fastx

import "testing"

// The names and comments are those that Mash 2.3 stores for such headers.
func TestSplit(t *testing.T) {
	for _, c := range []struct{ header, name, comment string }{
		{"s1", "s1", ""},
		{"", "", ""},
		{"b1  two  spaces\tand tab", "b1", " two  spaces\tand tab"},
		{"c1 first record with CRLF\r", "c1", "first record with CRLF\r"},
		{"c2\r", "c2", ""},
		{"s2\ttabbed\tcomment", "s2", "tabbed\tcomment"},
		{" lead", "", "lead"},
		{"s4 ", "s4", ""},
		{"b3 \"quoted\" back\\slash", "b3", "\"quoted\" back\\slash"},
	} {
		name, comment := Split([]byte(c.header))
		if name != c.name || comment != c.comment {
			t.Errorf("Split(%q) = %q, %q, want %q, %q", c.header, name, comment, c.name, c.comment)
		}
	}
}
