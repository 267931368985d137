// SPDX-License-Identifier: Apache-2.0

// Package python writes values as Python does: sourmash's tables are made with
// its repr and its csv module.
package python

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// AppendFloat appends repr(v): the shortest decimal that gives v again, with a
// point or an exponent in any case.
func AppendFloat(dst []byte, v float64) []byte {
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(dst, v, 'e', -1, 64)
	}
	n := len(dst)
	dst = strconv.AppendFloat(dst, v, 'f', -1, 64)
	if bytes.IndexByte(dst[n:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}

// Float is AppendFloat as a string.
func Float(v float64) string { return string(AppendFloat(nil, v)) }

// AppendRow appends a line as csv.writer writes it: fields that hold the
// delimiter, a quote or a line break are quoted, and the line ends with CR LF.
func AppendRow(dst []byte, delimiter byte, cells []string) []byte {
	special := "\"\r\n" + string(delimiter)
	for i, c := range cells {
		if i > 0 {
			dst = append(dst, delimiter)
		}
		if strings.ContainsAny(c, special) || c == "" && len(cells) == 1 {
			c = `"` + strings.ReplaceAll(c, `"`, `""`) + `"`
		}
		dst = append(dst, c...)
	}
	return append(dst, "\r\n"...)
}
