// SPDX-License-Identifier: Apache-2.0

package python

import (
	"math"
	"testing"
)

// The right hand sides are what Python 3.11 prints.
func TestFloat(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.0", 1: "1.0", 0.1: "0.1", 1e-4: "0.0001", 1e-5: "1e-05", 1e15: "1000000000000000.0", 1e16: "1e+16",
		sum(0.1, 0.2): "0.30000000000000004", math.Pi: "3.141592653589793", -2.5e-7: "-2.5e-07", 1.5e300: "1.5e+300",
	} {
		if got := Float(v); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
}

func TestAppendRow(t *testing.T) {
	for _, c := range []struct {
		delimiter byte
		cells     []string
		want      string
	}{
		{',', []string{"a", " b", ""}, "a, b,\r\n"},
		{',', []string{"a,b", `c"d`, "e\nf", "g\th"}, "\"a,b\",\"c\"\"d\",\"e\nf\",g\th\r\n"},
		{'\t', []string{"a,b", "g\th"}, "a,b\t\"g\th\"\r\n"},
		{',', []string{""}, "\"\"\r\n"},
	} {
		if got := string(AppendRow(nil, c.delimiter, c.cells)); got != c.want {
			t.Errorf("%q: got %q, want %q", c.cells, got, c.want)
		}
	}
}

// sum is computed at run time: constants are exact.
func sum(a, b float64) float64 { return a + b }
