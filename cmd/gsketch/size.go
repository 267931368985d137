// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The bases of unit letters: bytes count in powers of 1024, bases of sequence
// in powers of 1000.
const (
	bytesUnit = 1024
	basesUnit = 1000
)

// parseSize reads a positive whole number with an optional unit k, m, g or t
// (any case), as 800M, 5.14m or 5.14E+06.
func parseSize(s string, base float64) (uint64, error) {
	num, unit := s, 1.0
	if n := len(s); n > 0 {
		if i := strings.IndexByte("kmgt", s[n-1]|0x20); i >= 0 {
			num, unit = s[:n-1], math.Pow(base, float64(i+1))
		}
	}
	v, err := strconv.ParseFloat(num, 64)
	if v *= unit; err != nil || math.IsNaN(v) || v < 1 || v >= 1<<63 {
		return 0, fmt.Errorf("a positive number is expected, with k, m, g or t behind it where wanted")
	}
	return uint64(math.Round(v)), nil
}
