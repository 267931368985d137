// SPDX-License-Identifier: Apache-2.0

package sig

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestUintsLimit has arrays that would take more memory than bytes in the
// file, and one that may go on.
func TestUintsLimit(t *testing.T) {
	for _, c := range []struct {
		text      string
		grows     bool
		n         int // 0: refused
		ascending bool
	}{
		{"[1,2,3,4,5]", true, 5, true},
		{"[1,2,3,4,5]", false, 0, false},
		{"[1,2,4,3]", true, 0, false},
		{"[0,0,0,0]", true, 0, false},
		{"[3,2,1]", true, 3, false},
		{"[3,2,1]", false, 3, false},
		{"[ ]", false, 0, true},
	} {
		numbers, ascending, err := newScanner(strings.NewReader(c.text)).uints(3, c.grows)
		if refused := c.n == 0 && !c.ascending; refused != (err != nil) || !refused && (len(numbers) != c.n || ascending != c.ascending) {
			t.Errorf("%s, grows %t: %v, ascending %t, %v", c.text, c.grows, numbers, ascending, err)
		}
	}
}

// TestUintBounds has the numbers about 2^64, also where a buffer ends within.
func TestUintBounds(t *testing.T) {
	text := "[0,9,18446744073709551614,18446744073709551615,1844674407370955161]"
	want := []uint64{0, 9, 1<<64 - 2, 1<<64 - 1, 1844674407370955161}
	for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
		numbers, _, err := newScanner(r).uints(100, false)
		if err != nil || !slices.Equal(numbers, want) {
			t.Errorf("%v, %v", numbers, err)
		}
	}
	for _, bad := range []string{"18446744073709551616", "18446744073709551620", "99999999999999999999", "184467440737095516150", "1.0", "1e2", "-1", "00", "01", "", "x"} {
		if n, err := newScanner(strings.NewReader(bad + ",")).uint(); !errors.Is(err, errWhole) {
			t.Errorf("%q: %d, %v", bad, n, err)
		}
	}
}

// TestReaderError passes on what the file system says.
func TestReaderError(t *testing.T) {
	broken := errors.New("disk on fire")
	r := io.MultiReader(strings.NewReader(`[{"signatures":[{"mins":[1,2`), iotest.ErrReader(broken))
	if _, err := Read(r, "x.sig"); !errors.Is(err, broken) {
		t.Error(err)
	}
}
