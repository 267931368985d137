// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"strconv"
	"strings"
)

// field makes a string fit for a cell of a tab-separated table: tabs and line
// ends would change the number of columns or rows, so they become spaces.
func field(s string) string {
	if !strings.ContainsAny(s, "\t\r\n") {
		return s
	}
	return strings.NewReplacer("\t", " ", "\r", "", "\n", " ").Replace(s)
}

// appendG appends v as C's printf does with %g: 6 significant digits, trailing
// zeros dropped, an exponent of at least two digits.
func appendG(dst []byte, v float64) []byte {
	switch {
	case v == 0:
		return append(dst, '0') // never -0
	case math.IsInf(v, 1):
		return append(dst, "inf"...)
	}
	var buf [32]byte
	e := strconv.AppendFloat(buf[:0], v, 'e', 5, 64)
	at := strings.IndexByte(string(e), 'e')
	exp, _ := strconv.Atoi(string(e[at+1:]))
	if exp < -4 || exp >= 6 {
		mant := strings.TrimRight(strings.TrimRight(string(e[:at]), "0"), ".")
		dst = append(append(dst, mant...), 'e')
		return append(dst, e[at+1:]...)
	}
	f := strconv.AppendFloat(buf[:0], v, 'f', 5-exp, 64)
	s := string(f)
	if strings.IndexByte(s, '.') >= 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return append(dst, s...)
}

// appendValue appends an estimate for the native table: the shortest decimal
// that gives the same double back, NA where there is none.
func appendValue(dst []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, "NA"...)
	case v == 0:
		return append(dst, '0')
	}
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}
